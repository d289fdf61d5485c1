"""Ranks and intervals of bots whose strengths are known only within errors, and the bars that draw them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from ratings.games import Ints
from ratings.rated import Ratings
from ratings.scale import Z_95

DIGITS: Final = 9  # behind the point, of logits
WIDTH: Final = 120.0
VAGUE: Final = 200.0  # displayed points


@dataclass(frozen=True, slots=True)
class Rank:
    """``low``: 1 and one more for everyone who is better with 97.5 % certainty; ``high``: the last place, and one less
    for everyone who is worse with 97.5 % certainty: between them the true rank lies in at least 95 of 100 cases.
    ``shared``, between them too: ``low``, but never a better rank than that of someone with higher rating."""

    entrant: int
    shared: int
    low: int
    high: int


def ranks(ratings: Ratings) -> tuple[Rank, ...]:
    """Return everyone's rank, from the highest rating to the lowest; equal ratings by number. Equal are those that
    agree to ``DIGITS``: two fits of the same games differ in the last ones.
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
    """Return everyone's interval, shape (n,) each. A bot leads another by more than 1.96 standard errors of the
    difference; nobody leads one of another group, with which it cannot be compared.
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
    """A rating in displayed points, ``within`` so many of them either way: between ``low`` and ``high``."""

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
    """A 95 % interval and the rating in it, in units of a line ``WIDTH`` long."""

    start: float
    middle: float
    end: float

    @property
    def width(self) -> float:
        return round(self.end - self.start, 1)


def bars(ratings: Sequence[Interval]) -> tuple[Bar, ...]:
    """Return a bar for each, on a scale that holds them all. An interval of more than 200 points either way must not
    squeeze the others: it is cut at the ends of the line.
    """
    ends = [(one.points, min(one.within, VAGUE)) for one in ratings]
    least = min((points - within for points, within in ends), default=0.0)
    most = max((points + within for points, within in ends), default=1.0)
    scale = WIDTH / max(most - least, 1.0)

    def place(points: float) -> float:
        return round(min(max((points - least) * scale, 0.0), WIDTH), 1)

    return tuple(Bar(place(one.low), place(one.points), place(one.high)) for one in ratings)
