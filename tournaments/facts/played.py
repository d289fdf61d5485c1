"""The rounds of a stage for two that are over, as FIDE's rules and its report file see them."""

from collections import defaultdict
from collections.abc import Iterable

from tournaments.facts.tables import ByeGiven, TableFact, TableState
from tournaments.standings import Corrections
from tournaments.trf import RoundPlayed, TrfGame


def rounds_played(
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
