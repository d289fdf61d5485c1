"""Strengths from games: Bradley-Terry on pairs, ties as half, fitted to all games at once.

A game of k is its k(k-1)/2 pairs, and bot a finishes before b with probability 1 / (1 + exp(b - a)). Pairs of one game
are no independent trials: between equals, what a bot wins varies (k+1)/3 times as much as if they were, so each pair
counts 3/(k+1). The strengths maximise the likelihood times a Gaussian prior for each entrant, which keeps them finite
whatever was played. How wide it is follows from the field: where bots meet whom the ratings suggest, a wider one takes
early luck for strength. Games with their luck taken off may leave a pair less than none won, or more than all; where
that keeps the estimate from settling, such a pair counts as none or all.

Neither are the games of a block independent, which share their luck. Errors therefore come from the spread of whole
blocks, each judged by the strengths that the others give it (a clustered sandwich H^-1 J H^-1, corrected as the
jackknife does), and not from the curvature H alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.covariances import ByDraws, Covariance
from ratings.curvature import Curvature, summed
from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import Pairs, are_possible, curvature, height, pairs_of, possible, slope
from ratings.priors import Prior, Priors
from ratings.profiles import Evidence
from ratings.rated import Ratings, Strengths
from ratings.scale import expected_share

MOST_STEPS: Final = 100
FEWER_DRAWS: Final = 64  # for what a block vouches for of itself, one of many
VOUCHED_MOST: Final = 0.9  # that a block vouches for of itself in large fields; usual is a tenth
ENOUGH_DRAWN: Final = 80_000  # strengths, in all draws together, for what is averaged over the field
CLOSE: Final = 1e-7  # logits; Newton's steps shrink quadratically: after one as short, strengths are far closer
ROUNDING: Final = 1e-12  # of a sum over all games, relative
WIDEST: Final = 10.0  # logits by which newcomers differ, and
FARTHEST: Final = 20.0  # from what is believed: 3,474 points; no field that plays games of ours is like that
USUAL_SPREAD: Final = 1.0  # logits by which newcomers differ, before anything is known of them, counted as
USUAL_WEIGHT: Final = 5  # so many entrants
USUAL_TRIALS: Final = (
    10  # variance of independent games, added to what was seen when it is asked how games of a block go
)


def fit(
    games: Games,
    priors: Mapping[int, Prior] | None = None,
    *,
    start: Mapping[int, float] | None = None,
    spread: float | None = None,
) -> Ratings:
    """Return ratings of everyone who played or has a prior; an entrant without one is a newcomer. ``start``: strengths
    in logits that are thought to be near. There is one summit, which is found from anywhere, sooner from near it.
    ``spread``: the standard deviation of newcomers, in logits, if it is not to be estimated.

    Up to ``EXACT_MOST`` entrants it takes N^3 time and N^2 memory, and the order of games and of priors does not
    matter. With more entrants both grow with the number of pairs that met: some seconds for 10,000 entrants and 200,000
    blocks. The covariance is drawn then: standard errors are off by some 4 %, the same for everyone who fits the same
    blocks in the same order. By how much newcomers differ is off by some .5 %, and strengths by what follows from that.

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
    return _Summit(games, priors or {}, start or {}, spread).ratings()


def fit_strengths(
    games: Games,
    priors: Mapping[int, Prior] | None = None,
    *,
    start: Mapping[int, float] | None = None,
    spread: float | None = None,
) -> Strengths:
    """Return what ``fit`` does without errors, sooner. Raises ParentError as it does."""
    summit = _Summit(games, priors or {}, start or {}, spread)
    return Strengths(summit.entrants, summit.strength, summit.spread)


