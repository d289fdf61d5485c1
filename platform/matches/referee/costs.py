"""The expected number of blocks of a series with the rule ``ThreeAnswers``, and the probability of each answer.

If blocks are only won, split or lost, the rule depends on the sum of the leads and on the number of blocks that were
not split. The calculation updates the distribution of the sum block by block. For the number of blocks that were not
split, it uses the expected value. Its results are therefore approximations; the tests compare them with the exact sums.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from matches.referee.stopping import LARGEST_VARIANCE, LEAST_BLOCKS, ThreeAnswers

# The share of blocks that equal bots do not split. House bots have 0.19 to 0.36, see docs/explanation/series.md.
UNSPLIT: Final = 0.3


@dataclass(frozen=True, slots=True)
class Expected:
    """What to expect of matches in which the expected share of the first seat is 1/2 + ``lead``.

    ``blocks`` is the mean number of blocks. The other fields are shares of the matches. The first seat is called better
    in the share ``better``, and the second seat in the share ``worse``. The match is too close to call in the share
    ``close``, and there is no answer in the share ``undecided``.
    """

    lead: float
    blocks: float
    better: float
    worse: float
    close: float
    undecided: float


@lru_cache(maxsize=256)
def series_cost(rule: ThreeAnswers, most: int, lead: float, unsplit: float = UNSPLIT) -> Expected:
    """Return what to expect of matches with at most ``most`` blocks. ``lead`` is from 0 to 1/2.

    ``unsplit`` is the share of blocks that equal bots do not split.
    """
    skew = 2 * lead
    whole = skew + unsplit * (1 - skew)  # the share of blocks that are not split
    won, split, lost = (whole + skew) / 2, 1 - whole, (whole - skew) / 2
    close, enough = _thresholds(rule, most, whole)
    steps = np.arange(-most - 1, most + 2)  # sums of leads in half blocks, with a margin
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
    """Return what to expect for four leads: 0, and half, one and two times ``rule.effect``."""
    return [series_cost(rule, most, part * rule.effect) for part in (0.0, 0.5, 1.0, 2.0)]


def _thresholds(rule: ThreeAnswers, most: int, whole: float) -> tuple[NDArray[np.int_], NDArray[np.int_]]:
    """Return two leads for each number of blocks: the largest that is too close to call, and the least that decides.

    Leads are in half blocks. If no lead is too close, the first number is -1. If no lead decides, the second number is
    too large to occur.
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
