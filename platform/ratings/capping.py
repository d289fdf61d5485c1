"""What one author's bots may add to a rating: no more than luck explains. Against bots that lose to one on purpose.

Between a bot and everything that one author let play against it, the surplus is what it won beyond what the ratings
expect. Where that is more than 0.5 standard deviations of luck, and more than one standard deviation of a single block
between equals, the games of the two count for less, all alike, until what they add is as much (Huber's weights, Robust
Statistics, 1981). The least is there because few results are no measure of luck: of two who met in one block of two,
0.5 deviations would weigh down everything but a draw. How far newcomers differ is estimated before anything is weighed
down, so that what is taken from the games is not taken from their spread a second time.

Where all are honest the ratings lose by it about as much as if a fifth of the games had not been played, and their
intervals are somewhat too narrow: docs/explanation/leagues.md has figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import distinct_pairs
from ratings.priors import Prior
from ratings.rated import Ratings, Strengths
from ratings.scale import expected_share
from ratings.strengths import fit, fit_strengths

MOST_DEVIATIONS: Final = 0.5  # standard deviations of luck: what many games against one author may add
ROUNDS: Final = 4  # fits after the first; from then on no rating moves by more than a few points


@dataclass(frozen=True, slots=True)
class Sides:
    """Whose the entrants are: of each its bot, whichever version, and its author."""

    bot: Mapping[int, int]
    author: Mapping[int, int]


def fit_capped(
    games: Games, priors: Mapping[int, Prior], sides: Sides, *, start: Mapping[int, float] | None = None
) -> Ratings:
    """Fit as ``strengths.fit`` does, with what the bots of one author may add to another's bot capped.

    Raises:
        ParentError: as ``fit`` does.
        KeyError: somebody who played is on no side.
    """
    near, lighter, spread = start, games, None
    for _ in range(ROUNDS):
        found = fit_strengths(lighter, priors, start=near, spread=spread)
        near = dict(zip(found.entrants.tolist(), found.mean.tolist(), strict=True))
        lighter, spread = capped(games, found, sides), found.spread
    return fit(lighter, priors, start=near, spread=spread)


def capped(games: Games, ratings: Strengths, sides: Sides) -> Games:
    """Return the games with those weighed down that add more to a rating, as it is, than luck explains.

    Raises:
        KeyError: somebody who played is not rated, or on no side.
    """
    pairs = [_SeatPairs(tables, ratings, sides) for tables in games.tables]
    if not pairs:
        return games
    weights = _weights(
        np.concatenate([one.keys for one in pairs]),
        np.concatenate([one.met for one in pairs]),
        np.concatenate([one.surplus for one in pairs]),
        np.concatenate([one.variance for one in pairs]),
    )
    bounds = np.cumsum([len(one.keys) for one in pairs])[:-1]
    parts = zip(games.tables, pairs, np.split(weights, bounds), strict=True)
    return Games(tuple(one.weighed(tables, part) for tables, one, part in parts), games.varying)


class _SeatPairs:
    """Of tables of k, each ordered pair of seats of each block, shape (blocks, k (k-1)) and flat."""

    def __init__(self, tables: Tables, ratings: Strengths, sides: Sides) -> None:
        size = tables.entrants.shape[1]
        self.one, self.other = np.nonzero(~np.eye(size, dtype=bool))
        entrants, place = np.unique(tables.entrants, return_inverse=True)
        place = place.reshape(tables.entrants.shape)
        strength = ratings.of(tables.entrants)
        bot, author = (
            np.array([side[entrant] for entrant in entrants.tolist()])[place] for side in (sides.bot, sides.author)
        )
        won = tables.beaten[:, self.one, self.other]
        met = won + tables.beaten[:, self.other, self.one]
        expected = expected_share(strength[:, self.one] - strength[:, self.other])
        self.shape = won.shape
        self.met = met.ravel()
        self.keys = np.stack([bot[:, self.one].ravel(), author[:, self.other].ravel()], axis=1)
        self.surplus = (won - met * expected).ravel()
        self.variance = (met * expected * (1 - expected)).ravel()

    def weighed(self, tables: Tables, weights: Floats) -> Tables:
        """Weigh ``tables``: a game counts for as little as the one side or the other makes of it."""
        square = np.ones(tables.beaten.shape)
        square[:, self.one, self.other] = weights.reshape(self.shape)
        return Tables(tables.entrants, tables.beaten * np.minimum(square, square.swapaxes(1, 2)))


def _weights(keys: Ints, met: Floats, surplus: Floats, variance: Floats) -> Floats:
    """Return the weights by bot and author: 1 as long as luck explains the surplus, less beyond. ``met``: of each pair
    of a block, its games."""
    distinct, place = distinct_pairs(keys)
    total = np.abs(np.bincount(place, surplus, len(distinct)))
    deviation = np.sqrt(np.bincount(place, variance, len(distinct)))
    of_one_block = np.zeros(len(distinct))
    np.maximum.at(of_one_block, place, np.sqrt(met) / 2)
    cap = np.maximum(MOST_DEVIATIONS * deviation, of_one_block)
    return np.asarray(np.minimum(1, cap / np.maximum(total, 1e-9))[place])
