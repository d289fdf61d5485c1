"""Luck-adjusted results over many blocks: the same mean with less noise.

The adjusted share of a block is its share minus beta times its luck. The mean of luck is zero. So the adjustment does
not change the expected share, provided that beta does not depend on the luck of the same block. Therefore beta for one
half of the blocks is fitted on the other half (cross-fitting). If luck explains nothing, beta is about 0, and hardly
anything is adjusted.

A value may have further moments of luck (``luck.shares``). Their means are also zero, so a multiple of each moment is
subtracted, too. Few blocks are not enough to estimate these multiples. So the adjustment is shrunk in two ways towards
the adjustment by beta alone. A ridge acts like a prior of the multiples with a standard deviation of about one. James
and Stein's factor removes what chance alone would explain.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from operator import mul
from typing import Final, TypeAlias

BLOCKS_LEAST: Final = 20  # smallest number of blocks for an adjusted share
NORMAL: Final = 1.959963984540054  # half the width of a 95 % interval, in standard errors
# Half the width of a 95 % interval, in estimated standard errors, by Student's t: for 1, 2, 3, ... degrees of freedom
_STUDENT: Final = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)

CHANCE_ALONE: Final = 1.5  # further moments must explain more than this multiple of what they explain by chance
SOLVABLE: Final = 1e-9  # added to the ridge, so that moments that are multiples of each other have a solution
Column: TypeAlias = Sequence[float]  # a number for each block


@dataclass(frozen=True, slots=True)
class Adjusted:
    """The share of opponents that a seat beat, before and after the adjustment. All values are shares.

    ``raw`` is the share before the adjustment, ``share`` the share after it. ``raw_half`` and ``half`` are half the
    widths of their 95 % intervals. ``luck`` is the mean luck of a game. ``betas`` are beta for the even and for the odd
    blocks.
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
        """The raw share in percentage points. The other ``*_points`` are also in percentage points."""
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
        """The number of unadjusted games that are as precise as one adjusted game."""
        return (self.raw_half / self.half) ** 2 if self.half else 1.0


def luck_adjusted_mean(shares: Column, luck: Column, *moments: Column) -> Adjusted | None:
    """Return the adjusted mean of independent blocks, from their ``shares``, ``luck`` and further ``moments`` of luck.

    Return None for fewer than ``BLOCKS_LEAST`` blocks. The interval of the mean is by Student's distribution.
    """
    if len(shares) < BLOCKS_LEAST:
        return None
    less, betas = luck_adjusted_cross_fitted(shares, luck, *moments)
    raw, raw_half = _mean(shares)
    share, half = _mean(less)
    return Adjusted(len(shares), raw, raw_half, share, half, sum(luck) / len(luck), betas)


def luck_adjusted_cross_fitted(
    shares: Column, luck: Column, *moments: Column
) -> tuple[list[float], tuple[float, float]]:
    """Return the adjusted share of each block, and beta for the even and for the odd blocks.

    Beta for the even blocks is fitted on the odd blocks, and beta for the odd blocks on the even blocks.

    >>> luck = [0.1, -0.1, 0.3, -0.3]
    >>> shares = [0.5 + one for one in luck]  # nothing but luck
    >>> less, betas = luck_adjusted_cross_fitted(shares, luck)
    >>> [round(share, 6) for share in less], [round(beta, 6) for beta in betas]
    ([0.5, 0.5, 0.5, 0.5], [1.0, 1.0])
    """
    columns = (luck, *moments)
    even, odd = (_factors(shares[half::2], [one[half::2] for one in columns]) for half in (1, 0))
    known = zip(shares, zip(*columns, strict=True), strict=True)
    less = [share - sum(map(mul, (even, odd)[at % 2], own)) for at, (share, own) in enumerate(known)]
    return less, (even[0], odd[0])


def _factors(shares: Column, columns: Sequence[Column]) -> list[float]:
    """Return a factor for each column. The adjustment subtracts each column times its factor from the shares.

    The first column is luck. Its factor is beta, from 0 to 1, and the other factors are 0. Then a shrunk correction is
    added to all factors.
    """
    won, luck = _centred(shares), [_centred(one) for one in columns]
    beta = [_beta(won, luck[0]), *[0.0] * (len(luck) - 1)]
    freedom = len(won) - len(luck) - 3
    if len(luck) == 1 or freedom < 1:
        return beta
    rest = [own - beta[0] * one for own, one in zip(won, luck[0], strict=True)]
    before = _inner(rest, rest)
    ridge = before / (len(won) - 2) + SOLVABLE
    rows = [[_inner(one, other) + ridge * (one is other) for other in luck] + [_inner(one, rest)] for one in luck]
    more = _solved(rows)
    left = [own - sum(map(mul, more, of)) for own, of in zip(rest, zip(*luck, strict=True), strict=True)]
    after = _inner(left, left)
    chance = CHANCE_ALONE * after * (len(luck) - 1) / freedom
    believed = 1 - chance / (before - after) if before - after > chance else 0.0
    return [one + believed * other for one, other in zip(beta, more, strict=True)]


def _solved(rows: list[list[float]]) -> list[float]:
    """Solve symmetric, positive definite linear equations by elimination. The right-hand side is the last column."""
    for at, row in enumerate(rows):
        for below in rows[at + 1 :]:
            times = below[at] / row[at]
            below[at:] = [one - times * own for one, own in zip(below[at:], row[at:], strict=True)]
    found: list[float] = []  # in reverse order
    for at, row in reversed(list(enumerate(rows))):
        known = sum(map(mul, row[at + 1 : -1], reversed(found)))
        found.append((row[-1] - known) / row[at])
    return found[::-1]


def _beta(won: Column, luck: Column) -> float:
    """Return the slope of the regression of one centred column on another, from 0 to 1."""
    spread = sum(one**2 for one in luck)
    return float(min(1.0, max(0.0, _inner(luck, won) / spread))) if spread > 0 else 0.0


def _centred(values: Column) -> list[float]:
    mean = sum(values) / max(1, len(values))
    return [value - mean for value in values]


def _inner(one: Column, other: Column) -> float:
    return float(sum(map(mul, one, other)))


def _mean(values: Sequence[float]) -> tuple[float, float]:
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return float(mean), float(luck_adjusted_half_width(count - 1) * sqrt(variance / count))


def luck_adjusted_half_width(freedom: int) -> float:
    """Return half the width of a 95 % interval, in standard errors estimated with ``freedom`` degrees of freedom.

    Beyond ten degrees, the result has the first term of the expansion in 1 / freedom (Abramowitz and Stegun, 26.7.5).
    """
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    return NORMAL + (NORMAL**3 + NORMAL) / (4 * freedom)
