"""How each format draws: from a stage and whoever is there to its next rounds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from tournaments.formats import Draw, DutchError, EntrantsError, Seating, dutch_round, swiss_round
from tournaments.formats.dutch import Failure
from tournaments.lot import lot
from tournaments.models import Format, Stage
from tournaments.plan import schedule_of
from tournaments.selectors.history import contenders_of
from tournaments.selectors.knockout import bracket_for
from tournaments.selectors.played import rounds_played_of
from tournaments.selectors.seeding import seeding_of

DUTCH_SECONDS: Final = 10  # of the processor: a round of a hundred entrants takes one, and the database waits for it


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
        [frozenset(pair) for pair in _kept_apart(stage)],
    )
    return [_drawn(draw)]


def _dutch(stage: Stage, present: Sequence[int]) -> Sequence[DrawnRound]:
    """If the library fails, our own Swiss draws the round, and every table says so. If FIDE's rules allow no further
    round, the stage is over."""
    if stage.drawn >= stage.rounds:
        return ()
    try:
        return [_drawn(_dutch_round(stage, present))]
    except DutchError as error:
        if error.failure is Failure.IMPOSSIBLE:
            return ()
        (drawn,) = _swiss(stage, present)
        told = {"failure": error.failure.value}
        return [replace(drawn, tables=[replace(one, reasons={**(one.reasons or {}), **told}) for one in drawn.tables])]


def _dutch_round(stage: Stage, present: Sequence[int]) -> Draw:
    """Who is kept apart meets only if the rules allow no other round."""
    secret, order = bytes(stage.tournament.secret), seeding_of(stage)
    first_white = lot(secret, "colour", 1) < lot(secret, "colour", 2)
    draw = partial(dutch_round, order, rounds_played_of(stage), set(present), stage.rounds, first_white)
    apart = [pair for pair in _kept_apart(stage) if set(pair) <= set(present)]
    try:
        return draw(apart, seconds=DUTCH_SECONDS)
    except DutchError as error:
        if error.failure is not Failure.IMPOSSIBLE or not apart:
            raise
        return draw(seconds=DUTCH_SECONDS)


def _kept_apart(stage: Stage) -> list[tuple[int, int]]:
    return list(stage.tournament.kept_apart.values_list("one", "other"))


def _knockout(stage: Stage, present: Sequence[int]) -> Sequence[DrawnRound]:
    bouts = bracket_for(stage, present).next_round
    return [DrawnRound([DrawnTable(bout.seating, bout.write()) for bout in bouts])] if bouts else ()


def _drawn(draw: Draw) -> DrawnRound:
    return DrawnRound(
        [DrawnTable(table.seating, table.write()) for table in draw.tables],
        [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes],
    )


DRAWING: Final[Mapping[Format, Callable[[Stage, Sequence[int]], Sequence[DrawnRound]]]] = {
    Format.ROUND_ROBIN: _all_at_once,
    Format.SWISS: _swiss,
    Format.DUTCH: _dutch,
    Format.SINGLE_ELIMINATION: _knockout,
    Format.DOUBLE_ELIMINATION: _knockout,
}
