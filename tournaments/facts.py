"""The facts of a stage as plain values, and pure functions of these facts.

The functions compute the results that count, the rounds for tie-breaks and reports, seeds, brackets, and the tables
that a ruling replaces. The site reads the facts from the database. The check of a proof reads them from the links of a
chain. Both draw, count and rank with these functions, so they do not use Django.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from math import inf
from typing import Any

from games.contest_luck import contest_luck_lots_drawn
from tournaments.formats import Past, RankedEntrant, pairings_contenders_of
from tournaments.formats.draw_position import StageTerms
from tournaments.formats.format import Format
from tournaments.formats.knockout import Bracket, BracketMatch, BracketSlot, Heat, Heats, HeatShare, Placing
from tournaments.standings import (
    Corrections,
    Drawn,
    Result,
    Row,
    SeatResult,
    UnplayedRounds,
    standings_results_corrected,
)
from tournaments.trf import RoundPlayed, TrfGame


class TableState(StrEnum):
    OPEN = "open"  # to be played, or being played
    FINISHED = "finished"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class SeatFact:
    """The seat of an entrant in a match, with the result before any rulings; see ``matches.models.Seat``.

    If there is no result yet, the numbers are 0. ``places`` has the entrant's place in each game. It is needed only if
    the results of an entrant at the table are annulled.
    """

    entrant: int
    score: float = 0
    points: int = 0
    wins: int = 0
    faulty_games: int = 0
    forfeited: bool = False
    places: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableFact:
    """A match at a ``table`` of a ``round``, with its seats in order.

    A ruling may replace a match by another one at the same table. ``attempt`` numbers the matches of a table, from 1.
    In a knockout, ``reasons`` has the slot of the match in the bracket. In other formats, nothing is computed from
    ``reasons``.
    """

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
    """An entrant without a table in a round, and the points for the bye."""

    round: int
    entrant: int
    points: int


def facts_results_counted(tables: Iterable[TableFact], held: Corrections, full: int) -> list[Result]:
    """Return the results that count, with the corrections of ``held`` applied.

    These are the results of finished matches, and of matches to which a ruling gave a result. A full table has ``full``
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
    return standings_results_corrected(played, held)


def facts_course_at(
    begun: Collection[int], tables: Iterable[TableFact], held: Corrections, announced: int
) -> UnplayedRounds:
    """Return the rounds that have ``begun``, with the entrants whose matches are not decided.

    A match to which a ruling gave a result is decided. ``announced`` is the number of announced rounds.
    """
    seated: defaultdict[int, set[int]] = defaultdict(set)
    pending: defaultdict[int, set[int]] = defaultdict(set)
    for table in tables:
        seated[table.round].update(table.seating)
        if table.state is TableState.OPEN and table.match not in held.given:
            pending[table.round].update(table.seating)
    rounds = [Drawn(number, frozenset(seated[number]), frozenset(pending[number])) for number in sorted(begun)]
    return UnplayedRounds(tuple(rounds), announced)


