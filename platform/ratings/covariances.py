"""Covariances of strengths: exact for small fields, estimated from random draws for large ones."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol, Self

import numpy as np

from ratings.games import Floats, Ints

AT_ONCE: Final = 1 << 21  # numbers that are processed together: 16 MB


class Covariance(Protocol):
    """A covariance of n strengths. As a matrix it has the shape (n, n)."""

    def variances(self) -> Floats:
        """Return the variance of each strength, shape (n,)."""

    def centred(self, group: Ints) -> Floats:
        """Return the variance of each strength relative to the mean of its group, shape (n,).

        ``group`` has the number of each strength's group, from 0 to n - 1.
        """

    def between(self, one: Ints, other: Ints) -> Floats:
        """Return the variances of the differences between the strengths ``one`` and ``other``, all of shape (m,)."""

    def at_tables(self, entrants: Ints) -> Floats:
        """Return the covariances of the strengths at each table, shape (blocks, k, k).

        ``entrants`` has the shape (blocks, k).
        """

    def against_all(self) -> Iterator[tuple[slice, Floats]]:
        """Yield the variances of the differences between all strengths, in groups of rows of shape (rows, n)."""

    def among(self, places: Ints) -> Self:
        """Return the covariance of the strengths at ``places``, in their order."""

    def matrix(self) -> Floats:
        """Return the covariance as a matrix."""


@dataclass(frozen=True, eq=False)
class Exact:
    """A covariance matrix ``cells``, shape (n, n)."""

    cells: Floats

    def variances(self) -> Floats:
        return np.diag(self.cells)

    def centred(self, group: Ints) -> Floats:
        together = group[:, None] == group
        row = np.where(together, self.cells, 0).sum(axis=1) / together.sum(axis=1)
        return np.asarray(np.maximum(np.diag(self.cells) - 2 * row + _means(row, group), 0))

    def between(self, one: Ints, other: Ints) -> Floats:
        own = np.diag(self.cells)
        return np.asarray(np.maximum(own[one] + own[other] - 2 * self.cells[one, other], 0))

    def at_tables(self, entrants: Ints) -> Floats:
        return self.cells[entrants[:, :, None], entrants[:, None, :]]

    def against_all(self) -> Iterator[tuple[slice, Floats]]:
        own = np.diag(self.cells)
        yield slice(len(own)), np.maximum(own[:, None] + own[None, :] - 2 * self.cells, 0)

    def among(self, places: Ints) -> Self:
        return type(self)(self.cells[np.ix_(places, places)])

    def matrix(self) -> Floats:
        return self.cells


@dataclass(frozen=True, eq=False)
class ByDraws:
    """A covariance estimated from random ``draws``, shape (n, k).

    A draw is a random deviation of the n strengths from the maximum, divided by the square root of k. So the covariance
    is ``draws @ draws.T``. The relative error of every variance is the square root of 2 / k. This is also true of the
    variances of differences.
    """

    draws: Floats

    def variances(self) -> Floats:
        return np.asarray(np.einsum("ij,ij->i", self.draws, self.draws))

    def centred(self, group: Ints) -> Floats:
        means = np.stack([_means(draw, group) for draw in self.draws.T], axis=1)
        return type(self)(self.draws - means).variances()

    def between(self, one: Ints, other: Ints) -> Floats:
        found = np.empty(len(one))
        for part in self._parts(len(one), 1):
            found[part] = type(self)(self.draws[one[part]] - self.draws[other[part]]).variances()
        return found

    def at_tables(self, entrants: Ints) -> Floats:
        blocks, seats = entrants.shape
        found = np.empty((blocks, seats, seats))
        for part in self._parts(blocks, seats):
            drawn = self.draws[entrants[part]]
            found[part] = drawn @ drawn.swapaxes(1, 2)
        return found

    def against_all(self) -> Iterator[tuple[slice, Floats]]:
        own, size = self.variances(), len(self.draws)
        step = max(1, AT_ONCE // max(size, 1))
        for start in range(0, size, step):
            part = slice(start, min(start + step, size))
            yield part, np.maximum(own[part, None] + own - 2 * self.draws[part] @ self.draws.T, 0)

    def among(self, places: Ints) -> Self:
        return type(self)(self.draws[places])

    def matrix(self) -> Floats:
        return np.asarray(self.draws @ self.draws.T)

    def _parts(self, rows: int, seats: int) -> Iterator[slice]:
        step = max(1, AT_ONCE // (seats * self.draws.shape[1]))
        for start in range(0, rows, step):
            yield slice(start, start + step)


def _means(values: Floats, group: Ints) -> Floats:
    """Return the mean of each element's group, shape (n,)."""
    return np.asarray((np.bincount(group, values) / np.maximum(np.bincount(group), 1))[group])
