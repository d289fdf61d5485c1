"""The curvature of the log-likelihood with its prior at the maximum: a sparse matrix, linear systems and covariances.

Two entrants are tied if they met, or if one is the parent version of the other. The curvature has a weight for each of
these ties, and for each entrant a weight of its prior. With more than ``EXACT_MOST`` entrants, no dense matrix is used.
Linear systems are solved by conjugate gradients, preconditioned by the diagonal (Golub and Van Loan, Matrix
Computations, 4th ed. 2013, section 11.5). Covariances are estimated from random draws. Each draw solves a linear system
whose right-hand side has, for every tie and prior, the square root of its weight with a random sign. The covariance of
the solutions is the inverse of the curvature (Papandreou and Yuille, Gaussian sampling by local perturbations, 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from ratings.covariances import ByDraws, Covariance, Exact
from ratings.games import Floats, Ints

Blocks: TypeAlias = Sequence[tuple[Ints, Floats]]

EXACT_MOST: Final = 1000  # entrants; the matrix takes 8 MB, and its inverse a tenth of a second
DRAWS: Final = 256  # the relative error of variances is the root of 2 / 256, that of standard errors 4 %
STEPS_MOST: Final = 500  # steps of conjugate gradients; a long chain of pairs needs one for each entrant
NEAR: Final = 1e-6  # relative to the right-hand side; Newton's last step is itself shorter than a millionth of a logit
NEAR_DRAWN: Final = 1e-3  # the relative residual of draws, a hundredth of their random error
MANY: Final = 48  # with this many vectors or more, products by rows are faster than products by vectors
SEED: Final = 20261123


@dataclass(frozen=True, eq=False)
class Ties:
    """The pairs of ``size`` entrants that are tied: ``one`` and ``other``, shape (m,) each.

    A pair may have several ties. The sorted order is computed once, even if weights change.
    """

    size: int
    one: Ints
    other: Ints

    @cached_property
    def rows(self) -> tuple[Ints, Ints, Ints]:
        """The nonzero cells of the matrix, row by row: indices of weights, columns, and the starts of the rows.

        The indices refer to a list of the weights of the ties, the same weights again for the other direction, and the
        diagonal.
        """
        everyone = np.arange(self.size)
        row = np.concatenate([self.one, self.other, everyone])
        order = np.argsort(row, kind="stable")
        column = np.concatenate([self.other, self.one, everyone])
        return order, column[order], np.searchsorted(row[order], everyone)


@dataclass(frozen=True, eq=False)
class Curvature:
    """A symmetric matrix (n, n), defined by its quadratic form.

    The form is the sum of ``own``, shape (n,), times the square of each entry, and ``weight``, shape (m,), times the
    square of the difference of each of the ``ties``.
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

        Above ``EXACT_MOST`` entrants it is estimated from ``draws`` random draws.
        """
        return Exact(self._inverse) if self.is_exact else self._drawn(self, (), draws)

    def sandwich(self, prior: "Curvature", blocks: Blocks) -> Covariance:
        """Return the sandwich covariance: the inverse times the covariance of the gradient times the inverse.

        The covariance of the gradient is that of ``prior`` plus that of ``blocks``: tables with the surplus of each
        entrant, both of shape (blocks, k).
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