class _Summit:
    """The likeliest strengths, and the blocks, pairs and curvature there. Entrants are numbered by their places."""

    def __init__(
        self, games: Games, priors: Mapping[int, Prior], start: Mapping[int, float], spread: float | None
    ) -> None:
        played = [np.unique(tables.entrants) for tables in games.tables]
        self.entrants = np.unique(np.concatenate([np.array(list(priors), dtype=np.int64), *played]))
        self.size, self.varying = len(self.entrants), games.varying
        self.tables = [Tables(np.searchsorted(self.entrants, one.entrants), one.beaten) for one in games.tables]
        self.weighed = [Tables(one.entrants, one.beaten * 3 / (one.entrants.shape[1] + 1)) for one in self.tables]
        self.pairs = pairs_of(self.weighed, self.size)
        self.believed = Priors.of(self.entrants, priors)
        self.ties = self.believed.ties(self.pairs)
        near = np.fromiter((start.get(entrant, 0.0) for entrant in self.entrants.tolist()), np.float64, self.size)
        if not self._reached(near, spread):
            self.pairs = possible(self.pairs)
            self._reached(near, spread)

    def _reached(self, near: Floats, spread: float | None) -> bool:
        """Climb from ``near``; return False where games with their luck taken off lead to nowhere. Who won less than
        none of its games falls without end as the field is taken to be wider, and the field widens as it falls."""
        self.strength = near
        self._climb(spread or USUAL_SPREAD)
        if spread is None and self.believed.newcomers.any():
            self._estimate_spread()
        return not self._is_nowhere

    @property
    def _is_nowhere(self) -> bool:
        far = self.spread >= WIDEST or np.abs(self.strength - self.believed.mean).max(initial=0) > FARTHEST
        return bool(far and not are_possible(self.pairs))

    def _climb(self, spread: float) -> None:
        self.spread = spread
        self.prior, pull = self.believed.density(spread, self.ties)
        self.strength = _strongest(self.pairs, self.prior, pull, self.strength)
        self.curved = curvature(self.pairs, self.strength, self.prior)

    def _estimate_spread(self) -> None:
        for _ in range(MOST_STEPS):
            spread = self._likelier_spread()
            if abs(spread / self.spread - 1) < 0.01:
                break
            self._climb(spread)

    def _likelier_spread(self) -> float:
        """Return by how much newcomers differ, one step of expectation and maximisation nearer to the likeliest
        spread, or ``WIDEST``: Laplace's expansion does not hold for who won each of very many games."""
        inverse, who = self.curved.inverse(-(-ENOUGH_DRAWN // max(self.size, 1))), self.believed.newcomers
        off = self.strength + self._skew(inverse) - self.believed.mean
        squares = off[who] ** 2 + inverse.variances()[who]
        likelier = np.sqrt((USUAL_WEIGHT * USUAL_SPREAD**2 + squares.sum()) / (USUAL_WEIGHT + len(squares)))
        return min(float(likelier), WIDEST)

    def _skew(self, inverse: Covariance) -> Floats:
        """Return how far the mean of what is believed lies beyond its summit, to the first order of Laplace's
        expansion: who has won nearly everything may be far stronger than is likeliest. Without it few games make the
        field seem narrow.
        """
        pairs = self.pairs
        p = expected_share(self.strength[pairs.one] - self.strength[pairs.other])
        push = pairs.met * p * (1 - p) * (2 * p - 1) * inverse.between(pairs.one, pairs.other) / 2
        return self.curved.solved(summed(pairs.one, push, self.size) - summed(pairs.other, push, self.size))

    def ratings(self) -> Ratings:
        inverse = self.curved.inverse(FEWER_DRAWS)
        judged = [_judged(one, self.strength, inverse) for one in self.weighed]
        return Ratings(
            entrants=self.entrants,
            mean=self.strength,
            spread=self.spread,
            known=self.curved.sandwich(self.prior, [(one.entrants, one.own) for one in judged]),
            blocks=_count(self.tables, self.size, lambda games: np.sign(games)),
            games=_count(self.tables, self.size, lambda games: games),
            evidence=_evidence(self.entrants, self.strength, self.pairs, judged, self.varying),
        )


def _strongest(pairs: Pairs, prior: Curvature, pull: Floats, strength: Floats) -> Floats:
    """Return the strengths of the highest posterior density: Newton's method, its steps halved until they gain. The
    density is strictly log-concave, so there is one summit and it is found.
    """
    now = height(pairs, strength, prior, pull)
    for _ in range(MOST_STEPS):
        step = curvature(pairs, strength, prior).solved(slope(pairs, strength, prior, pull))
        least = now - ROUNDING * abs(now)
        while (higher := height(pairs, strength + step, prior, pull)) < least:
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


def beyond(tables: Tables, strength: Floats) -> tuple[Floats, Floats]:
    """Return what each entrant won in each block beyond what it was expected to, shape (blocks, k), ``entrants`` being
    places in ``strength``; and the variance of what each two played if their games are independent, (blocks, k, k).
    """
    mine = strength[tables.entrants]
    p = expected_share(mine[:, :, None] - mine[:, None, :])
    met = tables.beaten + tables.beaten.swapaxes(1, 2)
    return np.asarray((tables.beaten - met * p).sum(axis=2)), np.asarray(met * p * (1 - p))


def _judged(tables: Tables, strength: Floats, inverse: Covariance) -> _Judged:
    seats = np.arange(tables.entrants.shape[1])
    surplus, variance = beyond(tables, strength)
    curved = -variance
    curved[:, seats, seats] = variance.sum(axis=2)
    vouched: Floats = curved @ inverse.at_tables(tables.entrants)
    if isinstance(inverse, ByDraws):
        vouched = _bounded(vouched)
    own = np.linalg.solve(np.eye(len(seats)) - vouched, surplus[:, :, None])[:, :, 0]
    return _Judged(tables.entrants, surplus, own, np.trace(curved, axis1=1, axis2=2))


def _bounded(vouched: Floats) -> Floats:
    """Return what blocks vouch for of themselves, (blocks, k, k), as no more than ``VOUCHED_MOST`` of it: drawn, what
    is hardly less than all may come out as more."""
    bounded = vouched.copy()
    much = np.flatnonzero(np.trace(vouched, axis1=1, axis2=2) > VOUCHED_MOST)
    largest = np.linalg.eigvals(vouched[much]).real.max(axis=1, initial=VOUCHED_MOST)
    bounded[much] *= (VOUCHED_MOST / largest)[:, None, None]
    return bounded


def _evidence(entrants: Ints, strength: Floats, pairs: Pairs, judged: Sequence[_Judged], varying: float) -> Evidence:
    trials = sum(float(one.trials.sum()) for one in judged) / 2
    spread = sum(float((one.surplus * one.own).sum()) for one in judged) / 2
    return Evidence(
        entrants=entrants,
        mean=strength,
        pairs=pairs,
        # With few blocks that vouch for much of themselves the products may come out below nothing.
        dispersion=(max(spread, 0.0) + varying * USUAL_TRIALS) / (trials + USUAL_TRIALS),
        degrees=max(2 * trials - len(entrants) + 1, 5) + 2 * USUAL_TRIALS,
    )


def _count(tables: list[Tables], size: int, worth: Callable[[Floats], Floats]) -> Floats:
    """Return what the games of each block are worth, summed for each entrant."""
    total = np.zeros(size)
    for one in tables:
        total += summed(one.entrants.ravel(), worth(one.games()).ravel(), size)
    return total
