"""Simultaneous perturbation stochastic approximation (Spall 1992): tune all parameters at once.

In each step, two candidates on opposite sides of the current point play the same blocks. The point is moved towards the
better candidate, in proportion to the difference of their results. The gains and their exponents are Spall's. All
calculations use fractions of the parameters' ranges, so they do not depend on the units of a parameter. The result is
the mean of the points of the second half of the steps.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from statistics import fmean
from typing import Final

from luck.adjusted_mean import BLOCKS_LEAST, luck_adjusted_cross_fitted
from peck.parameters import Parameter

APART: Final = 0.15  # distance of a candidate from the point in the first step, as a fraction of the range
GAIN: Final = 0.25
FURTHEST: Final = 0.1  # the largest move in one step, as a fraction of the range
ALPHA: Final = 0.602
GAMMA: Final = 0.101
# The smallest distance of a candidate from the point for an integer, which keeps the two candidates apart.
WHOLE_APART: Final = 0.75


@dataclass(frozen=True, slots=True)
class CandidatePair:
    """Two candidates; values are by parameter."""

    plus: tuple[float, ...]
    minus: tuple[float, ...]


@dataclass(slots=True)
class Spsa:
    """A search with ``steps`` steps. ``points`` are fractions of the ranges; the first is the start."""

    parameters: Sequence[Parameter]
    steps: int
    seed: str
    points: list[tuple[float, ...]] = field(default_factory=list)
    _shares: list[float] = field(default_factory=list)
    _luck: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.points = [tuple(one.part(one.start) for one in self.parameters)]

    @property
    def step(self) -> int:
        """The number of finished steps."""
        return len(self.points) - 1

    @property
    def best(self) -> tuple[float, ...]:
        """The result of the search, by parameter: the mean of the points of the second half of the steps."""
        half = self.points[(len(self.points) + 1) // 2 :] or self.points
        return self._values([fmean(column) for column in zip(*half, strict=True)])

    def pair(self) -> CandidatePair:
        """Return the candidates of the next step."""
        signs = random.Random(f"{self.seed}/{self.step}")  # noqa: S311
        apart = APART / (self.step + 1) ** GAMMA
        sides: list[list[float]] = [[], []]
        for one, at in zip(self.parameters, self.points[-1], strict=True):
            far = max(apart, WHOLE_APART / (one.high - one.low)) if one.whole else apart
            sign = signs.choice((-far, far))
            for side, to in zip(sides, (at + sign, at - sign), strict=True):
                side.append(min(1.0, max(0.0, to)))
        return CandidatePair(*map(self._values, sides))

    def move(self, shares: Sequence[float], luck: Sequence[float]) -> None:
        """Move the point. ``shares`` are the results of the candidate ``plus`` against ``minus`` in each block, and
        ``luck`` is the luck of ``plus`` in each block.
        """
        pair, beta = self.pair(), self._beta()
        ahead = 2 * fmean(share - beta * own for share, own in zip(shares, luck, strict=True)) - 1
        gain = GAIN / (1 + self.step / (1 + self.steps / 10)) ** ALPHA
        moved = []
        for one, at, plus, minus in zip(self.parameters, self.points[-1], pair.plus, pair.minus, strict=True):
            apart = one.part(plus) - one.part(minus)
            by = gain * ahead / apart if apart else 0.0
            moved.append(min(1.0, max(0.0, at + min(FURTHEST, max(-FURTHEST, by)))))
        self.points.append(tuple(moved))
        self._shares.extend(shares)
        self._luck.extend(luck)

    def _beta(self) -> float:
        """Return the factor by which luck is multiplied before it is subtracted. It is fitted on earlier steps only, so
        it does not depend on the current step.
        """
        if len(self._shares) < BLOCKS_LEAST:
            return 1.0
        return fmean(luck_adjusted_cross_fitted(self._shares, self._luck)[1])

    def _values(self, parts: Sequence[float]) -> tuple[float, ...]:
        return tuple(one.at(part) for one, part in zip(self.parameters, parts, strict=True))


BARS: Final = "▁▂▃▄▅▆▇█"


def spsa_bars(parts: Sequence[float], most: int = 40) -> str:
    """Return numbers from 0 to 1 as a chart in one line with at most ``most`` characters.

    >>> spsa_bars([0, 0.5, 1])
    '▁▅█'
    """
    shown = islice(parts, 0, None, max(1, -(-len(parts) // most)))
    return "".join(BARS[min(len(BARS) - 1, int(one * len(BARS)))] for one in shown)
