"""Fit strengths to all games at once: Bradley-Terry on pairs, with ties as half a win.

A game of k players consists of k(k-1)/2 pairs. Bot a finishes before bot b with probability 1 / (1 + exp(b - a)). The
pairs of a game are not independent trials. Between equals, the variance of the number of opponents that a bot beats is
(k+1)/3 times as large as with independent pairs. So each pair has the weight 3/(k+1).

The strengths maximise the likelihood times a Gaussian prior for each entrant. The prior keeps strengths finite for any
results. Its width is estimated from the field. A prior that is too wide would mistake early luck for strength if bots
meet opponents by their ratings.

In luck-adjusted games, an entrant may have won less than none, or more than all, of its games against another. If the
estimate of the width does not converge for this reason, such a result counts as none or as all.

The games of a block share their luck, so they are not independent either. So standard errors are not computed from the
curvature H alone, but from the spread of whole blocks: a clustered sandwich H^-1 J H^-1, where J is the covariance of
the gradient over blocks. Each block is compared with the strengths that result without it (the jackknife correction).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.covariances import ByDraws, Covariance
from ratings.curvature import Curvature, curvature_summed
from ratings.fitted_ratings import Ratings, Strengths
from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import (
    Pairs,
    pairs_curvature,
    pairs_gradient,
    pairs_log_posterior,
    rating_pairs,
    rating_pairs_are_possible,
    rating_pairs_possible,
)
from ratings.priors import Prior, Priors
from ratings.profiles import Evidence
from ratings.scale import rating_expected_share

MOST_STEPS: Final = 100
FEWER_DRAWS: Final = 64  # draws for estimating the leverage of blocks, which is small
VOUCHED_MOST: Final = 0.9  # limit of the leverage of a block in large fields; usually it is a tenth
ENOUGH_DRAWN: Final = 80_000  # drawn strengths, entrants times draws, for averages over the field
CLOSE: Final = 1e-7  # logits; Newton's method converges quadratically, so after such a step the error is far smaller
ROUNDING: Final = 1e-12  # relative error of a sum over all games
WIDEST: Final = 10.0  # logits; largest spread of newcomers
FARTHEST: Final = 20.0  # logits (3,474 points); a fit that is farther from the prior mean has diverged
USUAL_SPREAD: Final = 1.0  # logits; the spread of newcomers that is assumed before their games
USUAL_WEIGHT: Final = 5  # entrants; the weight of this assumption
USUAL_TRIALS: Final = (
    10  # the weight of ``Games.varying`` in the estimate of the dispersion, as a variance of independent games
)


def strengths_fit(
    games: Games,
    priors: Mapping[int, Prior] | None = None,
    *,
    start: Mapping[int, float] | None = None,
    spread: float | None = None,
) -> Ratings:
    """Return the ratings of all entrants that played or have a prior. An entrant without a prior is a newcomer.

    ``start`` gives approximate strengths in logits. The maximum is unique and is found from any start, but a near start
    is faster. ``spread`` is the standard deviation of newcomers in logits; by default it is estimated.

    Up to ``EXACT_MOST`` entrants, the fit takes N^3 time and N^2 memory, and the order of games and priors does not
    matter. With more entrants, time and memory grow with the number of pairs that met: the fit takes some seconds for
    10,000 entrants and 200,000 blocks. Then the covariance is estimated from random draws, and standard errors are off
    by about 4 %. The draws have a fixed seed, so the same blocks in the same order give the same errors. The estimated
    spread of newcomers is off by about .5 %, which changes strengths a little.

    Of 40 games between two entrants, the first wins 30:

    >>> games = Games.from_matches([((7, 9), ([1, 1, 1, 2] * 10, [2, 2, 2, 1] * 10))])
    >>> ratings = strengths_fit(games)
    >>> ratings.entrants.tolist()
    [7, 9]
    >>> bool(ratings.mean[0] > ratings.mean[1])
    True

    Raises:
        ParentError: a prior names a parent that neither played nor has a prior.
    """
    return _Summit(games, priors or {}, start or {}, spread).ratings()


def strengths_fit_values(
    games: Games,
    priors: Mapping[int, Prior] | None = None,
    *,
    start: Mapping[int, float] | None = None,
    spread: float | None = None,
) -> Strengths:
    """Return the result of ``strengths_fit`` without standard errors, which is faster.

    Raises:
        ParentError: see ``strengths_fit``.
    """
    summit = _Summit(games, priors or {}, start or {}, spread)
    return Strengths(summit.entrants, summit.strength, summit.spread)


class _Summit:
    """The strengths at the maximum, and the curvature there. Entrants are given by their indices."""

    def __init__(
        self, games: Games, priors: Mapping[int, Prior], start: Mapping[int, float], spread: float | None
    ) -> None:
        played = [np.unique(tables.entrants) for tables in games.tables]
        self.entrants = np.unique(np.concatenate([np.array(list(priors), dtype=np.int64), *played]))
        self.size, self.varying = len(self.entrants), games.varying
        self.tables = [Tables(np.searchsorted(self.entrants, one.entrants), one.beaten) for one in games.tables]
        self.weighed = [Tables(one.entrants, one.beaten * 3 / (one.entrants.shape[1] + 1)) for one in self.tables]
        self.pairs = rating_pairs(self.weighed, self.size)
        self.believed = Priors.of(self.entrants, priors)
        self.ties = self.believed.ties(self.pairs)
        near = np.fromiter((start.get(entrant, 0.0) for entrant in self.entrants.tolist()), np.float64, self.size)
        if not self._reached(near, spread):
            self.pairs = rating_pairs_possible(self.pairs)
            self._reached(near, spread)

    def _reached(self, near: Floats, spread: float | None) -> bool:
        """Maximise from ``near``. Return False if the fit diverges, which is possible only for luck-adjusted games.

        An entrant that won less than none of its games has no lowest likely strength. A wider prior lowers its
        strength, the lower strength widens the estimated prior, and so on.
        """
        self.strength = near
        self._climb(spread or USUAL_SPREAD)
        if spread is None and self.believed.newcomers.any():
            self._estimate_spread()
        return not self._is_nowhere

    @property
    def _is_nowhere(self) -> bool:
        far = self.spread >= WIDEST or np.abs(self.strength - self.believed.mean).max(initial=0) > FARTHEST
        return bool(far and not rating_pairs_are_possible(self.pairs))

    def _climb(self, spread: float) -> None:
        self.spread = spread
        self.prior, pull = self.believed.density(spread, self.ties)
        self.strength = _strongest(self.pairs, self.prior, pull, self.strength)
        self.curved = pairs_curvature(self.pairs, self.strength, self.prior)

    def _estimate_spread(self) -> None:
        for _ in range(MOST_STEPS):
            spread = self._likelier_spread()
            if abs(spread / self.spread - 1) < 0.01:
                break
            self._climb(spread)

    def _likelier_spread(self) -> float:
        """Return the spread of newcomers after one step of expectation maximisation, at most ``WIDEST``.

        Laplace's expansion fails for entrants that won each of very many games. The limit is for this case.
        """
        inverse, who = self.curved.inverse(-(-ENOUGH_DRAWN // max(self.size, 1))), self.believed.newcomers
        off = self.strength + self._skew(inverse) - self.believed.mean
        squares = off[who] ** 2 + inverse.variances()[who]
        likelier = np.sqrt((USUAL_WEIGHT * USUAL_SPREAD**2 + squares.sum()) / (USUAL_WEIGHT + len(squares)))
        return min(float(likelier), WIDEST)

    def _skew(self, inverse: Covariance) -> Floats:
        """Return the posterior means minus the strengths at the maximum, to the first order of Laplace's expansion.

        An entrant that won nearly all its games may be far stronger than at the maximum. Without this correction, the
        field would seem too narrow after few games.
        """
        pairs = self.pairs
        p = rating_expected_share(self.strength[pairs.one] - self.strength[pairs.other])
        push = pairs.met * p * (1 - p) * (2 * p - 1) * inverse.between(pairs.one, pairs.other) / 2
        return self.curved.solved(
            curvature_summed(pairs.one, push, self.size) - curvature_summed(pairs.other, push, self.size)
        )

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
    """Return the strengths at the maximum of the posterior, by Newton's method with step halving.

    The density is strictly log-concave, so the maximum is unique and is found.
    """
    now = pairs_log_posterior(pairs, strength, prior, pull)
    for _ in range(MOST_STEPS):
        step = pairs_curvature(pairs, strength, prior).solved(pairs_gradient(pairs, strength, prior, pull))
        least = now - ROUNDING * abs(now)
        while (higher := pairs_log_posterior(pairs, strength + step, prior, pull)) < least:
            step /= 2
        strength, now = strength + step, higher
        if np.abs(step).max(initial=0) <= CLOSE:
            break
    return strength


@dataclass(frozen=True, slots=True)
class _Judged:
    """The deviations of blocks at tables of k from the fitted strengths.

    ``surplus``, shape (blocks, k), is what each entrant won beyond its expectation. ``own`` has the same numbers
    relative to strengths that are fitted without the block, so that a block does not confirm itself. Such a fit is
    approximated by one Newton step. ``trials``, shape (blocks,), is the sum of the variances that the surpluses would
    have if games were independent.
    """

    entrants: Ints
    surplus: Floats
    own: Floats
    trials: Floats


def strengths_surplus(tables: Tables, strength: Floats) -> tuple[Floats, Floats]:
    """Return the surplus of each entrant in each block, and the variances of its pairs if games were independent.

    The shapes are (blocks, k) and (blocks, k, k). The ``entrants`` of ``tables`` are indices into ``strength``.
    """
    mine = strength[tables.entrants]
    p = rating_expected_share(mine[:, :, None] - mine[:, None, :])
    met = tables.beaten + tables.beaten.swapaxes(1, 2)
    return np.asarray((tables.beaten - met * p).sum(axis=2)), np.asarray(met * p * (1 - p))


def _judged(tables: Tables, strength: Floats, inverse: Covariance) -> _Judged:
    seats = np.arange(tables.entrants.shape[1])
    surplus, variance = strengths_surplus(tables, strength)
    curved = -variance
    curved[:, seats, seats] = variance.sum(axis=2)
    vouched: Floats = curved @ inverse.at_tables(tables.entrants)
    if isinstance(inverse, ByDraws):
        vouched = _bounded(vouched)
    own = np.linalg.solve(np.eye(len(seats)) - vouched, surplus[:, :, None])[:, :, 0]
    return _Judged(tables.entrants, surplus, own, np.trace(curved, axis1=1, axis2=2))


def _bounded(vouched: Floats) -> Floats:
    """Return the leverages of blocks, shape (blocks, k, k), limited to ``VOUCHED_MOST``.

    A leverage just below one may exceed one when it is estimated from draws.
    """
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
        # If there are few blocks and their leverage is high, ``spread`` may be negative.
        dispersion=(max(spread, 0.0) + varying * USUAL_TRIALS) / (trials + USUAL_TRIALS),
        degrees=max(2 * trials - len(entrants) + 1, 5) + 2 * USUAL_TRIALS,
    )


def _count(tables: list[Tables], size: int, worth: Callable[[Floats], Floats]) -> Floats:
    """Return for each entrant the sum over its blocks of ``worth``, applied to its number of games in the block."""
    total = np.zeros(size)
    for one in tables:
        total += curvature_summed(one.entrants.ravel(), worth(one.games()).ravel(), size)
    return total
