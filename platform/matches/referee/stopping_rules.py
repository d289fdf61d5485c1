"""The stopping rules that there are, by the names under which matches store them, and what a series is expected to
cost.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from math import exp, inf, log
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from matches.referee.stopping import (
    FALLING,
    LARGEST_VARIANCE,
    LEAST_BLOCKS,
    Sequential,
    StoppingError,
    StopReason,
    ThreeAnswers,
    ThreeAnswersLessLuck,
    TwoAnswers,
)

THRESHOLDS: Final = (0.05, 0.95)
STAKED_MOST: Final = 0.95  # of what may be lost in a block: no stake ever falls to nothing


@dataclass(frozen=True)
class AboveThreshold(Sequential):
    """``StopReason.FIRST``: the share of the first seat is above ``threshold``; ``SECOND``: it is below.

    Either is said wrongly in a share of ``error`` / 2 of matches at most.

    Raises:
        StoppingError: a number outside ``THRESHOLDS`` or ``BOUNDS``.
    """

    RULE = "threshold/1"
    PRIOR_BLOCKS = 0
    threshold: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        least, most = THRESHOLDS
        number = isinstance(self.threshold, int | float) and not isinstance(self.threshold, bool)
        if not number or not least <= self.threshold <= most:
            raise StoppingError("threshold", self.threshold, f"a number from {least} to {most}")

    @property
    def bound(self) -> float:
        return log(2 / self.error)

    @property
    def least_blocks(self) -> int:
        return next(n for n in count(LEAST_BLOCKS) if max(self.ratio([1.0] * n), self.ratio([0.0] * n)) >= self.bound)

    def ratio(self, shares: Sequence[float]) -> float:
        """Return the logarithm of the stake on the side that leads."""
        return max(self._stakes(shares))

    def decision(self, shares: Sequence[float]) -> StopReason | None:
        if len(shares) < LEAST_BLOCKS:
            return None
        above, below = self._stakes(shares)
        if max(above, below) >= self.bound:
            return StopReason.FIRST if above > below else StopReason.SECOND
        if above <= self._close_bound(self.threshold) and below <= self._close_bound(1 - self.threshold):
            return StopReason.TOO_CLOSE
        return None

    def _differences(self, threshold: float) -> dict[float, float]:
        """Return the differences that are bet on, each with its weight; the weights add up to 1."""
        most = STAKED_MOST * (1 - threshold)
        differences = [min(self.effect, most)]
        while 2 * differences[-1] <= most:
            differences.append(2 * differences[-1])
        total = sum(FALLING**place for place in range(len(differences)))
        return {difference: FALLING**place / total for place, difference in enumerate(differences)}

    def _close_bound(self, threshold: float) -> float:
        return log(self.error * next(iter(self._differences(threshold).values())))

    def _stakes(self, shares: Sequence[float]) -> tuple[float, float]:
        mirrored = [1 - share for share in shares]
        return self._stake(shares, self.threshold), self._stake(mirrored, 1 - self.threshold)

    def _stake(self, shares: Sequence[float], threshold: float) -> float:
        """Return the logarithm of the stake on a mean above ``threshold``."""
        scale, counted = threshold * (1 - threshold), Counter(shares)
        terms = [
            log(weight) + sum(n * log(1 + difference * (share - threshold) / scale) for share, n in counted.items())
            for difference, weight in self._differences(threshold).items()
        ]
        largest = max(terms, default=-inf)
        return largest + log(sum(exp(term - largest) for term in terms))


RULES: Final[Mapping[str, type[Sequential]]] = {
    rule.RULE: rule for rule in (TwoAnswers, ThreeAnswers, ThreeAnswersLessLuck, AboveThreshold)
}


def rule_of(data: Mapping[str, Any]) -> Sequential | None:
    """Return the stopping rule kept with a match; None for a fixed number of blocks, which is ``{}``. A new match that
    does not say which has ``ThreeAnswers``.

    Raises:
        StoppingError: it is neither.
    """
    if not data:
        return None
    name = data.get("rule", ThreeAnswers.RULE)
    if not isinstance(name, str) or name not in RULES:
        raise StoppingError("rule", name, ", ".join(RULES))
    return RULES[name].from_dict(data)


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
