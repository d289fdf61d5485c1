"""When a series of two seats may stop before its last block: as soon as it is decided who is better.

A block gives the first seat a share x of its two games, 0 to 1, one half where the bots split them. The question is
whether the mean of x is 1/2 + effect (the first is better) or 1/2 - effect (the second is). After each block the
generalised likelihood ratio of the two is taken in its normal approximation, equation (2.1) of M. Van den Bergh,
"A practical introduction to the GSPRT": n (s1 - s0) (2 m - s0 - s1) / (2 v), for n blocks of mean m and variance v.
The series ends when that leaves A. Wald's bounds, log(b / (1 - a)) to log((1 - b) / a), "Sequential tests of
statistical hypotheses" (1945), with a = b = error: the rule must not favour a seat.

What ``error`` promises: a bot that is worse by ``effect`` or more is called the better one in no larger share of
matches. Bots closer than that may be decided either way, or not at all within the match's blocks.

The variance is not known, and estimated as usual it breaks the promise: a lucky streak, of blocks that are all alike,
has none. So v is the **largest variance for these leads**: it is taken about one half, whatever the mean, and a block
won by a quarter counts as half a block won whole. Of blocks won, split or lost it is a quarter of those not split. It
is further taken as if PRIOR_BLOCKS that were not split had been played before, and nothing is decided in fewer than
LEAST_BLOCKS. So the promise is kept for all blocks that are won, split or lost, and for others as far as was looked:
the tests sum up everything that can happen in a series. Where no block is ever split it is Wald's theorem.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log
from typing import Any, ClassVar, Final, Self

LEAST_BLOCKS: Final = 8
PRIOR_BLOCKS: Final = 2
LARGEST_VARIANCE: Final = 0.25  # of a share: half of the blocks won whole, half lost
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {"effect": (0.01, 0.25), "error": (0.01, 0.25)}


class Ending(StrEnum):
    """How a sequential series ended."""

    FIRST = "first_better"
    SECOND = "second_better"
    UNDECIDED = "undecided"  # after the last block
    FORFEITED = "forfeited"  # a seat forfeited the match: there is nothing left to decide


class StoppingError(ValueError):
    """A stopping rule that does not exist, or a part of one out of bounds."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"stopping rule, {field}: {value!r:.60} is not allowed; allowed: {allowed}")
        self.field = field
        self.value = value
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class Sequential:
    """Stop when decided. ``effect``: how far from one half the share of the better bot is that must not be missed;
    ``error``: the share of matches in which it may be taken for the worse one.

    Raises:
        StoppingError: a number outside ``BOUNDS``.
    """

    RULE: ClassVar[str] = "gsprt/1"  # a change of the arithmetic is another rule: old matches keep theirs
    effect: float = 0.05
    error: float = 0.05

    def __post_init__(self) -> None:
        for field, (least, most) in BOUNDS.items():
            value = getattr(self, field)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not least <= value <= most:
                raise StoppingError(field, value, f"a number from {least} to {most}")

    def to_dict(self) -> dict[str, Any]:
        """As it is stored and announced."""
        return {"rule": self.RULE, "effect": self.effect, "error": self.error}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The rule that ``to_dict`` wrote; what is missing has its default.

        Raises:
            StoppingError: another rule, an unknown part, or a number out of bounds.
        """
        if (rule := data.get("rule", cls.RULE)) != cls.RULE:
            raise StoppingError("rule", rule, cls.RULE)
        numbers = {field: value for field, value in data.items() if field != "rule"}
        if unknown := numbers.keys() - BOUNDS.keys():
            raise StoppingError(min(unknown), numbers[min(unknown)], f"no such part; there are: {', '.join(BOUNDS)}")
        return cls(**numbers)

    @property
    def bound(self) -> float:
        """The log-likelihood ratio at which the first seat is called better; the second is at minus that."""
        return wald_bounds(self.error, self.error)[1]

    @property
    def least_blocks(self) -> int:
        """Nothing is decided in fewer, even where one bot wins them all."""
        return max(LEAST_BLOCKS, ceil(self.bound / (4 * self.effect)))

    def ratio(self, shares: Sequence[float]) -> float:
        """The log-likelihood ratio after blocks with these shares of the first seat; above 0 speaks for it.

        Exactly opposite for the shares of the second seat.
        """
        if not shares:
            return 0.0
        leads = [share - 0.5 for share in shares]  # exact: shares are quarters
        largest = sum(map(abs, leads)) / 2 + PRIOR_BLOCKS * LARGEST_VARIANCE
        variance = largest / (len(leads) + PRIOR_BLOCKS)
        return log_likelihood_ratio(len(leads), sum(leads) / len(leads), variance, -self.effect, self.effect)

    def decision(self, shares: Sequence[float]) -> Ending | None:
        """Who is better, by the blocks so far; None while that is open."""
        if len(shares) < LEAST_BLOCKS:
            return None
        ratio = self.ratio(shares)
        if abs(ratio) < self.bound:
            return None
        return Ending.FIRST if ratio > 0 else Ending.SECOND


def rule_of(data: Mapping[str, Any]) -> Sequential | None:
    """The stopping rule kept with a match; None for a fixed number of blocks, which is ``{}``.

    Raises:
        StoppingError: it is neither.
    """
    return Sequential.from_dict(data) if data else None


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """The log-likelihood ratios between which a sequential test goes on: below accept H0, above accept H1.

    ``alpha`` is the chance of accepting H1 under H0, ``beta`` of accepting H0 under H1.
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def log_likelihood_ratio(count: int, mean: float, variance: float, low: float, high: float) -> float:
    """Of the true mean being ``high`` against its being ``low``, by ``count`` observations: Van den Bergh's (2.1)."""
    return count * (high - low) * (2 * mean - (low + high)) / (2 * variance)
