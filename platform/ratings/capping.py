"""Limit how much the bots of one author can change the rating of another bot, in case they lose on purpose.

The surplus of a bot against an author is the number of games that it won against the author's bots, minus the number
that the ratings predict. There are two limits for it: 0.5 standard deviations of luck over all these games, and one
standard deviation of a single block between equals. If the surplus exceeds both limits, all games of the bot against
this author get a smaller weight. With this weight, their surplus is the larger limit (Huber's weights, Robust
Statistics, 1981). The second limit is for bots that met seldom: after a single block of two games, only an even score
is within 0.5 deviations. The spread of newcomers is estimated before any weight is reduced, because reduced weights
would make it smaller.

If all authors are honest, the limits cost precision: as much as if a fifth of the games had not been played. The
intervals of ratings are slightly too narrow. See docs/explanation/leagues.md for figures.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.fitted_ratings import Ratings, Strengths
from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import rating_pairs_distinct
from ratings.priors import Prior
from ratings.scale import rating_expected_share
from ratings.strengths import strengths_fit, strengths_fit_values

MOST_DEVIATIONS: Final = 0.5  # the first limit, in standard deviations of luck
ROUNDS: Final = 4  # fits with reduced weights; further fits would change ratings only by a few points


@dataclass(frozen=True, slots=True)
class Sides:
    """The bot and the author of each entrant. All versions of a bot have the same bot."""

    bot: Mapping[int, int]
    author: Mapping[int, int]


def ratings_fit_capped(
    games: Games, priors: Mapping[int, Prior], sides: Sides, *, start: Mapping[int, float] | None = None
) -> Ratings:
    """Fit as ``strengths_fit`` does, and limit how much the bots of one author change the rating of another bot.

    Raises:
        ParentError: see ``strengths_fit``.
        KeyError: an entrant that played has no side.
    """
    near, lighter, spread = start, games, None
    for _ in range(ROUNDS):
        found = strengths_fit_values(lighter, priors, start=near, spread=spread)
        near = dict(zip(found.entrants.tolist(), found.mean.tolist(), strict=True))
        lighter, spread = ratings_games_capped(games, found, sides), found.spread
    return strengths_fit(lighter, priors, start=near, spread=spread)


def ratings_games_capped(games: Games, ratings: Strengths, sides: Sides) -> Games:
    """Return ``games``. Where a surplus exceeds both limits, the games have reduced weights.

    Raises:
        KeyError: an entrant that played has no rating or no side.
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
    """All ordered pairs of seats in all blocks at tables of k, as flat arrays of shape (blocks * k (k-1),)."""

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
        expected = rating_expected_share(strength[:, self.one] - strength[:, self.other])
        self.shape = won.shape
        self.met = met.ravel()
        self.keys = np.stack([bot[:, self.one].ravel(), author[:, self.other].ravel()], axis=1)
        self.surplus = (won - met * expected).ravel()
        self.variance = (met * expected * (1 - expected)).ravel()

    def weighed(self, tables: Tables, weights: Floats) -> Tables:
        """Return ``tables`` with weights.

        A pair of seats has two weights: each seat is the bot once, and the opponent once. The smaller weight is
        applied.
        """
        square = np.ones(tables.beaten.shape)
        square[:, self.one, self.other] = weights.reshape(self.shape)
        return Tables(tables.entrants, tables.beaten * np.minimum(square, square.swapaxes(1, 2)))


def _weights(keys: Ints, met: Floats, surplus: Floats, variance: Floats) -> Floats:
    """Return a weight for each ordered pair of seats, which are a bot and an opponent.

    It is 1 if the surplus of the bot against the opponent's author is within a limit, otherwise less. ``keys`` has the
    bot and this author, and ``met`` the number of games of the pair in the block.
    """
    distinct, place = rating_pairs_distinct(keys)
    total = np.abs(np.bincount(place, surplus, len(distinct)))
    deviation = np.sqrt(np.bincount(place, variance, len(distinct)))
    of_one_block = np.zeros(len(distinct))
    np.maximum.at(of_one_block, place, np.sqrt(met) / 2)
    cap = np.maximum(MOST_DEVIATIONS * deviation, of_one_block)
    return np.asarray(np.minimum(1, cap / np.maximum(total, 1e-9))[place])
