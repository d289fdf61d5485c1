"""The curvature of the log-posterior at its maximum, as a sparse matrix, with its linear systems and covariances.

Two entrants are tied if they met, or if one is the parent version of the other. The curvature has a weight for each
tie, and a weight for the prior of each entrant. With more than ``EXACT_MOST`` entrants, no dense matrix is used. Linear
systems are then solved by conjugate gradients, preconditioned by the diagonal (Golub and Van Loan, Matrix Computations,
4th ed. 2013, section 11.5). Covariances are estimated from random draws. For each draw, a linear system is solved. Its
right-hand side adds up terms for all ties and priors: each is the square root of a weight with a random sign. The
covariance of the solutions is the inverse of the curvature (Papandreou and Yuille, Gaussian sampling by local
perturbations, 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from ratings.covariances import ByDraws, Covariance, Exact
from ratings.games import Floats, Ints

Blocks: TypeAlias = Sequence[tuple[Ints, Floats]]

EXACT_MOST: Final = 1000  # entrants; their dense matrix takes 8 MB, and inverting it a tenth of a second
DRAWS: Final = 256  # the relative error of variances is sqrt(2 / 256), 9 %; that of standard errors is half of it
STEPS_MOST: Final = 500  # steps of conjugate gradients; entrants that form a long chain need one step each
NEAR: Final = 1e-6  # relative residual of a solution; Newton's last step is itself shorter than a millionth of a logit
NEAR_DRAWN: Final = 1e-3  # relative residual of a draw; the random error of draws is a hundred times as large
MANY: Final = 48  # with this many vectors or more, products by rows are faster than products by vectors
SEED: Final = 20261123


@dataclass(frozen=True, eq=False)
class Ties:
    """The ties between ``size`` entrants. Tie number i is between ``one[i]`` and ``other[i]``, shape (m,) each.

    A pair of entrants may have several ties. The sorted order is computed once, and kept when weights change.
    """

    size: int
    one: Ints
    other: Ints

    @cached_property
    def rows(self) -> tuple[Ints, Ints, Ints]:
        """The nonzero cells of the matrix, row by row: an index for each cell, its column, and the start of each row.

        The index says which number of a list is in the cell. The list has the weights of the ties, the same weights
        again for the other direction, and the diagonal.
        """
        everyone = np.arange(self.size)
        row = np.concatenate([self.one, self.other, everyone])
        order = np.argsort(row, kind="stable")
        column = np.concatenate([self.other, self.one, everyone])
        return order, column[order], np.searchsorted(row[order], everyone)


@dataclass(frozen=True, eq=False)
class Curvature:
    """A symmetric matrix (n, n), defined by its quadratic form.

    For a vector s, the form adds up ``own[i]`` times the square of s[i] for each entrant i, and ``weight[j]`` times the
    square of s[one] - s[other] for each tie j. ``own`` has the shape (n,), and ``weight`` the shape (m,).
    """

    own: Floats
    ties: Ties
    weight: Floats

    @property
    def is_exact(self) -> bool:
        return self.ties.size <= EXACT_MOST

    @cached_property
    def diagonal(self) -> Floats:
        ties = self.ties
        return (
            self.own
            + curvature_summed(ties.one, self.weight, ties.size)
            + curvature_summed(ties.other, self.weight, ties.size)
        )

    def times(self, strength: Floats) -> Floats:
        """Return the product with a vector of shape (n,)."""
        _, column, starts = self.ties.rows
        return np.asarray(np.add.reduceat(self._cells * strength[column], starts))

    def matrix(self) -> Floats:
        """Return the dense matrix, shape (n, n)."""
        size = self.ties.size
        cells = curvature_summed(self.ties.one * size + self.ties.other, self.weight, size * size).reshape(size, size)
        curved = -cells - cells.T
        curved[np.diag_indices(size)] = self.diagonal
        return np.asarray(curved)

    def solved(self, right: Floats) -> Floats:
        """Return the solution (n,) of the linear system with the right-hand side ``right``."""
        if self.is_exact:
            return np.asarray(np.linalg.solve(self.matrix(), right))
        return self._by_gradients(right[:, None], NEAR)[:, 0]

    def inverse(self, draws: int = DRAWS) -> Covariance:
        """Return the inverse as a covariance.

        With more than ``EXACT_MOST`` entrants, the covariance is estimated from ``draws`` random draws.
        """
        return Exact(self._inverse) if self.is_exact else self._drawn(self, (), draws)

    def sandwich(self, prior: "Curvature", blocks: Blocks) -> Covariance:
        """Return the sandwich covariance: the inverse times the covariance of the gradient times the inverse.

        The covariance of the gradient has two parts: ``prior``, and a part of ``blocks``. Each block of ``blocks`` has
        its entrants and their surplus, both of shape (blocks, k).
        """
        return self._between(prior, blocks) if self.is_exact else self._drawn(prior, blocks, DRAWS)

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.matrix()))

    def _between(self, prior: "Curvature", blocks: Blocks) -> Exact:
        scatter, size = prior.matrix(), self.ties.size
        for entrants, surplus in blocks:
            cells = entrants[:, :, None] * size + entrants[:, None, :]
            products = surplus[:, :, None] * surplus[:, None, :]
            scatter += curvature_summed(cells.ravel(), products.ravel(), size * size).reshape(size, size)
        return Exact(self._inverse @ scatter @ self._inverse)

    def _drawn(self, scatter: "Curvature", blocks: Blocks, draws: int) -> ByDraws:
        chance, size = np.random.default_rng(SEED), self.ties.size
        one, other = scatter.ties.one, scatter.ties.other
        ties, priors = np.sqrt(scatter.weight), np.sqrt(scatter.own)
        right = np.empty((size, draws))
        for draw in range(draws):
            push = _signed(chance, ties)
            slope = _signed(chance, priors) + curvature_summed(one, push, size) - curvature_summed(other, push, size)
            for entrants, surplus in blocks:
                slope += curvature_summed(entrants.ravel(), _signed(chance, surplus).ravel(), size)
            right[:, draw] = slope
        return ByDraws(self._by_gradients(right, NEAR_DRAWN) / np.sqrt(draws))

    @cached_property
    def _cells(self) -> Floats:
        return np.concatenate([-self.weight, -self.weight, self.diagonal])[self.ties.rows[0]]

    def _columns_times(self, strength: Floats) -> Floats:
        """Return the product with several vectors, shape (n, k)."""
        product = np.empty_like(strength)
        if strength.shape[1] < MANY:
            for column in range(strength.shape[1]):
                product[:, column] = self.times(strength[:, column])
            return product
        _, others, starts = self.ties.rows
        ends = [*starts[1:].tolist(), len(others)]
        for row, (start, end) in enumerate(zip(starts.tolist(), ends, strict=True)):
            np.matmul(self._cells[start:end], strength[others[start:end]], out=product[row])
        return product

    def _by_gradients(self, right: Floats, near: float) -> Floats:
        """Solve for every column of ``right`` by conjugate gradients, up to a relative residual of ``near``."""
        diagonal = self.diagonal[:, None]
        solved, left = np.zeros_like(right), right.copy()
        way = left / diagonal
        length = np.einsum("ij,ij->j", left, way)
        enough = near**2 * length
        for _ in range(STEPS_MOST):
            if (length <= enough).all():
                break
            product = self._columns_times(way)
            far = length / np.maximum(np.einsum("ij,ij->j", way, product), 1e-300)
            solved += far * way
            left -= far * product
            eased = left / diagonal
            before, length = length, np.einsum("ij,ij->j", left, eased)
            way *= length / np.maximum(before, 1e-300)
            way += eased
        return solved


def _signed(chance: np.random.Generator, amounts: Floats) -> Floats:
    """Return ``amounts`` with a random sign for each row."""
    bits = np.frombuffer(chance.bytes(-(-len(amounts) // 8)), dtype=np.uint8)
    signs = 1.0 - 2.0 * np.unpackbits(bits, count=len(amounts))
    return np.asarray((amounts.T * signs).T)


def curvature_summed(places: Ints, weights: Floats, size: int) -> Floats:
    """Return the sums of ``weights`` by place, shape (size,)."""
    return np.asarray(np.bincount(places, weights, size), dtype=np.float64)
