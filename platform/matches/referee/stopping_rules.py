"""The stopping rules that there are, by the names under which matches store them.

Is the share of the first seat above a threshold? A sequential test whose error rates hold for every distribution.

A block gives the first seat a share x from 0 to 1. The question is whether its mean is above ``threshold``, t. For
each side the rule bets on it, as in I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random variables by
betting" (2024): with a difference d the stake is multiplied by 1 + d (x - t) / (t (1 - t)) in each block, which for
blocks won or lost is the likelihood ratio of the means t + d and t. Stakes are averaged over d = effect, 2 effect,
4 effect, and so on, with the falling weights of ``stopping.ThreeAnswers``.

If the mean is t or less, the stake on "above" is a supermartingale that begins with 1, whatever the distribution of
x: no variance is estimated. By Ville's inequality it ever reaches 2 / error with a chance of error / 2 at most, and
so it is with "below". 1 / (1 + d (x - t) / (t (1 - t))) is convex in x, so for a mean of t + effect its expectation
is 1 at most: the stake for ``effect`` alone falls to ``error`` with a chance of error at most, and only then is it
too close.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from math import exp, inf, log
from typing import Any, Final

from matches.referee.stopping import (
    FALLING,
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
