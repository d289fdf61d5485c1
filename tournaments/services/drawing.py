"""How each format draws: from a stage and whoever is there to its next rounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tournaments.formats import EntrantsError, Seating, swiss_round
from tournaments.models import Format, Stage
from tournaments.plan import schedule_of
from tournaments.selectors.history import contenders_of


@dataclass(frozen=True, slots=True)
class DrawnTable:
    """Entries in seat order, and why they were put together, ready for JSON."""

    seating: Seating
    reasons: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class DrawnBye:
    entry: int
    reasons: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DrawnRound:
    tables: Sequence[DrawnTable]
    byes: Sequence[DrawnBye] = ()


def next_rounds(stage: Stage, present: Sequence[int]) -> Sequence[DrawnRound]:
    """What the stage plays next, once all of its rounds so far are decided; nothing if it is over.

    ``present``: the entries that play on, the best seed first in a later stage. Rounds are a pure function of these,
    of what has been played and of the tournament's secret: drawn again, they come out the same.

    Raises:
        EntrantsError: too few for the first round.
    """
    try:
        return DRAWING[Format(stage.format)](stage, present)
    except EntrantsError:
        if not stage.drawn:
            raise
        return ()


def _all_at_once(stage: Stage, present: Sequence[int]) -> Sequence[DrawnRound]:
    if stage.drawn:
        return ()
    return [DrawnRound([DrawnTable(table) for table in tables]) for tables in schedule_of(stage, present).rounds]


def _swiss(stage: Stage, present: Sequence[int]) -> Sequence[DrawnRound]:
    if stage.drawn >= stage.rounds:
        return ()
    draw = swiss_round(
        contenders_of(stage, set(present)),
        stage.players_per_table,
        stage.smallest_table,
        bytes(stage.tournament.secret),
        stage.tournament.rounds.count() + 1,
    )
    tables = [DrawnTable(table.seating, table.write()) for table in draw.tables]
    return [DrawnRound(tables, [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes])]


DRAWING: Final[Mapping[Format, Callable[[Stage, Sequence[int]], Sequence[DrawnRound]]]] = {
    Format.ROUND_ROBIN: _all_at_once,
    Format.SWISS: _swiss,
}
