"""Ratings: strengths with their standard errors and intervals, and differences between two of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Final, Self

import numpy as np

from ratings.covariances import Covariance
from ratings.games import Floats, Ints
from ratings.profiles import Ends, Evidence
from ratings.scale import PER_LOGIT, Z_95, rating_displayed

SETTLED_WITHIN: Final = 100.0  # displayed points; half the width of the interval
SETTLED_AFTER: Final = 10  # blocks; fewer are not enough to estimate how much blocks vary


@dataclass(frozen=True, slots=True)
class FittedRating:
    """The rating of an entrant on the displayed scale: ``points`` with a standard ``error`` and a 95 % interval.

    The ends of the interval, ``low`` and ``high``, need not be symmetric. An end is infinite if no results bound it.
    The uncertainty that the whole field has in common is not included. ``group`` is the number, from 0, of the
    entrant's group. Chains of games connect the entrants of a group; ratings of different groups cannot be compared. A
    rating is ``settled`` if at least 10 blocks were played and half the width of the interval is at most 100 points.
    Other ratings are provisional.
    """

    entrant: int
    points: float
    error: float
    low: float
    high: float
    blocks: int
    games: int
    settled: bool
    group: int = 0

    @property
    def within(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def floor(self) -> float | None:
        """``low``; None if the interval is open there."""
        return self.low if isfinite(self.low) else None

    @property
    def ceiling(self) -> float | None:
        """``high``; None if the interval is open there."""
        return self.high if isfinite(self.high) else None


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two ratings in displayed points, with its standard error and 95 % interval.

    The ends ``low`` and ``high`` may be infinite.
    """

    points: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """Strengths in logits. ``entrants`` are in ascending order; ``mean`` has their strengths in this order.

    The zero of the scale is the mean of the newcomers. ``spread`` is the standard deviation of the newcomers.
    """

    entrants: Ints
    mean: Floats
    spread: float

    def of(self, entrants: Ints) -> Floats:
        """Return the strengths of ``entrants``, in the same shape. Raises KeyError if an entrant is not rated."""
        distinct, place = np.unique(entrants, return_inverse=True)
        return self.mean[[self.index(one) for one in distinct.tolist()]][place.reshape(entrants.shape)]

    def index(self, entrant: int) -> int:
        """Return the index of ``entrant`` in the arrays. Raises KeyError if the entrant is not rated."""
        if entrant not in self:
            raise KeyError(entrant)
        return int(np.searchsorted(self.entrants, entrant))

    def __contains__(self, entrant: int) -> bool:
        place = int(np.searchsorted(self.entrants, entrant))
        return place < len(self.entrants) and int(self.entrants[place]) == entrant


@dataclass(frozen=True, slots=True, eq=False)
class Ratings(Strengths):
    """Strengths with their covariance ``known``.

    ``blocks`` and ``games`` are the numbers that each entrant played, in the order of ``entrants``. ``evidence`` has
    the results, from which profile likelihood intervals are computed. Without it, intervals are computed from standard
    errors.
    """

    known: Covariance
    blocks: Floats
    games: Floats
    evidence: Evidence | None = None

    @property
    def covariance(self) -> Floats:
        """The covariance matrix, shape (n, n)."""
        return self.known.matrix()

    def errors(self) -> Floats:
        """Return standard errors in logits, without the uncertainty that the whole field has in common.

        Only differences of strengths are observed. So errors are scaled: if all strengths are known equally well, the
        squares of the errors of two entrants add up to the variance of their difference.
        """
        size = len(self.entrants)
        if size < 2:
            return np.asarray(np.sqrt(self.known.variances()))
        return np.asarray(np.sqrt(self.known.centred(np.zeros(size, dtype=np.int64)) * size / (size - 1)))

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the ends of all 95 % intervals in logits, in the order of ``entrants``."""
        if self.evidence is None:
            within = Z_95 * self.errors()
            return self.mean - within, self.mean + within
        low, high = self.evidence.bounds
        return low[self._places()], high[self._places()]

    def groups(self) -> Ints:
        """Return the group of each entrant, from 0, in the order of ``entrants``."""
        if self.evidence is None:
            return np.zeros(len(self.entrants), dtype=np.int64)
        _, numbers = np.unique(self.evidence.groups[self._places()], return_inverse=True)
        return np.asarray(numbers, dtype=np.int64)

    def all(self) -> tuple[FittedRating, ...]:
        """Return all ratings, in the order of ``entrants``."""
        low, high = self.bounds()
        columns = (self.entrants, self.mean, self.errors(), low, high, self.blocks, self.games, self.groups())
        return tuple(_rating(*one) for one in zip(*(column.tolist() for column in columns), strict=True))

    def _places(self) -> Ints:
        """Return the places of ``entrants`` in the evidence."""
        known = self.entrants if self.evidence is None else self.evidence.entrants
        return np.asarray(np.searchsorted(known, self.entrants), dtype=np.int64)

    def among(self, entrants: Iterable[int]) -> Self:
        """Return the ratings of ``entrants`` alone. Their errors and ranks are those within this smaller field.

        Raises KeyError if one is not rated.
        """
        places = np.array([self.index(entrant) for entrant in sorted(entrants)], dtype=np.int64)
        return replace(
            self,
            entrants=self.entrants[places],
            mean=self.mean[places],
            known=self.known.among(places),
            blocks=self.blocks[places],
            games=self.games[places],
        )

    def difference(self, one: int, other: int) -> Difference:
        """Return the rating of ``one`` minus that of ``other``. Raises KeyError if one of them is not rated."""
        a, b = self.index(one), self.index(other)
        variance = self.known.between(np.array([a]), np.array([b]))
        lead, error = float(self.mean[a] - self.mean[b]), sqrt(float(variance[0]))
        ends = Ends(lead - Z_95 * error, lead + Z_95 * error)
        if self.evidence is not None:
            places = self._places()
            ends = self.evidence.difference(int(places[a]), int(places[b]))
        low, high = min(ends.low, lead), max(ends.high, lead)
        return Difference(*(PER_LOGIT * each for each in (lead, error, low, high)))


def _rating(
    entrant: int, mean: float, error: float, low: float, high: float, blocks: float, games: float, group: int
) -> FittedRating:
    within = PER_LOGIT * (high - low) / 2
    return FittedRating(
        entrant=entrant,
        points=rating_displayed(mean),
        error=PER_LOGIT * error,
        low=rating_displayed(low),
        high=rating_displayed(high),
        blocks=round(blocks),
        games=round(games),
        settled=blocks >= SETTLED_AFTER and within <= SETTLED_WITHIN,
        group=group,
    )
