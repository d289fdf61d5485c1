"""A knockout made from its tables: the bracket, who left it, its places, and the tables that a ruling replaces."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from tournaments.facts.rounds import SeatFact, TableFact, TableState
from tournaments.formats.format import Format
from tournaments.formats.knockout import Bracket, BracketMatch, BracketSlot, Heat, Heats, HeatShare, Placing
from tournaments.formats.position import StageTerms
from tournaments.standings import Corrections, Row


def bracket(
    kind: Format,
    terms: StageTerms,
    seeds: Sequence[int],
    tables: Iterable[TableFact],
    gone: Sequence[int],
    held: Corrections,
) -> Bracket | Heats:
    """Return the bracket of a stage of the format ``kind``. ``gone``: who plays on no more, in the order in which they
    left.

    Raises:
        EntrantsError: too few have a seed.
    """
    numbers = {entry: number for number, entry in enumerate(seeds, start=1)}
    shares: dict[BracketSlot, list[HeatShare]] = {}
    undecided: set[BracketSlot] = set()
    passed: dict[int, tuple[int, ...]] = {}
    for table in tables:
        if table.match in held.undone:
            continue
        place = place_of(table)
        ruled = table.match in held.given or table.match in held.void
        if table.match in held.open or (table.state is TableState.OPEN and not ruled):
            undecided.add(place)
        passed[place.round] = tuple((table.reasons or {}).get("passing", ()))
        shares[place] = [_share(table, seat, numbers, held) for seat in table.seats]
    return kind.bracket(terms, seeds, shares, undecided, passed, gone)


def misplaced(
    tables: Iterable[TableFact], bracket_without: Callable[[frozenset[int]], Bracket | Heats]
) -> list[TableFact]:
    """Return the tables whose players are not those whom the bracket would put there, in order. ``bracket_without``: as
    if these matches had never been drawn; what follows from a misplaced one may be misplaced too.
    """
    lost: list[TableFact] = []
    rest = list(tables)
    while True:
        bouts = bracket_without(frozenset(one.match for one in lost)).bouts
        players = {bout.place: set(bout.seating) for bout in bouts if not bout.empty}
        wrong = [one for one in rest if set(one.seating) != players.get(place_of(one), set())]
        if not wrong:
            return sorted(lost, key=lambda one: (one.round, one.table))
        lost += wrong
        rest = [one for one in rest if one not in wrong]


def place_of(table: TableFact) -> BracketSlot:
    """Return where in the bracket a table of a knockout stands."""
    assert table.reasons is not None  # noqa: S101  a knockout says of each match where it stands
    return BracketSlot.read(table.reasons["place"])


def _share(table: TableFact, seat: SeatFact, numbers: dict[int, int], held: Corrections) -> HeatShare:
    """Return a player's share of a table; a match that was called off or does not count is decided by the seeds."""
    score, points, forfeited = seat.score, seat.points, seat.forfeited
    if table.match in held.given:
        score, points, forfeited = held.given[table.match].get(seat.entrant, 0), 0, False
    elif table.match in held.void:
        score, points, forfeited = 0, 0, False
    out = held.annulled(seat.entrant) or forfeited
    return HeatShare(seat.entrant, score, points, numbers[seat.entrant], out)


def entrants_gone(
    seeds: Sequence[int], times: Mapping[int, float], finished: float | None, held: Corrections
) -> list[int]:
    """Return who no longer plays on in a stage, in the order in which they left; of those who left together the better
    seed was there longer. Who left after the stage had finished has played in it to the end.

    ``times``: when each entry that is out left, in any unit; ``finished``: when the stage did, None while it goes on.
    """
    left = dict(times)
    if finished is not None:
        left = {one: time for one, time in left.items() if time <= finished}
    else:
        left |= dict.fromkeys(held.left, inf)
    left |= {one: left.get(one, inf) for one in held.disqualified}
    numbers = {one: number for number, one in enumerate(seeds)}
    return sorted(left.keys() & numbers.keys(), key=lambda one: (left[one], -numbers[one]))


def rows_by_bracket(rows: Sequence[Row], placings: Sequence[Placing], held: Corrections) -> tuple[Row, ...]:
    """Return what the rows count, in the order and with the ranks of a bracket: no tie-break has a say in it. Who
    is disqualified comes last, and those below move up.
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
    """``lost``: tables in force that no longer are; ``back``: tables that lost their place and have it again."""

    lost: tuple[TableFact, ...] = ()
    back: tuple[TableFact, ...] = ()


def tables_replaced(active: Sequence[TableFact], gone: Sequence[TableFact], held: Corrections) -> Replaced:
    """Return what changes of a stage by points: a match that was played in the place of another goes if that one counts
    again. ``gone``: tables that have lost their place, the last one last.
    """
    lost = [one for one in active if one.match in held.orphans]
    places = {(one.round, one.table) for one in lost}
    back = {
        (one.round, one.table): one
        for one in gone
        if (one.round, one.table) in places and one.match not in held.orphans | held.open
    }
    return Replaced(tuple(one for one in lost if (one.round, one.table) in back), tuple(back.values()))


def bracket_replaced(
    active: Sequence[TableFact],
    gone: Sequence[TableFact],
    held: Corrections,
    bracket_with: BracketWith,
    leaving: Collection[int] = (),
) -> Replaced:
    """Return what changes of a knockout: each table whose players the bracket would put there holds, and no other.

    ``gone``: tables that have lost their place, the last one last; one comes back if the bracket has its players meet
    there, and nothing else in its place in the round. ``bracket_with``: the bracket as if the first matches had never
    been drawn and the second ones had. ``leaving``: matches that lose their place whatever the bracket says, because
    they wait and a player has left. What follows from a table may change with it, so this goes on until nothing does.
    """
    lost = [one for one in active if one.match in held.orphans or one.match in leaving]
    stay = [one for one in active if one not in lost]
    back: list[TableFact] = []
    barred = held.orphans | held.open | frozenset(leaving)
    candidates = [one for one in reversed(gone) if one.match not in barred]
    while True:
        bouts = {bout.place: bout for bout in bracket_with(_matches(lost), _matches(back)).bouts if not bout.empty}
        wrong = [one for one in (*stay, *back) if set(one.seating) != _players(bouts, place_of(one))]
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
    """Tell whether its players meet at its place, and nobody else sits there. One that is not finished comes back only
    if the bout is not decided without it.
    """
    place = place_of(table)
    if set(table.seating) != _players(bouts, place) or place in {place_of(one) for one in taken}:
        return False
    if (table.round, table.table) in {(one.round, one.table) for one in taken}:
        return False
    return table.state is TableState.FINISHED or not bouts[place].decided
