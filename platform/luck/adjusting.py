"""Results less their luck, over many blocks: the same mean, with less noise.

A block's adjusted share is its share less beta times its luck. Because luck has the mean zero whatever beta is, as long
as beta does not depend on the block's own luck, the expectation stays; so beta is fitted on the other half of the
blocks (cross-fitting). With few blocks, or where luck explains nothing, it is 0: then nothing is adjusted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

BLOCKS_LEAST: Final = 20  # from so many blocks on there is an adjusted share
NORMAL: Final = 1.959963984540054  # half of a 95 % interval, in standard errors
# The same where these are estimated: Student's t by degrees of freedom from 1 on.
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)


@dataclass(frozen=True, slots=True)
class Adjusted:
    """A share of opponents beaten, with the half width of its 95 % interval: raw, and with its luck taken off.

    ``luck`` is the mean luck of a game; all are shares. ``betas``: of the even and of the odd blocks.
    """

    blocks: int
    raw: float
    raw_half: float
    share: float
    half: float
    luck: float
    betas: tuple[float, float]

    @property
    def raw_points(self) -> float:
        """In points of a hundred, as the others below."""
        return 100 * self.raw

    @property
    def raw_half_points(self) -> float:
        return 100 * self.raw_half

    @property
    def points(self) -> float:
        return 100 * self.share

    @property
    def half_points(self) -> float:
        return 100 * self.half

    @property
    def luck_points(self) -> float:
        return 100 * self.luck

    @property
    def saved(self) -> float:
        """So many times as many games would tell as much without the adjustment."""
        return (self.raw_half / self.half) ** 2 if self.half else 1.0


def adjusted(shares: Sequence[float], luck: Sequence[float]) -> Adjusted | None:
    """Return the adjusted mean of blocks that are independent of each other, by the ``shares`` and the ``luck`` of
    each; None for fewer than ``BLOCKS_LEAST``. The interval is that of a mean, by Student's distribution.
    """
    if len(shares) < BLOCKS_LEAST:
        return None
    less, betas = cross_fitted(shares, luck)
    raw, raw_half = _mean(shares)
    share, half = _mean(less)
    return Adjusted(len(shares), raw, raw_half, share, half, sum(luck) / len(luck), betas)


def cross_fitted(shares: Sequence[float], luck: Sequence[float]) -> tuple[list[float], tuple[float, float]]:
    """Return the shares less beta times the luck; and beta of the even and of the odd blocks, each fitted on the
    others.

    >>> luck = [0.1, -0.1, 0.3, -0.3]
    >>> shares = [0.5 + one for one in luck]  # nothing but luck
    >>> less, betas = cross_fitted(shares, luck)
    >>> [round(share, 6) for share in less], [round(beta, 6) for beta in betas]
    ([0.5, 0.5, 0.5, 0.5], [1.0, 1.0])
    """
    betas = (_beta(shares[1::2], luck[1::2]), _beta(shares[0::2], luck[0::2]))
    less = [share - betas[at % 2] * one for at, (share, one) in enumerate(zip(shares, luck, strict=True))]
    return less, betas


def _beta(shares: Sequence[float], luck: Sequence[float]) -> float:
    """Return the slope of the regression of shares on luck, from 0 to 1."""
    count = max(1, len(shares))
    share, mean = sum(shares) / count, sum(luck) / count
    spread = sum((one - mean) ** 2 for one in luck)
    if spread <= 0:
        return 0.0
    slope = sum((one - mean) * (own - share) for own, one in zip(shares, luck, strict=True)) / spread
    return float(min(1.0, max(0.0, slope)))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return float(mean), float(student(count - 1) * sqrt(variance / count))


def student(freedom: int) -> float:
    """Return half of a 95 % interval in standard errors that ``freedom`` values estimate: beyond ten of them by the
    first term of the expansion in 1 / freedom (Abramowitz and Stegun, 26.7.5)."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    return NORMAL + (NORMAL**3 + NORMAL) / (4 * freedom)
