"""What a series with three answers is expected to cost, and how often it ends with which.

Of blocks won, split or lost the rule sees the sum of the leads and how many were not split. The chances of all series
are carried from block to block by the first alone; the second is taken as what is expected of it. So what comes out is
near, not exact: the tests hold it against the exact sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from matches.referee.stopping import LARGEST_VARIANCE, LEAST_BLOCKS, ThreeAnswers

UNSPLIT: Final = 0.3  # of the blocks of two equals; house bots have .19 to .36, see docs/explanation/series.md


@dataclass(frozen=True, slots=True)
class Expected:
    """Of matches in which the first seat's share is 1/2 + ``lead``: the blocks played on average, and the shares of
    matches in which it is called better, the other is, it is too close to call, or not decided."""

    lead: float
    blocks: float
    better: float
    worse: float
    close: float
    undecided: float


@lru_cache(maxsize=256)
def series_cost(rule: ThreeAnswers, most: int, lead: float, unsplit: float = UNSPLIT) -> Expected:
    """Return what to expect of matches of ``most`` blocks at most, when equals do not split ``unsplit`` of them;
    ``lead``: 0 to 1/2.
    """
    skew = 2 * lead
    whole = skew + unsplit * (1 - skew)  # the share of blocks that are not split
    won, split, lost = (whole + skew) / 2, 1 - whole, (whole - skew) / 2
    close, enough = _thresholds(rule, most, whole)
    steps = np.arange(-most - 1, most + 2)  # of half a block, with a margin
    going = (steps == 0).astype(float)
    better = worse = level = blocks = 0.0
    for played in range(1, most + 1):
        blocks += going.sum()
        after = split * going
        after[1:] += won * going[:-1]
        after[:-1] += lost * going[1:]
        decided, even = np.abs(steps) >= enough[played - 1], np.abs(steps) <= close[played - 1]
        better += after[decided & (steps > 0)].sum()
        worse += after[decided & (steps < 0)].sum()
        level += after[even].sum()
        going = np.where(decided | even, 0.0, after)
    return Expected(lead, float(blocks), float(better), float(worse), float(level), float(going.sum()))


def series_costs(rule: ThreeAnswers, most: int) -> Sequence[Expected]:
    """Return what to expect of equals, and of half the difference that must not be missed, that difference and twice
    it.
    """
    return [series_cost(rule, most, part * rule.effect) for part in (0.0, 0.5, 1.0, 2.0)]


def _thresholds(rule: ThreeAnswers, most: int, whole: float) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return after each number of blocks the largest lead, in halves of a block, that is too close, and the least that
    decides; -1 and more than there can be where there is none.
    """
    played = np.arange(1, most + 1)
    variance = LARGEST_VARIANCE * (whole * played + rule.PRIOR_BLOCKS) / (played + rule.PRIOR_BLOCKS)
    effects = np.array(list(rule.alternatives))[:, None]
    weights = np.log(list(rule.alternatives.values()))[:, None]

    def least(bound: float) -> NDArray[np.int_]:
        """Return the least lead whose ratio is above the bound."""
        low, high = np.full(most, -1), played + 1
        while (high - low > 1).any():
            middle = (low + high) // 2
            terms = weights + effects * (middle - played * effects) / (2 * variance)
            above = np.logaddexp.reduce(terms) > bound
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray(high)

    early = played < LEAST_BLOCKS
    return np.where(early, -1, least(rule.close_bound) - 1), np.where(early, played + 1, least(rule.bound))
