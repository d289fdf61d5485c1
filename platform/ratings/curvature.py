"""How sharply a likelihood with its prior bends at its summit, and what is solved with that.

For every two who met, and for every version and its parent, the curvature holds how tightly they are tied to each
other; for everyone, how tightly its prior holds it. With more than ``EXACT_MOST`` entrants nothing is made of it that
has a cell for every two of them. Equations are solved by conjugate gradients, preconditioned by the diagonal (Golub and
Van Loan, Matrix Computations, 4th ed. 2013, section 11.5). Covariances are drawn: every tie and every prior pushes by
the root of how tight it is, one way or the other by lot; the strengths that this leads to have the inverse of the
curvature as their covariance (Papandreou and Yuille, Gaussian sampling by local perturbations, 2010).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np

from ratings.covariances import ByDraws, Covariance, Exact
from ratings.games import Floats, Ints

Blocks: TypeAlias = Sequence[tuple[Ints, Floats]]

EXACT_MOST: Final = 1000  # entrants; their matrix takes 8 MB, and its inverse a tenth of a second
DRAWS: Final = 256  # variances are known to the root of 2 / 256, standard errors to 4 %
STEPS_MOST: Final = 500  # of conjugate gradients: long chains, in which everyone met two, need one for each entrant
NEAR: Final = 1e-6  # of the right-hand side: Newton's last step is shorter than a millionth of a logit itself
NEAR_DRAWN: Final = 1e-3  # for what is drawn: a hundredth of what the draws leave uncertain
MANY: Final = 48  # vectors from which on a row at a time is sooner than a vector at a time
SEED: Final = 20261123


@dataclass(frozen=True, eq=False)
class Ties:
    """Who of so many entrants is tied to whom, ``one`` to ``other``, shape (m,) each; two may have several ties. They
    are put into order once, however often their weights change."""

    size: int
    one: Ints
    other: Ints

    @cached_property
    def rows(self) -> tuple[Ints, Ints, Ints]:
        """The matrix row by row: for each cell that is not empty its place among the weights of ties, those of ties
        the other way and the diagonal, and its column; and where each row starts."""
        everyone = np.arange(self.size)
        row = np.concatenate([self.one, self.other, everyone])
        order = np.argsort(row, kind="stable")
        column = np.concatenate([self.other, self.one, everyone])
        return order, column[order], np.searchsorted(row[order], everyone)


@dataclass(frozen=True, eq=False)
class Curvature:
    """A symmetric matrix (n, n), by the sum of squares that it stands for: ``own``, shape (n,), times everyone's
    square, and ``weight``, shape (m,), times that of the difference of each two that have one of the ``ties``."""

    own: Floats
    ties: Ties
    weight: Floats

    @property
    def is_exact(self) -> bool:
        return self.ties.size <= EXACT_MOST

    @cached_property
    def diagonal(self) -> Floats:
        ties = self.ties
        return self.own + summed(ties.one, self.weight, ties.size) + summed(ties.other, self.weight, ties.size)

    def times(self, strength: Floats) -> Floats:
        """Return the product with a vector, shape (n,)."""
        _, column, starts = self.ties.rows
        return np.asarray(np.add.reduceat(self._cells * strength[column], starts))

    def matrix(self) -> Floats:
        """Return all of it, shape (n, n)."""
        size = self.ties.size
        cells = summed(self.ties.one * size + self.ties.other, self.weight, size * size).reshape(size, size)
        curved = -cells - cells.T
        curved[np.diag_indices(size)] = self.diagonal
        return np.asarray(curved)

    def solved(self, right: Floats) -> Floats:
        """Return the vector (n,) whose product is ``right``."""
        if self.is_exact:
            return np.asarray(np.linalg.solve(self.matrix(), right))
        return self._by_gradients(right[:, None], NEAR)[:, 0]

    def inverse(self, draws: int = DRAWS) -> Covariance:
        """Return the inverse as a covariance; above ``EXACT_MOST`` entrants by so many draws."""
        return Exact(self._inverse) if self.is_exact else self._drawn(self, (), draws)

    def sandwich(self, prior: "Curvature", blocks: Blocks) -> Covariance:
        """Return the inverse times the scatter of slopes times the inverse: the scatter that ``prior`` stands for, and
        that of ``blocks``, tables with what each entrant won beyond its due, shape (blocks, k) both."""
        return self._between(prior, blocks) if self.is_exact else self._drawn(prior, blocks, DRAWS)

    @cached_property
    def _inverse(self) -> Floats:
        return np.asarray(np.linalg.inv(self.matrix()))

    def _between(self, prior: "Curvature", blocks: Blocks) -> Exact:
        scatter, size = prior.matrix(), self.ties.size
        for entrants, surplus in blocks:
            cells = entrants[:, :, None] * size + entrants[:, None, :]
            products = surplus[:, :, None] * surplus[:, None, :]
            scatter += summed(cells.ravel(), products.ravel(), size * size).reshape(size, size)
        return Exact(self._inverse @ scatter @ self._inverse)

    def _drawn(self, scatter: "Curvature", blocks: Blocks, draws: int) -> ByDraws:
        chance, size = np.random.default_rng(SEED), self.ties.size
        one, other = scatter.ties.one, scatter.ties.other
        ties, priors = np.sqrt(scatter.weight), np.sqrt(scatter.own)
        right = np.empty((size, draws))
        for draw in range(draws):
            push = _signed(chance, ties)
            slope = _signed(chance, priors) + summed(one, push, size) - summed(other, push, size)
            for entrants, surplus in blocks:
                slope += summed(entrants.ravel(), _signed(chance, surplus).ravel(), size)
            right[:, draw] = slope
        return ByDraws(self._by_gradients(right, NEAR_DRAWN) / np.sqrt(draws))

    @cached_property
    def _cells(self) -> Floats:
        return np.concatenate([-self.weight, -self.weight, self.diagonal])[self.ties.rows[0]]

    def _columns_times(self, strength: Floats) -> Floats:
        """Return the product with many vectors at once, shape (n, k)."""
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
        """Solve for every column of ``right``, so that what is left of it is less than a share ``near`` of it."""
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
    """Return ``amounts`` with a sign drawn for each row."""
    bits = np.frombuffer(chance.bytes(-(-len(amounts) // 8)), dtype=np.uint8)
    signs = 1.0 - 2.0 * np.unpackbits(bits, count=len(amounts))
    return np.asarray((amounts.T * signs).T)


def summed(places: Ints, weights: Floats, size: int) -> Floats:
    """Return ``weights`` added up by place, shape (size,)."""
    return np.asarray(np.bincount(places, weights, size), dtype=np.float64)
