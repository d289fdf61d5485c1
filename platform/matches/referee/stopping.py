"""Sequential stopping rules: a series of two seats may stop before its last block, once an answer is reliable.

The share x of a block is the mean share of the match's first seat in the two games of the block, from 0 to 1. It is one
half if the bots split the block. The lead of the first seat in a block is x - 1/2. A rule compares two possible means
of x, s0 and s1, by their likelihood ratio in the normal approximation: equation (2.1) of M. Van den Bergh, "A practical
introduction to the GSPRT". After n blocks with mean m and variance v, the logarithm of the ratio is
n (s1 - s0) (2 m - s0 - s1) / (2 v).

``ThreeAnswers``, gsprt/2, is the default rule of new matches. It tests whether the seats are equal, so that the mean of
x is 1/2, or whether one seat is better by ``effect`` or more. For each seat, it computes the ratio of the means 1/2 + d
and 1/2 for several differences d: effect, 2 effect, 4 effect, and so on up to 1/2. It averages these ratios, with
weights that decrease with d. If one bot is much better, such a mixture (H. Robbins, "Statistical methods related to the
law of the iterated logarithm", 1970) shows this in fewer blocks than the ratio for ``effect`` alone. The leading seat
is the seat with the higher average. There are three answers, as in M. Sobel and A. Wald, "A sequential decision
procedure for choosing one of three hypotheses concerning the unknown mean of a normal distribution" (1949):

- The leading seat is better, if its average reaches 2 / error. If the seats are equal, the average is a martingale with
  mean 1. By Ville's inequality (1939), the probability that it ever reaches 2 / error is then at most error / 2, for
  each of the two seats.
- The match is too close to call, if the average of the leading seat falls to error times the weight of d = effect.
  Then, for both seats, the ratio for ``effect`` alone is at most error. If one of the bots is better by ``effect``, the
  probability of this is at most error, by the same inequality.
- The match is not decided, if neither happens by the last block.

So ``error`` bounds two rates. If bots are equal, one of them is called better in at most this share of their matches.
If bots differ by ``effect`` or more, at most this share of their matches is called too close.

``ThreeAnswersLessLuck``, gsprt/3, applies the same test to shares from which luck is subtracted. The game must have a
value that measures luck (see ``luck``). A block counts as x - beta * luck. The slope beta, from 0 to 1, is fitted to
the blocks before it. The mean of luck is zero, and beta does not depend on the luck of the block itself. So the mean of
beta * luck is zero, too. Therefore equal bots still have a mean of 1/2, but the variance is much smaller. With this
rule, v is the mean square of the leads after the subtraction. If luck explains nothing, and blocks are won, split or
lost, the rule equals gsprt/2.

``TwoAnswers``, gsprt/1, is the rule of older matches. It only tests whether the mean is 1/2 + effect or 1/2 - effect.
The series ends when the logarithm of the ratio leaves the range from log(b / (1 - a)) to log((1 - b) / a), where both a
and b are ``error``. These are the bounds of A. Wald, "Sequential tests of statistical hypotheses" (1945). A bot that is
worse by ``effect`` or more is called better in at most a share of ``error`` of the matches. If the bots are equal, one
of them is nearly always called better.

The variance of x is not known. The usual estimate would break the bounds on errors, because it is zero after a lucky
streak of equal blocks. So v is the **largest variance that is possible with these leads**. It is the variance about one
half, whatever the mean. A lead of a quarter adds half as much to it as a lead of one half. If blocks are won, split or
lost, v is a quarter of the share of blocks that are not split. In addition, some unsplit blocks are assumed to have
been played before (``PRIOR_BLOCKS``), and nothing is decided in fewer than ``LEAST_BLOCKS`` blocks. With this variance,
the bounds hold for all series of blocks that are won, split or lost. They also hold for all other series that were
examined: the tests sum over everything that can happen in a series.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from itertools import count
from math import ceil, exp, log
from typing import Any, ClassVar, Final, Self

LEAST_BLOCKS: Final = 8
FALLING: Final = 1 / 3  # the weight of a difference, relative to the weight of half this difference
LARGEST_VARIANCE: Final = 0.25  # variance of a share, if half of the blocks are won completely and half are lost
BETA_BLOCKS: Final = 4  # the least number of blocks to which a slope is fitted
BOUNDS: Final[Mapping[str, tuple[float, float]]] = {"effect": (0.01, 0.25), "error": (0.01, 0.25)}


class StopReason(StrEnum):
    """How a sequential series ended."""

    FIRST = "first_better"
    SECOND = "second_better"
    TOO_CLOSE = "too_close"
    UNDECIDED = "undecided"  # after the last block
    FORFEITED = "forfeited"  # a seat forfeited the match, so nothing is left to decide


class StoppingError(ValueError):
    """Raised for an unknown stopping rule, and for a parameter of a rule that is unknown or out of bounds."""

    def __init__(self, field: str, value: object, allowed: str) -> None:
        super().__init__(f"stopping rule, {field}: {value!r:.60} is not allowed; allowed: {allowed}")
        self.field = field
        self.value = value
        self.allowed = allowed


@dataclass(frozen=True)
class Sequential(ABC):
    """A rule that stops a series once it is decided.

    ``effect`` is the lead that should be detected: how far the share of the better bot is above one half. ``error`` is
    the largest rate of wrong answers. The docstring of the module says for each rule what a wrong answer is.

    Raises:
        StoppingError: a number outside ``BOUNDS``.
    """

    RULE: ClassVar[str]  # old matches keep their rule, so a change of the arithmetic needs a new name
    PRIOR_BLOCKS: ClassVar[int]  # unsplit blocks that are assumed to have been played before
    effect: float = 0.05
    error: float = 0.05

    def __post_init__(self) -> None:
        for field, (least, most) in BOUNDS.items():
            value = getattr(self, field)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not least <= value <= most:
                raise StoppingError(field, value, f"a number from {least} to {most}")

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as it is stored and published."""
        return {"rule": self.RULE, **asdict(self)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the rule that ``to_dict`` wrote. A missing parameter has its default.

        Raises:
            StoppingError: another rule, an unknown parameter, or a number out of bounds.
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
        """The id of the value that measures the luck to subtract; "" if no luck is subtracted."""
        return ""

    def counted(self, shares: Sequence[float], luck: Sequence[float]) -> Sequence[float]:
        """Return the shares for ``ratio`` and ``decision``, from the ``shares`` and the ``luck`` of the first seat."""
        return shares

    @property
    @abstractmethod
    def bound(self) -> float:
        """The log-likelihood ratio at which a seat is called better."""

    @property
    @abstractmethod
    def least_blocks(self) -> int:
        """The number of blocks after which a bot that has won all of them is called better."""

    @abstractmethod
    def ratio(self, shares: Sequence[float]) -> float:
        """Return the log-likelihood ratio after blocks in which the first seat had these ``shares``."""

    @abstractmethod
    def decision(self, shares: Sequence[float]) -> StopReason | None:
        """Return the answer after blocks with these ``shares`` of the first seat; None while there is no answer."""

    def _variance(self, sizes: float, blocks: int) -> float:
        """Return the largest possible variance of a block's share. ``sizes`` is the sum of the absolute leads."""
        return (sizes / 2 + self.PRIOR_BLOCKS * LARGEST_VARIANCE) / (blocks + self.PRIOR_BLOCKS)


class TwoAnswers(Sequential):
    """Decides which seat is better, never that they are equal.

    The ratio is positive if the first seat seems to be better, and negative if the second seat does.
    """

    RULE = "gsprt/1"
    PRIOR_BLOCKS = 2

    @property
    def bound(self) -> float:
        return stopping_wald_bounds(self.error, self.error)[1]

    @property
    def least_blocks(self) -> int:
        return max(LEAST_BLOCKS, ceil(self.bound / (4 * self.effect)))

    def ratio(self, shares: Sequence[float]) -> float:
        if not shares:
            return 0.0
        leads = [share - 0.5 for share in shares]  # exact: shares are quarters
        variance = self._variance(sum(map(abs, leads)), len(leads))
        return stopping_log_likelihood_ratio(len(leads), sum(leads) / len(leads), variance, -self.effect, self.effect)

    def decision(self, shares: Sequence[float]) -> StopReason | None:
        if len(shares) < LEAST_BLOCKS:
            return None
        ratio = self.ratio(shares)
        if abs(ratio) < self.bound:
            return None
        return StopReason.FIRST if ratio > 0 else StopReason.SECOND


class ThreeAnswers(Sequential):
    """Decides which seat is better, or that the match is too close to call.

    The ratio compares "the leading seat is better", averaged over ``alternatives``, with "the seats are equal".
    """

    RULE = "gsprt/2"
    PRIOR_BLOCKS = 4

    @property
    def alternatives(self) -> dict[float, float]:
        """The differences d over which the ratio is averaged, with their weights. The weights add up to 1."""
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
        """The log-likelihood ratio at which the match is too close to call."""
        return log(self.error * self.alternatives[self.effect])

    @property
    def least_blocks(self) -> int:
        return next(n for n in count(LEAST_BLOCKS) if self.ratio_of(n, n / 2, n / 2) >= self.bound)

    def ratio(self, shares: Sequence[float]) -> float:
        leads = [share - 0.5 for share in shares]  # exact: shares are quarters
        return self.ratio_of(len(leads), sum(leads), sum(map(abs, leads)))

    def ratio_of(self, blocks: int, lead: float, sizes: float) -> float:
        """Return ``ratio`` for a number of blocks.

        ``lead`` is the sum of the leads of one of the seats, and ``sizes`` the sum of their absolute values.
        """
        if not blocks:
            return 0.0
        mean, variance = 0.5 + abs(lead) / blocks, self._variance(sizes, blocks)
        terms = [
            log(weight) + stopping_log_likelihood_ratio(blocks, mean, variance, 0.5, 0.5 + effect)
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
    """``ThreeAnswers`` for shares from which luck is subtracted.

    ``value`` is the id of the value that measures the luck.
    """

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


def stopping_wald_bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Return the two log-likelihood ratios between which a sequential test continues.

    Below the first, H0 is accepted. Above the second, H1 is accepted. ``alpha`` is the probability of accepting H1
    under H0, and ``beta`` the probability of accepting H0 under H1.

    >>> [round(bound, 3) for bound in stopping_wald_bounds(alpha=0.05, beta=0.05)]
    [-2.944, 2.944]
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)


def stopping_log_likelihood_ratio(count: int, mean: float, variance: float, low: float, high: float) -> float:
    """Return the log-likelihood ratio of the means ``high`` and ``low``.

    The ``count`` observations have this ``mean`` and ``variance``. This is equation (2.1) of Van den Bergh.
    """
    return count * (high - low) * (2 * mean - (low + high)) / (2 * variance)
