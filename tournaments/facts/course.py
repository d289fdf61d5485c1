"""The rounds of a Swiss for two, as FIDE's tie-breaks count them."""

from collections import defaultdict
from collections.abc import Collection, Iterable

from tournaments.facts.tables import TableFact, TableState
from tournaments.standings import Corrections, Drawn, UnplayedRounds


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
