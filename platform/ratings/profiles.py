"""Profile likelihood intervals: 95 % intervals for strengths and differences that need not be symmetric.

Between bots that are far apart, a few games show that one is better, but hardly by how much. The log-likelihood of
their difference is then far from a parabola. A symmetric interval of 1.96 standard errors contains the truth in far
fewer than 95 of 100 cases. In addition, the prior knows nothing about these two bots, and shifts the interval towards
the middle. So intervals are computed from the profile likelihood without a prior. The likelihood of a difference is its
maximum over the strengths of all other bots. The interval contains the differences whose likelihood is at most a given
factor below the highest one. If one bot has won all games, the interval has no upper end.

The games of a block share their luck. So the given factor is that of a quasi-likelihood (McCullagh and Nelder,
Generalized Linear Models, 2nd ed. 1989, chapter 9), with an estimated dispersion and Student's t. A dispersion below
one means that rotating the seats cancels luck within a block. This happens between bots of similar strength. Between
bots that are far apart, strength decides every game, and there is no luck to cancel. Let p be the probability that the
first bot wins. Then the reduction by a dispersion below one is applied in proportion to 4 p (1 - p): fully between
equals, and hardly at all between bots that are far apart.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.curvature import Curvature, Ties, curvature_summed
from ratings.games import Floats, Ints
from ratings.pairs import Pairs, pairs_curvature, pairs_gradient, pairs_log_posterior
from ratings.scale import Z_95, rating_expected_share

OfAll: TypeAlias = Callable[[Floats], Floats]  # takes strengths and returns values, both of shape (n,)

FARTHEST: Final = 20.0  # logits; an interval that reaches this far counts as open
HALVINGS: Final = 40
STEPS: Final = 60
CLOSE: Final = 1e-6  # logits
SLIGHT: Final = 1e-4  # precision of a prior so weak that it only keeps numbers finite


@dataclass(frozen=True, slots=True)
class Ends:
    """An interval in logits. An infinite end is open."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """The results. ``entrants`` have the strengths ``mean``. ``pairs`` refer to entrants by their indices.

    ``dispersion`` is the variance of blocks, divided by the variance that independent games would have. Its estimate
    has ``degrees`` degrees of freedom.
    """

    entrants: Ints
    mean: Floats
    pairs: Pairs
    dispersion: float
    degrees: float

    def difference(self, one: int, other: int) -> Ends:
        """Return the interval for the strength of ``one`` minus the strength of ``other``. Both are given as indices.

        This takes tens of fits.
        """
        size = len(self.entrants)
        if self.groups[one] != self.groups[other]:
            return Ends(-inf, inf)
        profile = _Profile(self.pairs, one, other, size)
        lead = float(profile.best[one] - profile.best[other])
        allowed = self._drop(4 * rating_expected_share(np.array(lead)) * rating_expected_share(np.array(-lead)))
        return Ends(profile.end(lead, -1, float(allowed)), profile.end(lead, 1, float(allowed)))

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """The lower and the upper ends of the intervals of all strengths, shape (n,) each.

        The interval of a strength is computed with the other strengths fixed. The uncertainty of the others raises the
        variance of the strength by a factor. To include it, the allowed drop of the likelihood is multiplied by this
        factor. Uncertainty that a whole group has in common is not included.
        """
        mean, size, pairs = self.mean, len(self.entrants), self.pairs
        mine, theirs = np.concatenate([pairs.one, pairs.other]), np.concatenate([pairs.other, pairs.one])
        won, met = np.concatenate([pairs.won, pairs.met - pairs.won]), np.concatenate([pairs.met, pairs.met])
        p = rating_expected_share(mean[mine] - mean[theirs])
        known = curvature_summed(mine, met * p * (1 - p), size)
        even = curvature_summed(mine, met * 4 * p * (1 - p), size) / np.maximum(curvature_summed(mine, met, size), 1e-9)
        allowed = self._drop(even) * np.maximum(known * self._variances(), 1)

        def value(strength: Floats) -> Floats:
            lead = strength[mine] - mean[theirs]
            return curvature_summed(mine, won * lead - met * np.logaddexp(0, lead), size)

        def rising(strength: Floats) -> Floats:
            return curvature_summed(mine, won - met * rating_expected_share(strength[mine] - mean[theirs]), size)

        least, most = mean - FARTHEST, mean + FARTHEST
        summit = _boundary(least, most, lambda strength: rising(strength) > 0)
        floor = value(summit) - allowed
        low, high = _reached(least, floor, value, rising), _reached(most, floor, value, rising)
        low = np.where(value(least) >= floor, -inf, np.minimum(low, mean))
        high = np.where(value(most) >= floor, inf, np.maximum(high, mean))
        return low, high

    @cached_property
    def groups(self) -> Ints:
        """The group of each entrant, as the lowest index in the group. Chains of games connect the entrants of a group.

        No results can compare ratings of different groups.
        """
        group = np.arange(len(self.entrants))
        while True:
            before = group.copy()
            least = np.minimum(group[self.pairs.one], group[self.pairs.other])
            np.minimum.at(group, self.pairs.one, least)
            np.minimum.at(group, self.pairs.other, least)
            group = group[group]
            if (group == before).all():
                return group

    def _drop(self, even: Floats) -> Floats:
        """Return how far the log-likelihood may drop below its maximum. ``even`` is 4 p (1 - p) of the module's
        docstring.
        """
        student = Z_95 + (Z_95**3 + Z_95) / (4 * self.degrees)  # Cornish and Fisher's expansion
        dispersion = self.dispersion if self.dispersion > 1 else 1 - (1 - self.dispersion) * even
        return np.asarray(dispersion * student**2 / 2)

    def _variances(self) -> Floats:
        """Return the variance of each strength relative to the mean of its group, without a prior.

        Variances are scaled: for two entrants with equal uncertainty, they add up to the variance of the difference.
        """
        size, group = len(self.entrants), self.groups
        inverse = pairs_curvature(self.pairs, self.mean, _hardly(self.pairs, size)).inverse()
        members = curvature_summed(group, np.ones(size), size)[group]
        return inverse.centred(group) * members / np.maximum(members - 1, 1)


class _Profile:
    """The profile likelihood of the difference between ``one`` and ``other``: the maximum over all strengths."""

    def __init__(self, pairs: Pairs, one: int, other: int, size: int) -> None:
        self.pairs, self.size = pairs, size
        self.precision, self.pull = _hardly(pairs, size), np.zeros(size)
        self.best = self._climb(np.zeros(size), np.eye(size))
        self.summit = pairs_log_posterior(pairs, self.best, self.precision, self.pull)
        self.step = np.zeros(size)
        self.step[one] = 1.0
        self.free = np.delete(np.eye(size), one, axis=1)  # ``one`` moves together with ``other``
        self.free[one, other - (other > one)] = 1.0

    def end(self, lead: float, way: int, allowed: float) -> float:
        """Return the farthest difference for which the log-likelihood drops by at most ``allowed``.

        ``way`` is the direction from ``lead``, 1 or -1.
        """
        near, far = lead, lead + way * FARTHEST
        if self._fall(lead, far) <= allowed:
            return way * inf
        while abs(far - near) > 1e-3:
            middle = (near + far) / 2
            if self._fall(lead, middle) <= allowed:
                near = middle
            else:
                far = middle
        return near

    def _fall(self, lead: float, other_lead: float) -> float:
        start = self.best + (other_lead - lead) * self.step
        return self.summit - pairs_log_posterior(self.pairs, self._climb(start, self.free), self.precision, self.pull)

    def _climb(self, strength: Floats, free: Floats) -> Floats:
        """Return the strengths of the maximum, starting at ``strength`` and moving along the columns of ``free``."""
        now = pairs_log_posterior(self.pairs, strength, self.precision, self.pull)
        for _ in range(STEPS):
            curved = free.T @ pairs_curvature(self.pairs, strength, self.precision).matrix() @ free
            step = free @ np.linalg.solve(
                curved, free.T @ pairs_gradient(self.pairs, strength, self.precision, self.pull)
            )
            while (higher := pairs_log_posterior(self.pairs, strength + step, self.precision, self.pull)) < now - 1e-9:
                step = step / 2
            strength, now = strength + step, higher
            if np.abs(step).max(initial=0) <= CLOSE:
                break
        return strength


def _hardly(pairs: Pairs, size: int) -> Curvature:
    """Return the curvature of a prior that has practically no effect."""
    return Curvature(np.full(size, SLIGHT), Ties(size, pairs.one, pairs.other), np.zeros(len(pairs.met)))


def _boundary(there: Floats, here: Floats, holds: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    """Return the point between ``there`` and ``here`` at which ``holds`` becomes false, by bisection.

    ``holds`` is true at ``there`` and false at ``here``.
    """
    for _ in range(HALVINGS):
        middle = (there + here) / 2
        held = holds(middle)
        there, here = np.where(held, middle, there), np.where(held, here, middle)
    return here


def _reached(
    far: Floats, floor: Floats, value: Callable[[Floats], Floats], rising: Callable[[Floats], Floats]
) -> Floats:
    """Return the points at which the concave ``value`` first reaches ``floor``, on the way inwards from ``far``.

    Where ``value`` is at least ``floor`` at ``far``, return ``far`` itself. Newton's method with the derivative
    ``rising`` cannot overshoot, because ``value`` is concave.
    """
    for _ in range(STEPS):
        lacking = np.maximum(floor - value(far), 0)
        step = lacking / np.where(lacking > 0, rising(far), 1)
        far = far + step
        if np.abs(step).max(initial=0) < 1e-12:
            break
    return far
