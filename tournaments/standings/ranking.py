"""One ranking of all entrants of a tournament, across its stages."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.standings.table import Row
from tournaments.standings.tie_breaks import LOT, SHARED


@dataclass(frozen=True, slots=True)
class Placed:
    """Where an entrant ended: its ``row`` in the last ``stage`` (from 1) that it played in. Those that went out of a
    knockout in the same round share a ``rank``."""

    rank: int
    stage: int
    row: Row

    @property
    def entrant(self) -> int:
        return self.row.entrant

    @property
    def by_lot(self) -> bool:
        """Nothing but the lot told it apart from another."""
        tied = self.row.tied_with
        return LOT in tied and SHARED not in tied and not self.row.disqualified

    @property
    def is_shared(self) -> bool:
        """It shares the rank with those whom no tie-break told apart."""
        return SHARED in self.row.tied_with and not self.row.disqualified


def ranking(stages: Sequence[Sequence[Row]]) -> tuple[Placed, ...]:
    """Rank everyone: first those of the last stage as it ended, then those of the stage before who did not go on, and
    so on; whoever is disqualified comes after all others. ``stages``: the standings of each that has begun, in order.
    """
    out = {row.entrant for stage in stages for row in stage if row.disqualified}
    ranked: set[int] = set()
    counted: list[Placed] = []
    disqualified: list[Placed] = []
    for number in range(len(stages), 0, -1):
        rows = [row for row in stages[number - 1] if row.entrant not in ranked]
        ranked |= {row.entrant for row in rows}
        sound = [row for row in rows if row.entrant not in out]
        above = len(counted)
        ranks = sorted(row.rank for row in sound)
        counted += [Placed(above + 1 + bisect_left(ranks, row.rank), number, row) for row in sound]
        disqualified += [Placed(0, number, row) for row in rows if row.entrant in out]
    last = len(counted) + 1
    return (*counted, *(Placed(last, one.stage, one.row) for one in disqualified))
