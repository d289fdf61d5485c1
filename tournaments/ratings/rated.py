"""Ratings: strengths with their errors, and what may be said of two of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Final, Self

import numpy as np

from tournaments.ratings.games import Floats, Ints
from tournaments.ratings.scale import PER_LOGIT, Z_95, displayed

SETTLED_WITHIN: Final = 100.0  # displayed points, either way
SETTLED_AFTER: Final = 10  # blocks: fewer say too little about their own spread


@dataclass(frozen=True, slots=True)
class Rating:
    """One entrant's, on the displayed scale: ``points`` give or take the standard ``error``; with 95 % certainty
    between ``low`` and ``high``. What is uncertain about the whole field alike is not part of the error.

    ``settled``: at least 10 blocks were played and the interval is no wider than 100 points either way. A rating that
    is not is provisional.
    """

    entrant: int
    points: float
    error: float
    low: float
    high: float
    blocks: int
    games: int
    settled: bool

    @property
    def within(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one entrant is above another, in displayed points, and the standard error of that."""

    points: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Strengths in logits. ``entrants`` ascend; ``mean``, ``blocks`` and ``games`` are in their order, ``covariance``
    is (n, n). All who are fitted together share a scale whose zero is the mean of the newcomers."""

    entrants: Ints
    mean: Floats
    covariance: Floats
    blocks: Floats
    games: Floats

    def __contains__(self, entrant: int) -> bool:
        place = int(np.searchsorted(self.entrants, entrant))
        return place < len(self.entrants) and int(self.entrants[place]) == entrant

    def index(self, entrant: int) -> int:
        """Its place in the arrays. Raises KeyError: it is not rated."""
        if entrant not in self:
            raise KeyError(entrant)
        return int(np.searchsorted(self.entrants, entrant))

    def errors(self) -> Floats:
        """Standard errors in logits, without what is common to the whole field: only differences were observed. Of a
        field known equally well, two of them square and add up to the error of the difference."""
        own, size = np.diag(self.covariance), len(self.entrants)
        if size < 2:
            return np.asarray(np.sqrt(own))
        row = self.covariance.mean(axis=1)
        return np.asarray(np.sqrt(np.maximum(own - 2 * row + row.mean(), 0) * size / (size - 1)))

    def all(self) -> tuple[Rating, ...]:
        """Everyone's, in the order of ``entrants``."""
        return tuple(
            _rating(*one)
            for one in zip(
                self.entrants.tolist(),
                self.mean.tolist(),
                self.errors().tolist(),
                self.blocks.tolist(),
                self.games.tolist(),
                strict=True,
            )
        )

    def among(self, entrants: Iterable[int]) -> Self:
        """Only these, so that errors and ranks are those within their field. Raises KeyError: one is not rated."""
        places = np.array([self.index(entrant) for entrant in sorted(entrants)], dtype=np.int64)
        return replace(
            self,
            entrants=self.entrants[places],
            mean=self.mean[places],
            covariance=self.covariance[np.ix_(places, places)],
            blocks=self.blocks[places],
            games=self.games[places],
        )

    def difference(self, one: int, other: int) -> Difference:
        """How far ``one`` is above ``other``. Raises KeyError: one of them is not rated."""
        a, b = self.index(one), self.index(other)
        variance = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
        return Difference(PER_LOGIT * float(self.mean[a] - self.mean[b]), PER_LOGIT * sqrt(max(float(variance), 0)))


def _rating(entrant: int, mean: float, error: float, blocks: float, games: float) -> Rating:
    within = Z_95 * PER_LOGIT * error
    points = displayed(mean)
    return Rating(
        entrant=entrant,
        points=points,
        error=PER_LOGIT * error,
        low=points - within,
        high=points + within,
        blocks=round(blocks),
        games=round(games),
        settled=blocks >= SETTLED_AFTER and within <= SETTLED_WITHIN,
    )
