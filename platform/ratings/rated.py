"""Ratings: strengths with their errors, and what may be said of two of them."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Final, Self

import numpy as np

from ratings.covariances import Covariance
from ratings.games import Floats, Ints
from ratings.profiles import Ends, Evidence
from ratings.scale import PER_LOGIT, Z_95, displayed

SETTLED_WITHIN: Final = 100.0  # displayed points, either way
SETTLED_AFTER: Final = 10  # blocks: fewer say too little about their own spread


@dataclass(frozen=True, slots=True)
class FittedRating:
    """One entrant's, on the displayed scale: ``points`` with their standard ``error``; with 95 % certainty between
    ``low`` and ``high``, which are infinite where nothing that was played bounds them, and not equally far away. What
    is uncertain about the whole field alike is not part of them. ``group``: numbers, from 0, those whom chains of games
    connect; ratings of different groups cannot be compared.

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
    group: int = 0

    @property
    def within(self) -> float:
        """Half of the interval."""
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
    """How far one entrant is above another, in displayed points, and the standard error of that; with 95 % certainty
    between ``low`` and ``high``, which may be infinite."""

    points: float
    error: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """In logits. ``entrants`` ascend, ``mean`` is in their order. All who are fitted together share a scale whose zero
    is the mean of the newcomers, and ``spread`` their standard deviation."""

    entrants: Ints
    mean: Floats
    spread: float

    def of(self, entrants: Ints) -> Floats:
        """Return their strengths, in the same shape. Raises KeyError: one of them is not rated."""
        distinct, place = np.unique(entrants, return_inverse=True)
        return self.mean[[self.index(one) for one in distinct.tolist()]][place.reshape(entrants.shape)]

    def index(self, entrant: int) -> int:
        """Return its place in the arrays. Raises KeyError: it is not rated."""
        if entrant not in self:
            raise KeyError(entrant)
        return int(np.searchsorted(self.entrants, entrant))

    def __contains__(self, entrant: int) -> bool:
        place = int(np.searchsorted(self.entrants, entrant))
        return place < len(self.entrants) and int(self.entrants[place]) == entrant


@dataclass(frozen=True, slots=True, eq=False)
class Ratings(Strengths):
    """Strengths with their covariance, as it is ``known``; ``blocks`` and ``games`` are in the order of ``entrants``.
    ``evidence``: the games, for intervals by the likelihood; without it they are those of the standard errors."""

    known: Covariance
    blocks: Floats
    games: Floats
    evidence: Evidence | None = None

    @property
    def covariance(self) -> Floats:
        """Written out, shape (n, n)."""
        return self.known.matrix()

    def errors(self) -> Floats:
        """Return standard errors in logits, without what is common to the whole field: only differences were observed.
        Of a field known equally well, two of them square and add up to the error of the difference.
        """
        size = len(self.entrants)
        if size < 2:
            return np.asarray(np.sqrt(self.known.variances()))
        return np.asarray(np.sqrt(self.known.centred(np.zeros(size, dtype=np.int64)) * size / (size - 1)))

    def bounds(self) -> tuple[Floats, Floats]:
        """Return the ends of everyone's 95 % interval in logits, in the order of ``entrants``."""
        if self.evidence is None:
            within = Z_95 * self.errors()
            return self.mean - within, self.mean + within
        low, high = self.evidence.bounds
        return low[self._places()], high[self._places()]

    def groups(self) -> Ints:
        """Return everyone's group, from 0, in the order of ``entrants``."""
        if self.evidence is None:
            return np.zeros(len(self.entrants), dtype=np.int64)
        _, numbers = np.unique(self.evidence.groups[self._places()], return_inverse=True)
        return np.asarray(numbers, dtype=np.int64)

    def all(self) -> tuple[FittedRating, ...]:
        """Return everyone's rating, in the order of ``entrants``."""
        low, high = self.bounds()
        columns = (self.entrants, self.mean, self.errors(), low, high, self.blocks, self.games, self.groups())
        return tuple(_rating(*one) for one in zip(*(column.tolist() for column in columns), strict=True))

    def _places(self) -> Ints:
        """Return the places of ``entrants`` in the evidence."""
        known = self.entrants if self.evidence is None else self.evidence.entrants
        return np.asarray(np.searchsorted(known, self.entrants), dtype=np.int64)

    def among(self, entrants: Iterable[int]) -> Self:
        """Return only these, so that errors and ranks are those within their field. Raises KeyError: one is not
        rated.
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
        """Return how far ``one`` is above ``other``. Raises KeyError: one of them is not rated."""
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
        points=displayed(mean),
        error=PER_LOGIT * error,
        low=displayed(low),
        high=displayed(high),
        blocks=round(blocks),
        games=round(games),
        settled=blocks >= SETTLED_AFTER and within <= SETTLED_WITHIN,
        group=group,
    )
