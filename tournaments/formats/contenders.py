"""What a Swiss knows of each entrant before it draws a round: its points, whom it met, where it sat, when it idled."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tournaments.formats.schedule import Seating


@dataclass(frozen=True, slots=True)
class Past:
    """A round that was drawn: its tables in seat order, and who had a bye. Who is in neither was not there."""

    tables: tuple[Seating, ...]
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RankedEntrant:
    """``met``: meetings by opponent. ``sat``: how often in each seat. ``short``: tables smaller than a full one."""

    entrant: int
    score: float
    met: Mapping[int, int]
    sat: tuple[int, ...]
    short: int = 0
    byes: int = 0


def contenders(scores: Mapping[int, float], rounds: Iterable[Past], seats: int) -> list[RankedEntrant]:
    """Return a contender for each entrant that has a score; whoever left is remembered by those it met. Full tables
    have ``seats``.
    """
    met: dict[int, dict[int, int]] = {entrant: {} for entrant in scores}
    sat = {entrant: [0] * seats for entrant in scores}
    short: Counter[int] = Counter()
    byes: Counter[int] = Counter()
    for past in rounds:
        byes.update(past.byes)
        for table in past.tables:
            _sit(table, met, sat)
            if len(table) < seats:
                short.update(table)
    return [
        RankedEntrant(entrant, score, met[entrant], tuple(sat[entrant]), short[entrant], byes[entrant])
        for entrant, score in scores.items()
    ]


def _sit(table: Seating, met: Mapping[int, dict[int, int]], sat: Mapping[int, list[int]]) -> None:
    for seat, entrant in enumerate(table):
        if entrant in met:
            sat[entrant][seat] += 1
            opponents = met[entrant]
            for other in table:
                opponents[other] = opponents.get(other, 0) + 1
            del opponents[entrant]
