"""Ranks of bots whose strengths are uncertain, with intervals, and the bars that display them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from ratings.fitted_ratings import Ratings
from ratings.games import Ints
from ratings.scale import Z_95

DIGITS: Final = 9  # decimals of logits
WIDTH: Final = 120.0
VAGUE: Final = 200.0  # displayed points; longer halves of intervals do not widen the scale of bars


@dataclass(frozen=True, slots=True)
class Rank:
    """The rank of an entrant. The true rank is between ``low`` and ``high`` in at least 95 of 100 cases.

    ``low`` is 1 plus the number of entrants that are better with 97.5 % certainty. ``high`` is the number of all
    entrants minus the number of those that are worse with 97.5 % certainty. ``shared`` is the rank that is shown: the
    largest ``low`` among the entrant and all entrants with a higher rating.
    """

    entrant: int
    shared: int
    low: int
    high: int


def rating_ranks(ratings: Ratings) -> tuple[Rank, ...]:
    """Return all ranks, from the highest rating to the lowest. Equal ratings are ordered by number.

    Ratings are rounded to ``DIGITS``, because two fits of the same games differ in the last digits.
    """
    order = np.lexsort((ratings.entrants, -np.round(ratings.mean, DIGITS)))
    low, high = _bounds(ratings)
    shared = np.maximum.accumulate(low[order])
    return tuple(
        Rank(*one)
        for one in zip(
            ratings.entrants[order].tolist(), shared.tolist(), low[order].tolist(), high[order].tolist(), strict=True
        )
    )


def _bounds(ratings: Ratings) -> tuple[Ints, Ints]:
    """Return the lower and the upper ends of all rank intervals, shape (n,) each.

    A bot leads another bot if the difference of their ratings exceeds 1.96 standard errors. Bots of different groups
    cannot be compared, so neither of them leads.
    """
    mean, group = ratings.mean, ratings.groups()
    low, high = np.ones(len(mean), dtype=np.int64), np.full(len(mean), len(mean))
    for rows, variance in ratings.known.against_all():
        leads = mean[rows, None] - mean > Z_95 * np.sqrt(variance)
        leads &= group[rows, None] == group
        low += leads.sum(axis=0)
        high[rows] -= leads.sum(axis=1)
    return low, high


class Interval(Protocol):
    """A rating in displayed points with its interval from ``low`` to ``high``.

    ``within`` is half the width of the interval.
    """

    @property
    def points(self) -> float: ...
    @property
    def within(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Bar:
    """A rating and its 95 % interval, in units of a line of length ``WIDTH``.

    If the interval does not fit on the line, the bar is cut: ``goes_on_below`` and ``goes_on_above`` say at which end.
    """

    start: float
    middle: float
    end: float
    goes_on_below: bool = False
    goes_on_above: bool = False

    @property
    def width(self) -> float:
        return round(self.end - self.start, 1)


def rank_bars(ratings: Sequence[Interval]) -> tuple[Bar, ...]:
    """Return a bar for each rating, on a common scale.

    If half the width of an interval exceeds 200 points, only 200 points count for the scale, so that the interval does
    not compress the others.
    """
    ends = [(one.points, min(one.within, VAGUE)) for one in ratings]
    least = min((points - within for points, within in ends), default=0.0)
    most = max((points + within for points, within in ends), default=1.0)
    scale = WIDTH / max(most - least, 1.0)

    def place(points: float) -> float:
        return round(min(max((points - least) * scale, 0.0), WIDTH), 1)

    return tuple(
        Bar(place(one.low), place(one.points), place(one.high), one.low < least, one.high > most) for one in ratings
    )