def facts_rounds_played(
    rounds: Iterable[int], tables: Iterable[TableFact], byes: Iterable[ByeGiven], held: Corrections
) -> list[RoundPlayed]:
    """Return the rounds before the first one that has an undecided match.

    Matches without a result, void matches, and matches with an annulled result are left out of their rounds.
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
    # At tables of two, scores are multiples of a half. Rounding makes equal scores compare as equal.
    difference = round(2 * mine) - round(2 * theirs)
    return TrfGame(seating, (1.0, 0.0) if difference > 0 else (0.0, 1.0) if difference < 0 else (0.5, 0.5))


def facts_contenders_at(
    points: Mapping[int, float], rounds: Iterable[Past], present: Collection[int], full: int
) -> list[RankedEntrant]:
    """Return the points and the history of the ``present`` entrants, in the order of ``points``. A full table has
    ``full`` seats.
    """
    return pairings_contenders_of({entry: made for entry, made in points.items() if entry in present}, rounds, full)


def facts_past_rounds(rounds: Iterable[int], tables: Iterable[TableFact], byes: Iterable[ByeGiven]) -> list[Past]:
    """Return the ``rounds`` in this order, whether they are decided or not."""
    seatings: defaultdict[int, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for table in tables:
        seatings[table.round].append((table.table, table.seating))
    idle: defaultdict[int, list[int]] = defaultdict(list)
    for bye in byes:
        idle[bye.round].append(bye.entrant)
    return [Past(tuple(seating for _, seating in sorted(seatings[number])), tuple(idle[number])) for number in rounds]


def facts_first_seeds(luck: bytes, entries: Iterable[int], places: Mapping[int, int | None]) -> list[int]:
    """Return the ``entries``, the best seed first.

    They are in the order of their ``places`` on a ladder. Entries without a place come last. A lot decides between
    entries with equal places and between entries without a place.

    >>> facts_first_seeds(b"secret", [1, 2, 3], {}), facts_first_seeds(b"secret", [1, 2, 3], {2: 1})
    ([3, 1, 2], [2, 3, 1])
    """
    return sorted(contest_luck_lots_drawn(luck, "seeding", entries), key=lambda entry: places.get(entry) or inf)


def facts_bracket(
    kind: Format,
    terms: StageTerms,
    seeds: Sequence[int],
    tables: Iterable[TableFact],
    gone: Sequence[int],
    held: Corrections,
) -> Bracket | Heats:
    """Return the bracket of a stage of the format ``kind``.

    ``gone`` are the entries that do not play on, in the order in which they left.

    Raises:
        EntrantsError: too few entries have a seed.
    """
    numbers = {entry: number for number, entry in enumerate(seeds, start=1)}
    shares: dict[BracketSlot, list[HeatShare]] = {}
    undecided: set[BracketSlot] = set()
    passed: dict[int, tuple[int, ...]] = {}
    for table in tables:
        if table.match in held.undone:
            continue
        place = facts_bracket_slot(table)
        ruled = table.match in held.given or table.match in held.void
        if table.match in held.open or (table.state is TableState.OPEN and not ruled):
            undecided.add(place)
        passed[place.round] = tuple((table.reasons or {}).get("passing", ()))
        shares[place] = [_heat_share(table, seat, numbers, held) for seat in table.seats]
    return kind.bracket(terms, seeds, shares, undecided, passed, gone)


def facts_tables_misplaced(
    tables: Iterable[TableFact], bracket_without: Callable[[frozenset[int]], Bracket | Heats]
) -> list[TableFact]:
    """Return the tables that are misplaced: the bracket has other players in their slots. Order by round and table.

    ``bracket_without`` returns the bracket as if the given matches had never been drawn. It is called until no further
    table is misplaced, because the players of later tables may come from a misplaced one.
    """
    lost: list[TableFact] = []
    rest = list(tables)
    while True:
        bouts = bracket_without(frozenset(one.match for one in lost)).bouts
        players = {bout.place: set(bout.seating) for bout in bouts if not bout.empty}
        wrong = [one for one in rest if set(one.seating) != players.get(facts_bracket_slot(one), set())]
        if not wrong:
            return sorted(lost, key=lambda one: (one.round, one.table))
        lost += wrong
        rest = [one for one in rest if one not in wrong]


def facts_bracket_slot(table: TableFact) -> BracketSlot:
    """Return the slot of a knockout's table in the bracket."""
    assert table.reasons is not None  # noqa: S101  every match of a knockout has a slot
    return BracketSlot.read(table.reasons["place"])


def _heat_share(table: TableFact, seat: SeatFact, numbers: dict[int, int], held: Corrections) -> HeatShare:
    """Return a player's result at a table. Void and cancelled matches have equal scores, so the seeds decide them."""
    score, points, forfeited = seat.score, seat.points, seat.forfeited
    if table.match in held.given:
        score, points, forfeited = held.given[table.match].get(seat.entrant, 0), 0, False
    elif table.match in held.void:
        score, points, forfeited = 0, 0, False
    out = held.annulled(seat.entrant) or forfeited
    return HeatShare(seat.entrant, score, points, numbers[seat.entrant], out)


def facts_entrants_gone(
    seeds: Sequence[int], times: Mapping[int, float], finished: float | None, held: Corrections
) -> list[int]:
    """Return the entries that do not play on in a stage, in the order in which they left.

    Of entries that left at the same time, better seeds come later. Entries that left after the end of the stage are not
    included, because they have played to the end. ``times`` has the time at which each entry left, in any unit.
    ``finished`` is the time at which the stage ended, in the same unit; None while the stage goes on.
    """
    left = dict(times)
    if finished is not None:
        left = {one: time for one, time in left.items() if time <= finished}
    else:
        left |= dict.fromkeys(held.left, inf)
    left |= {one: left.get(one, inf) for one in held.disqualified}
    numbers = {one: number for number, one in enumerate(seeds)}
    return sorted(left.keys() & numbers.keys(), key=lambda one: (left[one], -numbers[one]))


