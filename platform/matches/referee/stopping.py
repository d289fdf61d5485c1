"""When a series of two seats may stop before its last block: as soon as one of its answers is safe.

A block gives the first seat a share x of its two games, 0 to 1, one half where the bots split them. A rule looks at the
mean of x, through the likelihood ratio of two means in its normal approximation, equation (2.1) of M. Van den Bergh,
"A practical introduction to the GSPRT": n (s1 - s0) (2 m - s0 - s1) / (2 v), for n blocks of mean m and variance v.

``ThreeAnswers``, gsprt/2, is the rule of new matches. The question is whether the seats are equal, of mean 1/2, or one
is better by ``effect`` or more. For each seat the ratio of 1/2 + d to 1/2 is averaged over d = effect, 2 effect, 4
effect, and so on up to 1/2, with falling weights: a mixture (H. Robbins, "Statistical methods related to the law of the
iterated logarithm", 1970), so that bots far apart need not play on until ``effect`` itself is shown. The seat that
leads has the higher average. The three answers, as of M. Sobel and A. Wald, "A sequential decision procedure for
choosing one of three hypotheses concerning the unknown mean of a normal distribution" (1949), are:

- that seat is better, once its average reaches 2 / error. While the seats are equal the average is a martingale of mean
  1, and by Ville's inequality (1939) it ever comes so far with a chance of error / 2 at most, for each of two seats;
- too close to call, once it falls to error times the first weight: then the ratio for ``effect`` alone is error or less
  for either seat, which by the same inequality happens to a bot better by ``effect`` with a chance of error at most;
- not decided, if neither has come by the last block.

So ``error`` promises two things: of matches of equals one is called better in no larger share, and of matches of bots
that are apart by ``effect`` or more no larger share is called too close.

``ThreeAnswersLessLuck``, gsprt/3, asks the same of shares less their luck, where the game has a value that tells it
(see ``luck``): a block counts for x - beta * luck, with the slope beta of the blocks before it, from 0 to 1. Luck has
the mean zero whatever beta is, as long as beta does not depend on the block; so of equals the mean still is 1/2, and
what remains varies much less. v is then the mean square of what remains: where luck explains nothing, and a block is
won, split or lost, the rule is gsprt/2.

``TwoAnswers``, gsprt/1, is that of matches made before. The question is only whether the mean is 1/2 + effect or
1/2 - effect. The series ends when the ratio leaves Wald's bounds, log(b / (1 - a)) to log((1 - b) / a), "Sequential
tests of statistical hypotheses" (1945), with a = b = error. A bot that is worse by ``effect`` or more is called the
better one in no larger share of matches; equals are nearly always called one or the other.

The variance is not known, and estimated as usual it breaks these promises: a lucky streak, of blocks that are all
alike, has none. So v is the **largest variance for these leads**: it is taken about one half, whatever the mean, and a
block won by a quarter counts as half a block won whole. Of blocks won, split or lost it is a quarter of those not
split. It is further taken as if some blocks that were not split had been played before, and nothing is decided in fewer
than LEAST_BLOCKS. So the promises are kept for all blocks that are won, split or lost, and for others as far as was
looked: the tests sum up everything that can happen in a series.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from itertools import count
from math import ceil, exp, log
from typing import Any, ClassVar, Final, Self

LEAST_BLOCKS: Final = 8
FALLING: Final = 1 / 3  # the weight of each difference, as a part of that of half the difference
LARGEST_VARIANCE: Final = 0.25  # of a share: half of the blocks won whole, half lost
BETA_BLOCKS: Final = 4  # a slope is fitted to so many blocks at least
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {"effect": (0.01, 0.25), "error": (0.01, 0.25)}


class StopReason(StrEnum):
    """How a sequential series ended."""

    FIRST = "first_better"
    SECOND = "second_better"
    TOO_CLOSE = "too_close"
    UNDECIDED = "undecided"  # after the last block
    FORFEITED = "forfeited"  # a seat forfeited the match: there is nothing left to decide


class StoppingError(ValueError):
    """A stopping rule that does not exist, or a part of one out of bounds."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"stopping rule, {field}: {value!r:.60} is not allowed; allowed: {allowed}")
        self.field = field
        self.value = value
        self.allowed = allowed


