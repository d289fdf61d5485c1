"""How each format draws: all that the next rounds of a stage follow from, and the rounds drawn from that alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Protocol, TypeAlias

from games.lots import lot
from tournaments.formats import (
    DutchError,
    EntrantsError,
    RankedEntrant,
    RoundPairings,
    Seating,
    dutch_round,
    round_robin,
    swiss_round,
)
from tournaments.formats.dutch import DutchFailure, Edition
from tournaments.formats.knockout import BracketMatch, Heat
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


class DrawPosition(Protocol):
    """All that the next rounds of a stage follow from: of equal positions the same rounds are drawn, whoever draws."""

    def draw(self) -> Drawn:
        """Reads nothing else.

        Raises:
            EntrantsError: too few are left.
        """


def next_rounds(position: DrawPosition) -> Drawn:
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
    players: Sequence[RankedEntrant]
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
    then. If FIDE's rules allow no further round, the stage is over. ``colours``: the luck of the first colour."""

    own: Swiss
    colours: bytes
    order: Sequence[int]
    played: Sequence[RoundPlayed]
    present: Collection[int]
    rounds: int
    edition: Edition = Edition.UNTIL_2026

    def draw(self) -> Drawn:
        try:
            return [_drawn(self._by_the_rules())]
        except DutchError as error:
            if error.failure is DutchFailure.IMPOSSIBLE:
                return ()
            told = {"failure": error.failure.value}
            (drawn,) = self.own.draw()
            return [replace(drawn, tables=[replace(one, reasons=(one.reasons or {}) | told) for one in drawn.tables])]

    def _by_the_rules(self) -> RoundPairings:
        """Who is kept apart meets only if the rules allow no other round."""
        first_white = lot(self.colours, "colour", 1) < lot(self.colours, "colour", 2)
        position = self.order, self.played, self.present, self.rounds, first_white
        draw = partial(dutch_round, *position, edition=self.edition)
        apart = [(min(pair), max(pair)) for pair in self.own.apart if pair <= set(self.present)]
        try:
            return draw(apart, seconds=DUTCH_SECONDS)
        except DutchError as error:
            if error.failure is not DutchFailure.IMPOSSIBLE or not apart:
                raise
            return draw(seconds=DUTCH_SECONDS)


@dataclass(frozen=True, slots=True)
class Knockout:
    """Who meets follows from the seeds and results: there is nothing to draw."""

    bouts: Sequence[BracketMatch | Heat]

    def draw(self) -> Drawn:
        return [DrawnRound([DrawnTable(bout.seating, bout.write()) for bout in self.bouts])] if self.bouts else ()


def _drawn(draw: RoundPairings) -> DrawnRound:
    return DrawnRound(
        [DrawnTable(table.seating, table.write()) for table in draw.tables],
        [DrawnBye(bye.entrant, bye.write()) for bye in draw.byes],
    )
