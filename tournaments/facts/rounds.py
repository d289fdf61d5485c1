"""The rounds of a stage, made from its tables: results that count, rounds for tie-breaks and reports, and seeds.

The tables of a stage, whether their matches are decided, and what everyone made of them.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import inf
from typing import Any

from games.luck import lots_drawn
from tournaments.formats import Past, RankedEntrant, contenders
from tournaments.standings import Corrections, Drawn, Result, SeatResult, UnplayedRounds, corrected
from tournaments.trf import RoundPlayed, TrfGame


class TableState(StrEnum):
    OPEN = "open"  # to be played, or being played
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SeatFact:
    """An entrant's share of a match as it was played, see ``matches.models.Seat``; nothing while there is no result.
    ``places``, game by game, are only needed where somebody's results are annulled."""

    entrant: int
    score: float = 0
    points: int = 0
    wins: int = 0
    faulty_games: int = 0
    forfeited: bool = False
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFact:
    """The match in force at a ``table`` of a ``round``, the ``attempt``th drawn there, its seats in order. ``reasons``:
    of a knockout where in the bracket it stands; elsewhere why these met, which nothing follows from."""

    match: int
    round: int
    table: int
    state: TableState
    seats: tuple[SeatFact, ...]
    blocks: int = 0  # played
    reasons: Mapping[str, Any] | None = None
    attempt: int = 1

    @property
    def seating(self) -> tuple[int, ...]:
        return tuple(seat.entrant for seat in self.seats)


@dataclass(frozen=True, slots=True)
class ByeGiven:
    """An entrant that found no table in a round."""

    round: int
    entrant: int
    points: int


def counted_results(tables: Iterable[TableFact], held: Corrections, full: int) -> list[Result]:
    """Return a result for every match that is finished or was given a result by a ruling. Full tables have ``full``
    seats.
    """
    played = [
        Result(
            games=table.blocks * len(table.seats),
            worth=Fraction(full - 1, len(table.seats) - 1),
            seats=tuple(
                SeatResult(
                    *(seat.entrant, seat.score, seat.points, seat.wins, seat.faulty_games, seat.forfeited),
                    places=seat.places,
                )
                for seat in table.seats
            ),
            match=table.match,
            round=table.round,
        )
        for table in tables
        if table.state is TableState.FINISHED or table.match in held.given
    ]
    return corrected(played, held)


def course_at(begun: Collection[int], tables: Iterable[TableFact], held: Corrections, announced: int) -> UnplayedRounds:
    """Return the rounds that have ``begun``; a match whose result was given by a ruling is decided."""
    seated: defaultdict[int, set[int]] = defaultdict(set)
    pending: defaultdict[int, set[int]] = defaultdict(set)
    for table in tables:
        seated[table.round].update(table.seating)
        if table.state is TableState.OPEN and table.match not in held.given:
            pending[table.round].update(table.seating)
    rounds = [Drawn(number, frozenset(seated[number]), frozenset(pending[number])) for number in sorted(begun)]
    return UnplayedRounds(tuple(rounds), announced)


def stage_rounds_played(
    rounds: Iterable[int], tables: Iterable[TableFact], byes: Iterable[ByeGiven], held: Corrections
) -> list[RoundPlayed]:
    """Return every round up to the first with a match that is not decided. A match without a result counts as not held,
    and so does one that was ruled void, or whose result was annulled.
    """
    games: defaultdict[int, list[TrfGame]] = defaultdict(list)
    undecided: set[int] = set()
    for table in sorted(tables, key=lambda one: (one.round, one.table)):
        if table.state is TableState.OPEN:
            undecided.add(table.round)
        counted = table.state is TableState.FINISHED or table.match in held.given
        if counted and table.match not in held.void and not any(held.annulled(one) for one in table.seating):
            games[table.round].append(_game(table, held))
    idle: defaultdict[int, list[int]] = defaultdict(list)
    for bye in byes:
        idle[bye.round].append(bye.entrant)
    first_open = min(undecided, default=None)
    return [
        RoundPlayed(tuple(games[number]), tuple(idle[number]))
        for number in rounds
        if first_open is None or number < first_open
    ]


def _game(table: TableFact, held: Corrections) -> TrfGame:
    first, second = table.seats
    seating = first.entrant, second.entrant
    given = held.given.get(table.match)
    if given is None and (first.forfeited or second.forfeited):
        return TrfGame(seating, (float(not first.forfeited), float(not second.forfeited)), forfeited=True)
    mine, theirs = (seat.score if given is None else given.get(seat.entrant, 0) for seat in table.seats)
    # Scores of two are counted in halves: equal ones are equal.
    difference = round(2 * mine) - round(2 * theirs)
    return TrfGame(seating, (1.0, 0.0) if difference > 0 else (0.0, 1.0) if difference < 0 else (0.5, 0.5))


def contenders_at(
    points: Mapping[int, float], rounds: Iterable[Past], present: Collection[int], full: int
) -> list[RankedEntrant]:
    """Return what is known of the ``present`` entrants, in the order of ``points``. Full tables have ``full`` seats."""
    return contenders({entry: made for entry, made in points.items() if entry in present}, rounds, full)


def past_rounds(rounds: Iterable[int], tables: Iterable[TableFact], byes: Iterable[ByeGiven]) -> list[Past]:
    """Return the ``rounds`` in their order, decided or not."""
    seatings: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for table in tables:
        seatings[table.round].append((table.table, table.seating))
    idle: defaultdict[int, list[int]] = defaultdict(list)
    for bye in byes:
        idle[bye.round].append(bye.entrant)
    return [Past(tuple(seating for _, seating in sorted(seatings[number])), tuple(idle[number])) for number in rounds]


def first_seeds(luck: bytes, entries: Iterable[int], places: Mapping[int, int | None]) -> list[int]:
    """Return the ``entries``, the best seed first: by the ``places`` that they came with from a ladder, those without
    one after them, and equals by lot.

    >>> first_seeds(b"secret", [1, 2, 3], {}), first_seeds(b"secret", [1, 2, 3], {2: 1})
    ([3, 1, 2], [2, 3, 1])
    """
    return sorted(lots_drawn(luck, "seeding", entries), key=lambda entry: places.get(entry) or inf)
