"""Which of all the tables that were ever drawn hold: those in force, and those that lost their place to a ruling."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from tournaments.facts.bracket import place_of
from tournaments.facts.tables import TableFact, TableState
from tournaments.formats.knockout import Bracket, BracketMatch, BracketSlot, Heat, Heats
from tournaments.standings import Corrections

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
