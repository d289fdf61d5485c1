"""How each format draws: what its next rounds follow from is read first, then they are drawn from that alone.

Drawing may take seconds, and nobody should wait for it with the database locked. So it is done between two readings: if
the second, made under the lock under which the rounds are written, equals the first, what was drawn still holds.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from tournaments.formats import (
    Contender,
    Draw,
    DutchError,
    EntrantsError,
    Seating,
    dutch_round,
    round_robin,
    swiss_round,
)
from tournaments.formats.dutch import Failure
from tournaments.formats.knockout import Bout, Heat
from tournaments.lot import lot
from tournaments.models import Format, Stage
from tournaments.selectors.history import contenders_of
from tournaments.selectors.knockout import bracket_for
from tournaments.selectors.played import rounds_played_of
from tournaments.selectors.seeding import seeding_of
from tournaments.trf import RoundPlayed

DUTCH_SECONDS: Final = 10  # of the processor: a round of a hundred entrants takes one


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


Drawn: TypeAlias = Sequence[DrawnRound]


class Position(Protocol):
    """All that the next rounds of a stage follow from: of equal positions the same rounds are drawn, whoever draws."""

    def draw(self) -> Drawn:
        """Reads nothing else.

        Raises:
            EntrantsError: too few are left.
        """


def position_of(stage: Stage, present: Sequence[int]) -> Position:
    """Of a stage all of whose rounds so far are decided. ``present``: the entries that play on, the best seed first in
    a later stage."""
    return POSITIONS[Format(stage.format)](stage, present)


def next_rounds(position: Position) -> Drawn:
    """What is played next; nothing if the stage is over."""
    try:
        return position.draw()
    except EntrantsError:
        return ()


@dataclass(frozen=True, slots=True)
class Over:
    """All announced rounds are played."""

    def draw(self) -> Drawn:
        return ()


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Before its first round; all are drawn at once."""

    entries: tuple[int, ...]
    seats: int
    secret: bytes

    def draw(self) -> Drawn:
        schedule = round_robin(self.entries, self.seats, self.secret)
        return [DrawnRound([DrawnTable(table) for table in tables]) for tables in schedule.rounds]


@dataclass(frozen=True, slots=True)
class Swiss:
    players: Sequence[Contender]
    seats: int
    smallest: int
    secret: bytes
    number: int
    apart: Collection[frozenset[int]]

    def draw(self) -> Drawn:
        return [_drawn(swiss_round(self.players, self.seats, self.smallest, self.secret, self.number, self.apart))]


@dataclass(frozen=True, slots=True)
class Dutch:
    """``own``: the position as our own Swiss sees it, which draws the round if the library fails; every table says so
    then. If FIDE's rules allow no further round, the stage is over."""

    own: Swiss
    order: Sequence[int]
    played: Sequence[RoundPlayed]
    present: Collection[int]
    rounds: int

    def draw(self) -> Drawn:
        try:
            return [_drawn(self._by_the_rules())]
        except DutchError as error:
            if error.failure is Failure.IMPOSSIBLE:
                return ()
            told = {"failure": error.failure.value}
            (drawn,) = self.own.draw()
            return [replace(drawn, tables=[replace(one, reasons=(one.reasons or {}) | told) for one in drawn.tables])]

    def _by_the_rules(self) -> Draw:
        """Who is kept apart meets only if the rules allow no other round."""
        first_white = lot(self.own.secret, "colour", 1) < lot(self.own.secret, "colour", 2)
        draw = partial(dutch_round, self.order, self.played, self.present, self.rounds, first_white)
        apart = [(min(pair), max(pair)) for pair in self.own.apart if pair <= set(self.present)]
        try:
            return draw(apart, seconds=DUTCH_SECONDS)
        except DutchError as error:
            if error.failure is not Failure.IMPOSSIBLE or not apart:
                raise
            return draw(seconds=DUTCH_SECONDS)


@dataclass(frozen=True, slots=True)
class Knockout:
    """Who meets follows from the seeds and results: there is nothing to draw."""

    bouts: Sequence[Bout | Heat]

    def draw(self) -> Drawn:
        return [DrawnRound([DrawnTable(bout.seating, bout.write()) for bout in self.bouts])] if self.bouts else ()


def _round_robin(stage: Stage, present: Sequence[int]) -> Position:
    if stage.drawn:
        return Over()
    return RoundRobin(tuple(present), stage.players_per_table, bytes(stage.tournament.secret))


def _swiss(stage: Stage, present: Sequence[int]) -> Position:
    return _as_swiss(stage, present) if stage.drawn < stage.rounds else Over()


def _as_swiss(stage: Stage, present: Sequence[int]) -> Swiss:
    return Swiss(
        contenders_of(stage, set(present)),
        stage.players_per_table,
        stage.smallest_table,
        bytes(stage.tournament.secret),
        stage.tournament.next_round,
        [frozenset(pair) for pair in stage.tournament.kept_apart.values_list("one", "other")],
    )


def _dutch(stage: Stage, present: Sequence[int]) -> Position:
    if stage.drawn >= stage.rounds:
        return Over()
    return Dutch(
        _as_swiss(stage, present), seeding_of(stage), rounds_played_of(stage), frozenset(present), stage.rounds
    )


def _knockout(stage: Stage, present: Sequence[int]) -> Position:
    return Knockout(bracket_for(stage, present).next_round)


def _drawn(draw: Draw) -> DrawnRound:
    return DrawnRound(
        [DrawnTable(table.seating, table.write()) for table in draw.tables],
        [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes],
    )


POSITIONS: Final[Mapping[Format, Callable[[Stage, Sequence[int]], Position]]] = {
    Format.ROUND_ROBIN: _round_robin,
    Format.SWISS: _swiss,
    Format.DUTCH: _dutch,
    Format.SINGLE_ELIMINATION: _knockout,
    Format.DOUBLE_ELIMINATION: _knockout,
    Format.HEATS: _knockout,
}