@dataclass(frozen=True)
class Sequential(ABC):
    """Stop when decided. ``effect``: how far from one half the share of the better bot is that must not be missed;
    ``error``: how often an answer may be wrong, as the module says of each rule.

    Raises:
        StoppingError: a number outside ``BOUNDS``.
    """

    RULE: ClassVar[str]  # a change of the arithmetic is another rule: old matches keep theirs
    PRIOR_BLOCKS: ClassVar[int]  # not split, as if played before
    effect: float = 0.05
    error: float = 0.05

    def __post_init__(self) -> None:
        for field, (least, most) in BOUNDS.items():
            value = getattr(self, field)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not least <= value <= most:
                raise StoppingError(field, value, f"a number from {least} to {most}")

    def to_dict(self) -> dict[str, Any]:
        """Return it as it is stored and announced."""
        return {"rule": self.RULE, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the rule that ``to_dict`` wrote; what is missing has its default.

        Raises:
            StoppingError: another rule, an unknown part, or a number out of bounds.
        """
        if (rule := data.get("rule", cls.RULE)) != cls.RULE:
            raise StoppingError("rule", rule, cls.RULE)
        given = {name: value for name, value in data.items() if name != "rule"}
        parts = [field.name for field in fields(cls)]
        if unknown := given.keys() - parts:
            raise StoppingError(min(unknown), given[min(unknown)], f"no such part; there are: {', '.join(parts)}")
        return cls(**given)

    @property
    def luck_value(self) -> str:
        """The id of the value by which luck is taken off; "" where it is not."""
        return ""

    def counted(self, shares: Sequence[float], luck: Sequence[float]) -> Sequence[float]:
        """Return what blocks with these shares and this luck of the first seat count for: see ``decision``."""
        return shares

    @property
    @abstractmethod
    def bound(self) -> float:
        """The log-likelihood ratio at which a seat is called better."""

    @property
    @abstractmethod
    def least_blocks(self) -> int:
        """Nobody is called better in fewer, even where one bot wins them all."""

    @abstractmethod
    def ratio(self, shares: Sequence[float]) -> float:
        """Return the log-likelihood ratio after blocks with these shares of the first seat."""

    @abstractmethod
    def decision(self, shares: Sequence[float]) -> StopReason | None:
        """Return the answer, by the blocks so far; None while that is open."""

    def _variance(self, sizes: float, blocks: int) -> float:
        """Return the largest of a block's share, by the sum of the sizes of the leads."""
        return (sizes / 2 + self.PRIOR_BLOCKS * LARGEST_VARIANCE) / (blocks + self.PRIOR_BLOCKS)


class TwoAnswers(Sequential):
    """Who is better, never that nobody is. Its ratio is above 0 where that seems to be the first seat, and exactly
    opposite for the shares of the second."""

    RULE = "gsprt/1"
    PRIOR_BLOCKS = 2

    @property
    def bound(self) -> float:
        return wald_bounds(self.error, self.error)[1]

    @property
    def least_blocks(self) -> int:
        return max(LEAST_BLOCKS, ceil(self.bound / (4 * self.effect)))

    def ratio(self, shares: Sequence[float]) -> float:
        if not shares:
            return 0.0
        leads = [share - 0.5 for share in shares]  # exact: shares are quarters
        variance = self._variance(sum(map(abs, leads)), len(leads))
        return log_likelihood_ratio(len(leads), sum(leads) / len(leads), variance, -self.effect, self.effect)

    def decision(self, shares: Sequence[float]) -> StopReason | None:
        if len(shares) < LEAST_BLOCKS:
            return None
        ratio = self.ratio(shares)
        if abs(ratio) < self.bound:
            return None
        return StopReason.FIRST if ratio > 0 else StopReason.SECOND


class ThreeAnswers(Sequential):
    """Who is better, or that it is too close to call. Its ratio is that of the seat that leads, whichever that is:
    better, on the average of ``alternatives``, against equal."""

    RULE = "gsprt/2"
    PRIOR_BLOCKS = 4

    @property
    def alternatives(self) -> dict[float, float]:
        """The differences that are looked for, each with its weight; the weights add up to 1."""
        effects = [self.effect]
        while effects[-1] <= 0.25:
            effects.append(2 * effects[-1])
        total = sum(FALLING**place for place in range(len(effects)))
        return {effect: FALLING**place / total for place, effect in enumerate(effects)}

    @property
    def bound(self) -> float:
        return log(2 / self.error)

    @property
    def close_bound(self) -> float:
        """The log-likelihood ratio at which it is too close to call."""
        return log(self.error * self.alternatives[self.effect])

    @property
    def least_blocks(self) -> int:
        return next(n for n in count(LEAST_BLOCKS) if self.ratio_of(n, n / 2, n / 2) >= self.bound)

    def ratio(self, shares: Sequence[float]) -> float:
        leads = [share - 0.5 for share in shares]  # exact: shares are quarters
        return self.ratio_of(len(leads), sum(leads), sum(map(abs, leads)))

    def ratio_of(self, blocks: int, lead: float, sizes: float) -> float:
        """Return the same from all that it depends on: the sum of the leads, of either seat, and that of their
        sizes.
        """
        if not blocks:
            return 0.0
        mean, variance = 0.5 + abs(lead) / blocks, self._variance(sizes, blocks)
        terms = [
            log(weight) + log_likelihood_ratio(blocks, mean, variance, 0.5, 0.5 + effect)
            for effect, weight in self.alternatives.items()
        ]
        return max(terms) + log(sum(exp(term - max(terms)) for term in terms))

    def decision(self, shares: Sequence[float]) -> StopReason | None:
        if len(shares) < LEAST_BLOCKS:
            return None
        ratio = self.ratio(shares)
        if ratio <= self.close_bound:
            return StopReason.TOO_CLOSE
        if ratio < self.bound:
            return None
        return StopReason.FIRST if sum(shares) > len(shares) / 2 else StopReason.SECOND


@dataclass(frozen=True)
class ThreeAnswersLessLuck(ThreeAnswers):
    """``ThreeAnswers`` of what is left of shares when their luck is taken off. ``value``: the id of what tells it."""

    RULE = "gsprt/3"
    value: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.value, str) or not self.value:
            raise StoppingError("value", self.value, "the id of the game's value, such as a ruleset's id and -v1")

    @property
    def luck_value(self) -> str:
        return self.value

    def counted(self, shares: Sequence[float], luck: Sequence[float]) -> Sequence[float]:
        counted = []
        products = squares = 0.0
        for at, (share, one) in enumerate(zip(shares, luck, strict=True)):
            beta = min(1.0, max(0.0, products / squares)) if at >= BETA_BLOCKS and squares else 0.0
            counted.append(share - beta * one)
            products += (share - 0.5) * one
            squares += one * one
        return counted

    def ratio(self, shares: Sequence[float]) -> float:
        leads = [share - 0.5 for share in shares]
        return self.ratio_of(len(leads), sum(leads), 2 * sum(lead * lead for lead in leads))


def wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the log-likelihood ratios between which a sequential test goes on: below accept H0, above accept H1.

    ``alpha`` is the chance of accepting H1 under H0, ``beta`` of accepting H0 under H1.

    >>> [round(bound, 3) for bound in wald_bounds(alpha=0.05, beta=0.05)]
    [-2.944, 2.944]
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def log_likelihood_ratio(count: int, mean: float, variance: float, low: float, high: float) -> float:
    """Return it of the true mean being ``high`` against its being ``low``, by ``count`` observations: Van den Bergh's
    (2.1).
    """
    return count * (high - low) * (2 * mean - (low + high)) / (2 * variance)
