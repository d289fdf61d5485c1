"""How far a strength can be from the likeliest, by the likelihood itself: 95 % intervals that need not be symmetric.

Between bots far apart a few games say that one is better and hardly by how much. There the likelihood is far from a
parabola: a symmetric interval of 1.96 standard errors holds the truth far less often than 95 times in 100, and the
prior, which knows nothing of these two, pulls it towards the middle. So intervals are those of the profile likelihood,
without a prior: all differences that make the games no less likely than by a factor, whatever the others' strengths
are then. Where one has won everything there is no upper end, and the interval is open.

Games of a block share their luck. The factor is therefore that of a quasi-likelihood (McCullagh and Nelder, Generalized
Linear Models, 2nd ed. 1989, chapter 9): the drop in the likelihood is held against an estimated dispersion and
Student's t. Luck that cancels within a block does so between bots that are close; far apart, strength decides every
game, and a dispersion below one counts as far as the two are close, 4 p (1 - p).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ratings.curvature import Curvature, Ties, summed
from ratings.games import Floats, Ints
from ratings.pairs import Pairs, curvature, height, slope
from ratings.scale import Z_95, expected_share

OfAll: TypeAlias = Callable[[Floats], Floats]  # something of everyone by strength, shape (n,)

FARTHEST: Final = 20.0  # logits: an interval that reaches as far is open
HALVINGS: Final = 40
STEPS: Final = 60
CLOSE: Final = 1e-6  # logits
SLIGHT: Final = 1e-4  # precision of a prior that decides nothing, but keeps the arithmetic finite


@dataclass(frozen=True, slots=True)
class Ends:
    """An interval in logits; an end at infinity is open."""

    low: float
    high: float


@dataclass(frozen=True, eq=False)
class Evidence:
    """What was played: ``pairs`` number ``entrants``, of the strengths ``mean``, by their places.

    ``dispersion``: how the results of blocks vary, as a multiple of what independent games would; ``degrees`` of
    freedom it is known by.
    """

    entrants: Ints
    mean: Floats
    pairs: Pairs
    dispersion: float
    degrees: float

    def difference(self, one: int, other: int) -> Ends:
        """Return how far one entrant is above another, both by their places. Takes some tens of fits."""
        size = len(self.entrants)
        if self.groups[one] != self.groups[other]:
            return Ends(-inf, inf)
        profile = _Profile(self.pairs, one, other, size)
        lead = float(profile.best[one] - profile.best[other])
        allowed = self._drop(4 * expected_share(np.array(lead)) * expected_share(np.array(-lead)))
        return Ends(profile.end(lead, -1, float(allowed)), profile.end(lead, 1, float(allowed)))

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """For everyone the ends of the interval of its strength, shape (n,) each, when the others have theirs. That
        these are uncertain too raises the drop in likelihood that is allowed, by as much as it raises the variance.
        What is uncertain about everyone in a group alike is left out."""
        mean, size, pairs = self.mean, len(self.entrants), self.pairs
        mine, theirs = np.concatenate([pairs.one, pairs.other]), np.concatenate([pairs.other, pairs.one])
        won, met = np.concatenate([pairs.won, pairs.met - pairs.won]), np.concatenate([pairs.met, pairs.met])
        p = expected_share(mean[mine] - mean[theirs])
        known = summed(mine, met * p * (1 - p), size)
        even = summed(mine, met * 4 * p * (1 - p), size) / np.maximum(summed(mine, met, size), 1e-9)
        allowed = self._drop(even) * np.maximum(known * self._variances(), 1)

        def value(strength: Floats) -> Floats:
            lead = strength[mine] - mean[theirs]
            return summed(mine, won * lead - met * np.logaddexp(0, lead), size)

        def rising(strength: Floats) -> Floats:
            return summed(mine, won - met * expected_share(strength[mine] - mean[theirs]), size)

        least, most = mean - FARTHEST, mean + FARTHEST
        summit = _boundary(least, most, lambda strength: rising(strength) > 0)
        floor = value(summit) - allowed
        low, high = _reached(least, floor, value, rising), _reached(most, floor, value, rising)
        low = np.where(value(least) >= floor, -inf, np.minimum(low, mean))
        high = np.where(value(most) >= floor, inf, np.maximum(high, mean))
        return low, high

    @cached_property
    def groups(self) -> Ints:
        """For everyone the first place of its group: those whom chains of games connect. Ratings of bots in different
        groups rest on nothing that was played between them."""
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
        """Return by how much the logarithm of the likelihood may fall short of its summit."""
        student = Z_95 + (Z_95**3 + Z_95) / (4 * self.degrees)  # Cornish and Fisher's expansion
        dispersion = self.dispersion if self.dispersion > 1 else 1 - (1 - self.dispersion) * even
        return np.asarray(dispersion * student**2 / 2)

    def _variances(self) -> Floats:
        """Return the variance of each strength against its group's mean, if nothing were believed before the games; so
        that two of them, known equally well, add up to that of their difference.
        """
        size, group = len(self.entrants), self.groups
        inverse = curvature(self.pairs, self.mean, _hardly(self.pairs, size)).inverse()
        members = summed(group, np.ones(size), size)[group]
        return inverse.centred(group) * members / np.maximum(members - 1, 1)


class _Profile:
    """The likelihood of the lead of ``one`` over ``other``, the highest over all strengths that have this lead."""

    def __init__(self, pairs: Pairs, one: int, other: int, size: int) -> None:
        self.pairs, self.size = pairs, size
        self.precision, self.pull = _hardly(pairs, size), np.zeros(size)
        self.best = self._climb(np.zeros(size), np.eye(size))
        self.summit = height(pairs, self.best, self.precision, self.pull)
        self.step = np.zeros(size)
        self.step[one] = 1.0
        self.free = np.delete(np.eye(size), one, axis=1)  # the one moves with the other
        self.free[one, other - (other > one)] = 1.0

    def end(self, lead: float, way: int, allowed: float) -> float:
        """Return the farthest lead in one direction that is no less likely than ``allowed``."""
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
        return self.summit - height(self.pairs, self._climb(start, self.free), self.precision, self.pull)

    def _climb(self, strength: Floats, free: Floats) -> Floats:
        """Return the highest that can be reached from ``strength`` by moving along the columns of ``free``."""
        now = height(self.pairs, strength, self.precision, self.pull)
        for _ in range(STEPS):
            curved = free.T @ curvature(self.pairs, strength, self.precision).matrix() @ free
            step = free @ np.linalg.solve(curved, free.T @ slope(self.pairs, strength, self.precision, self.pull))
            while (higher := height(self.pairs, strength + step, self.precision, self.pull)) < now - 1e-9:
                step = step / 2
            strength, now = strength + step, higher
            if np.abs(step).max(initial=0) <= CLOSE:
                break
        return strength


def _hardly(pairs: Pairs, size: int) -> Curvature:
    """Return that of a prior that decides nothing."""
    return Curvature(np.full(size, SLIGHT), Ties(size, pairs.one, pairs.other), np.zeros(len(pairs.met)))


def _boundary(there: Floats, here: Floats, holds: Callable[[Floats], NDArray[np.bool_]]) -> Floats:
    """Return the place between ``there``, where something ``holds``, and ``here``, where it does not, at which it
    ends.
    """
    for _ in range(HALVINGS):
        middle = (there + here) / 2
        held = holds(middle)
        there, here = np.where(held, middle, there), np.where(held, here, middle)
    return here


def _reached(
    far: Floats, floor: Floats, value: Callable[[Floats], Floats], rising: Callable[[Floats], Floats]
) -> Floats:
    """Return the first places from ``far`` on at which a concave ``value`` that is ``rising`` so fast reaches
    ``floor``, by Newton's method, which cannot go beyond; ``far`` where it does at once."""
    for _ in range(STEPS):
        lacking = np.maximum(floor - value(far), 0)
        step = lacking / np.where(lacking > 0, rising(far), 1)
        far = far + step
        if np.abs(step).max(initial=0) < 1e-12:
            break
    return far
