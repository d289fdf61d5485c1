"""The rounds of a Swiss drawn so far, as the next one is drawn from them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping

from tournaments.facts.tables import ByeGiven, TableFact
from tournaments.formats import Past, RankedEntrant, contenders


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
