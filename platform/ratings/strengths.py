"""Strengths from games: Bradley-Terry on pairs, ties as half, fitted to all games at once.

A game of k is its k(k-1)/2 pairs, and bot a finishes before b with probability 1 / (1 + exp(b - a)). Pairs of one game
are no independent trials: between equals, what a bot wins varies (k+1)/3 times as much as if they were, so each pair
counts 3/(k+1). The strengths maximise the likelihood times a Gaussian prior for each entrant, which keeps them finite
whatever was played. How wide it is follows from the field: where bots meet whom the ratings suggest, a wider one takes
early luck for strength.

Neither are the games of a block independent, which share their luck. Errors therefore come from the spread of whole
blocks, each judged by the strengths that the others give it (a clustered sandwich H^-1 J H^-1, corrected as the
jackknife does), and not from the curvature H alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import Pairs, curvature, height, pairs_of, slope, summed
from ratings.profiles import Evidence
from ratings.rated import Ratings
from ratings.scale import chance

MOST_STEPS: Final = 100
CLOSE: Final = 1e-7  # logits; Newton's steps shrink quadratically: after one as short, strengths are far closer
ROUNDING: Final = 1e-12  # of a sum over all games, relative


@dataclass(frozen=True, slots=True)
class Prior:
    """What is believed of an entrant before its games, in logits: ``mean`` give or take ``sd``; without ``sd``, as much
    as the newcomers of this field differ, which is estimated from their games.

    With a ``parent``, ``mean`` is the difference from the parent's strength, which is fitted from its own games at the
    same time: a new version starts where its parent stands now.
    """

    mean: float = 0.0
    sd: float | None = None
    parent: int | None = None


NEWCOMER: Final = Prior()
VERSION_SD: Final = 0.7  # logits: a new version of a bot is seldom more than 240 points from its parent
USUAL_SPREAD: Final = 1.0  # logits by which newcomers differ, before anything is known of them, counted as
USUAL_WEIGHT: Final = 5  # so many entrants
USUAL_TRIALS: Final = (
    10  # variance of independent games, added to what was seen when it is asked how games of a block go
)


class ParentError(ValueError):
    """A prior names a parent that is not among the entrants."""

    def __init__(self, entrant: int, parent: int) -> None:
        self.entrant, self.parent = entrant, parent
        super().__init__(f"the prior of entrant {entrant} names {parent} as its parent, which is not being fitted")


def new_version(parent: int) -> Prior:
    """Return the prior of a new version: its parent's strength."""
    return Prior(sd=VERSION_SD, parent=parent)


def fit(
    games: Games, priors: Mapping[int, Prior] | None = None, *, start: Mapping[int, float] | None = None
) -> Ratings:
    """Return ratings of everyone who played or has a prior; an entrant without one is a newcomer. ``start``: strengths
    in logits that are thought to be near. There is one summit, which is found from anywhere, sooner from near it.

    The order of games and of priors does not matter. Takes N^3 time and N^2 memory for N entrants, and the time to
    read the games once: a few seconds for 1,000 entrants and 100,000 games.

    Of 40 games of two entrants the first wins 30:

    >>> games = Games.from_matches([((7, 9), ([1, 1, 1, 2] * 10, [2, 2, 2, 1] * 10))])
    >>> ratings = fit(games)
    >>> ratings.entrants.tolist()
    [7, 9]
    >>> bool(ratings.mean[0] > ratings.mean[1])
    True

    Raises:
        ParentError: a prior names a parent that neither played nor has a prior.
    """
    priors = priors or {}
    played = [np.unique(tables.entrants) for tables in games.tables]
    entrants = np.unique(np.concatenate([np.array(list(priors), dtype=np.int64), *played]))
    tables = [Tables(np.searchsorted(entrants, one.entrants), one.beaten) for one in games.tables]
    weighed = [Tables(one.entrants, one.beaten * 3 / (one.entrants.shape[1] + 1)) for one in tables]
    pairs = pairs_of(weighed, len(entrants))
    believed = [priors.get(entrant, NEWCOMER) for entrant in entrants.tolist()]
    spread = USUAL_SPREAD
    near = start or {}
    strength: Floats = np.array([near.get(entrant, 0.0) for entrant in entrants.tolist()])
    for _ in range(MOST_STEPS):
        precision, pull = _prior(entrants, believed, spread)
        strength = _strongest(pairs, precision, pull, strength)
        inverse = np.linalg.inv(curvature(pairs, strength, precision))
        used, spread = spread, _spread_of(believed, strength + _skew(pairs, strength, inverse), inverse)
        if abs(spread / used - 1) < 0.01:
            break
    judged = [_judged(one, strength, inverse) for one in weighed]
    scatter = precision + sum((one.scatter(len(entrants)) for one in judged), np.zeros_like(precision))
    return Ratings(
        entrants=entrants,
        mean=strength,
        covariance=inverse @ scatter @ inverse,
        blocks=_count(tables, len(entrants), lambda games: np.sign(games)),
        games=_count(tables, len(entrants), lambda games: games),
        evidence=_evidence(entrants, strength, pairs, judged, games.varying),
    )


