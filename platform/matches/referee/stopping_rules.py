"""All stopping rules by the names under which matches store them, and the rule ``AboveThreshold``.

``AboveThreshold`` tests whether the mean share x of the first seat in a block is above ``threshold``, t. Its error
rates hold for every distribution of x from 0 to 1.

The rule bets on "above" and on "below", as in I. Waudby-Smith and A. Ramdas, "Estimating means of bounded random
variables by betting" (2024). A stake begins with 1. For a difference d, the stake on "above" is multiplied after each
block by the factor 1 + d (x - t) / (t (1 - t)). If blocks are won or lost, this is the likelihood ratio of the means
t + d and t. The stakes are averaged over d = effect, 2 effect, 4 effect, and so on, with the decreasing weights of
``stopping.ThreeAnswers``. The stake on "below" is calculated in the same way, with 1 - x and 1 - t.

If the mean is at most t, the average stake on "above" is a supermartingale that begins with 1. This is true for every
distribution of x, so no variance has to be estimated. By Ville's inequality, the probability that this stake ever
reaches 2 / error is at most error / 2. The same is true of "below" if the mean is at least t.

A match is called too close only if, on both sides, the stake for d = effect alone falls to ``error``. Suppose that the
mean is t + effect. The inverse of the factor for d = effect is convex in x, so its expectation is at most 1. By the
same inequality, the probability that the stake on "above" falls to ``error`` is then at most error.
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
STAKED_MOST: Final = 0.95  # a block loses at most this part of a stake, so that no stake falls to 0


@dataclass(frozen=True)
class AboveThreshold(Sequential):
    """Decides whether the share of the first seat is above ``threshold`` (``StopReason.FIRST``) or below (``SECOND``).

    Each of these two answers is wrong in at most the share ``error`` / 2 of the matches.

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
        """Return the logarithm of the larger of the two mean stakes, on "above" and on "below"."""
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
        """Return the differences d of the stakes with their weights. The weights add up to 1."""
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


def stopping_rule_of(data: Mapping[str, Any]) -> Sequential | None:
    """Return the stopping rule stored with a match; None for ``{}``, which means a fixed number of blocks.

    If ``data`` names no rule, the rule is ``ThreeAnswers``.

    Raises:
        StoppingError: the rule or a parameter is unknown, or a parameter is out of bounds.
    """
    if not data:
        return None
    name = data.get("rule", ThreeAnswers.RULE)
    if not isinstance(name, str) or name not in RULES:
        raise StoppingError("rule", name, ", ".join(RULES))
    return RULES[name].from_dict(data)