def facts_rows_by_bracket(rows: Sequence[Row], placings: Sequence[Placing], held: Corrections) -> tuple[Row, ...]:
    """Return the rows in the order and with the ranks of a bracket. Their tie-breaks are removed.

    Disqualified entries come last. The entries that were below them move up.
    """
    by_entrant = {row.entrant: row for row in rows}
    counted = [one for one in placings if one.entrant not in held.disqualified]
    ahead = sorted(one.rank for one in counted)
    ranks = {one.entrant: 1 + bisect_left(ahead, one.rank) for one in counted}
    last = [one for one in placings if one.entrant in held.disqualified]
    return tuple(
        by_entrant[one.entrant]._replace(
            rank=ranks.get(one.entrant, len(counted) + 1),
            values={},
            tied_with={},
            above_next_by="",
        )
        for one in (*counted, *last)
    )


BracketWith = Callable[[frozenset[int], frozenset[int]], Bracket | Heats]


@dataclass(frozen=True, slots=True)
class Replaced:
    """The tables that change because of a ruling.

    ``lost`` are current tables that are superseded. ``back`` are superseded tables that become current again.
    """

    lost: tuple[TableFact, ...] = ()
    back: tuple[TableFact, ...] = ()


def facts_tables_replaced(active: Sequence[TableFact], gone: Sequence[TableFact], held: Corrections) -> Replaced:
    """Return the tables that change in a stage with standings by points.

    If a ruling is taken back, a match that was replaced counts again. The match that was played in its place is then
    superseded. ``active`` are the current tables. ``gone`` are the superseded tables, the last superseded one last.
    """
    lost = [one for one in active if one.match in held.orphans]
    places = {(one.round, one.table) for one in lost}
    back = {
        (one.round, one.table): one
        for one in gone
        if (one.round, one.table) in places and one.match not in held.orphans | held.open
    }
    return Replaced(tuple(one for one in lost if (one.round, one.table) in back), tuple(back.values()))


def facts_bracket_replaced(
    active: Sequence[TableFact],
    gone: Sequence[TableFact],
    held: Corrections,
    bracket_with: BracketWith,
    leaving: Collection[int] = (),
) -> Replaced:
    """Return the tables that change in a knockout. Afterwards, each table has the players that belong in its slot.

    ``active`` are the current tables. ``gone`` are the superseded tables, the last superseded one last. A superseded
    table comes back if the bracket has its players in its slot, and if no other table has this slot, or this number in
    the round.

    ``bracket_with(undone, restored)`` returns the bracket as if the matches ``undone`` had never been drawn, and as if
    the matches ``restored`` were current. ``leaving`` are waiting matches with a player that has left; they are always
    superseded. Each change may cause others, so all tables are checked again until nothing changes.
    """
    lost = [one for one in active if one.match in held.orphans or one.match in leaving]
    stay = [one for one in active if one not in lost]
    back: list[TableFact] = []
    barred = held.orphans | held.open | frozenset(leaving)
    candidates = [one for one in reversed(gone) if one.match not in barred]
    while True:
        bouts = {bout.place: bout for bout in bracket_with(_matches(lost), _matches(back)).bouts if not bout.empty}
        wrong = [one for one in (*stay, *back) if set(one.seating) != _players(bouts, facts_bracket_slot(one))]
        if wrong:
            lost += [one for one in wrong if one in stay]
            candidates = [one for one in candidates if one not in wrong]
            stay, back = ([one for one in tables if one not in wrong] for tables in (stay, back))
            continue
        fitting = next((one for one in candidates if _fits(one, bouts, (*stay, *back))), None)
        if fitting is None:
            return Replaced(*(tuple(sorted(tables, key=lambda one: (one.round, one.table))) for tables in (lost, back)))
        back.append(fitting)


def _matches(tables: Sequence[TableFact]) -> frozenset[int]:
    return frozenset(one.match for one in tables)


def _players(bouts: dict[BracketSlot, BracketMatch | Heat], place: BracketSlot) -> set[int]:
    return set(bouts[place].seating) if place in bouts else set()


def _fits(table: TableFact, bouts: dict[BracketSlot, BracketMatch | Heat], taken: Sequence[TableFact]) -> bool:
    """Return whether a table can come back: its players meet in its slot, and no table in ``taken`` has its place.

    A table that is not finished can come back only if the match in its slot is undecided.
    """
    place = facts_bracket_slot(table)
    if set(table.seating) != _players(bouts, place) or place in {facts_bracket_slot(one) for one in taken}:
        return False
    if (table.round, table.table) in {(one.round, one.table) for one in taken}:
        return False
    return table.state is TableState.FINISHED or not bouts[place].decided