def _prior(entrants: Ints, believed: Sequence[Prior], spread: float) -> tuple[Floats, Floats]:
    """Return the precision matrix of the priors and their pull: together a density exp(-s'Ps/2 + p's) of strengths
    s.
    """
    precision, pull = np.zeros((len(entrants), len(entrants))), np.zeros(len(entrants))
    index = {entrant: place for place, entrant in enumerate(entrants.tolist())}
    for (entrant, place), prior in zip(index.items(), believed, strict=True):
        weight = (prior.sd or spread) ** -2
        precision[place, place] += weight
        pull[place] += weight * prior.mean
        if prior.parent is None:
            continue
        if prior.parent not in index:
            raise ParentError(entrant, prior.parent)
        parent = index[prior.parent]
        precision[parent, parent] += weight
        precision[place, parent] -= weight
        precision[parent, place] -= weight
        pull[parent] -= weight * prior.mean
    return precision, pull


def _skew(pairs: Pairs, strength: Floats, inverse: Floats) -> Floats:
    """Return how far the mean of what is believed lies beyond its summit, to the first order of Laplace's expansion:
    who has won nearly everything may be far stronger than is likeliest. Without it few games make the field seem
    narrow.
    """
    p = chance(strength[pairs.one] - strength[pairs.other])
    own = np.diag(inverse)
    variance = own[pairs.one] + own[pairs.other] - 2 * inverse[pairs.one, pairs.other]
    push = pairs.met * p * (1 - p) * (2 * p - 1) * variance / 2
    return np.asarray(inverse @ (summed(pairs.one, push, len(own)) - summed(pairs.other, push, len(own))))


def _spread_of(believed: Sequence[Prior], expected: Floats, inverse: Floats) -> float:
    """Return by how much newcomers differ, one step of expectation and maximisation nearer to the likeliest spread."""
    newcomer = np.array([prior.sd is None and prior.parent is None for prior in believed], dtype=bool)
    mean = np.array([prior.mean for prior in believed])
    squares = (expected - mean)[newcomer] ** 2 + np.diag(inverse)[newcomer]
    return float(np.sqrt((USUAL_WEIGHT * USUAL_SPREAD**2 + squares.sum()) / (USUAL_WEIGHT + len(squares))))


def _strongest(pairs: Pairs, precision: Floats, pull: Floats, strength: Floats) -> Floats:
    """Return the strengths of the highest posterior density: Newton's method, its steps halved until they gain. The
    density is strictly log-concave, so there is one summit and it is found.
    """
    now = height(pairs, strength, precision, pull)
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(curvature(pairs, strength, precision), slope(pairs, strength, precision, pull))
        least = now - ROUNDING * abs(now)
        while (higher := height(pairs, strength + step, precision, pull)) < least:
            step /= 2
        strength, now = strength + step, higher
        if np.abs(step).max(initial=0) <= CLOSE:
            break
    return strength


@dataclass(frozen=True, slots=True)
class _Judged:
    """Blocks at tables of k: ``surplus`` (blocks, k), what each entrant won beyond what it was expected to; ``own``,
    the same beyond what strengths fitted without the block would expect (one Newton step away from it): a block must
    not vouch for itself; ``trials`` (blocks), the variance that the surpluses of independent games would have, summed.
    """

    entrants: Ints
    surplus: Floats
    own: Floats
    trials: Floats

    def scatter(self, size: int) -> Floats:
        """Return the sum over blocks of u u', where u is ``own``."""
        cells = self.entrants[:, :, None] * size + self.entrants[:, None, :]
        products = self.own[:, :, None] * self.own[:, None, :]
        return summed(cells.ravel(), products.ravel(), size * size).reshape(size, size)


def beyond(tables: Tables, strength: Floats) -> tuple[Floats, Floats]:
    """Return what each entrant won in each block beyond what it was expected to, shape (blocks, k), ``entrants`` being
    places in ``strength``; and the variance of what each two played if their games are independent, (blocks, k, k).
    """
    mine = strength[tables.entrants]
    p = chance(mine[:, :, None] - mine[:, None, :])
    met = tables.beaten + tables.beaten.swapaxes(1, 2)
    return np.asarray((tables.beaten - met * p).sum(axis=2)), np.asarray(met * p * (1 - p))


def _judged(tables: Tables, strength: Floats, inverse: Floats) -> _Judged:
    seats = np.arange(tables.entrants.shape[1])
    surplus, variance = beyond(tables, strength)
    curved = -variance
    curved[:, seats, seats] = variance.sum(axis=2)
    cells = tables.entrants[:, :, None], tables.entrants[:, None, :]
    own = np.linalg.solve(np.eye(len(seats)) - curved @ inverse[cells], surplus[:, :, None])[:, :, 0]
    return _Judged(tables.entrants, surplus, own, np.trace(curved, axis1=1, axis2=2))


def _evidence(entrants: Ints, strength: Floats, pairs: Pairs, judged: Sequence[_Judged], varying: float) -> Evidence:
    trials = sum(float(one.trials.sum()) for one in judged) / 2
    spread = sum(float((one.surplus * one.own).sum()) for one in judged) / 2
    return Evidence(
        entrants=entrants,
        mean=strength,
        pairs=pairs,
        dispersion=(spread + varying * USUAL_TRIALS) / (trials + USUAL_TRIALS),
        degrees=max(2 * trials - len(entrants) + 1, 5) + 2 * USUAL_TRIALS,
    )


def _count(tables: list[Tables], size: int, worth: Callable[[Floats], Floats]) -> Floats:
    """Return what the games of each block are worth, summed for each entrant."""
    total = np.zeros(size)
    for one in tables:
        total += summed(one.entrants.ravel(), worth(one.games()).ravel(), size)
    return total
