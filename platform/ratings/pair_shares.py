"""The share of games that each bot won of each other bot, with its interval, independent of ratings.

The games of a block share their luck, so a share does not have the variance of as many coin flips. Its variance is that
of coin flips times a factor, which is the same for all pairs. The factor compares the results of blocks with the share
of their pair. It is the sum of the squared deviations, divided by the sum that coin flips would have. If too few pairs
have met in more than one block to estimate the factor, the games of a block count as one game.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from ratings.games import Floats, Games, Ints
from ratings.pairs import rating_pairs_distinct
from ratings.scale import Z_95

DEGREES_LEAST: Final = 30  # blocks that are needed to estimate the factor, not counting the first block of each pair
SCALE_LEAST: Final = 0.25  # the least factor: rotating seats removes some of the luck, but not all


@dataclass(frozen=True, slots=True)
class PairShare:
    """The result against another bot: ``won`` of ``games``. Ties count half.

    ``low`` and ``high`` are the ends of the 95 % interval of the share.
    """

    games: int
    won: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def is_clear(self) -> bool:
        """Whether one bot is clearly ahead: the interval does not contain one half."""
        return not self.low <= 0.5 <= self.high

    @property
    def reversed(self) -> "PairShare":
        """The result from the other bot's point of view."""
        return PairShare(self.games, self.games - self.won, 1 - self.high, 1 - self.low)


@dataclass(frozen=True, slots=True)
class PairShares:
    """The shares of all pairs.

    ``by_pair`` has, for each pair of bots, the number of games and how many of them the bot with the lower number won.
    ``scale`` is the variance of a share, divided by that of coin flips.
    """

    by_pair: Mapping[tuple[int, int], tuple[int, float]]
    scale: float

    def of(self, one: int, other: int) -> PairShare | None:
        """Return the share of games that ``one`` won against ``other``; None if they have not met."""
        games, won = self.by_pair.get((min(one, other), max(one, other)), (0, 0.0))
        if not games:
            return None
        share = pair_share(games, won, self.scale)
        return share if one < other else share.reversed


def pair_share(games: int, won: float, scale: float) -> PairShare:
    """Return the share ``won`` of ``games`` games. Its variance is ``scale`` times that of coin flips.

    >>> pair_share(20, 20.0, 2.0).low < 0.75 < pair_share(20, 20.0, 1.0).low
    True
    """
    return PairShare(games, won, *share_wilson_interval(won / games, games / scale))


def pair_shares(games: Games) -> PairShares:
    """Return the shares of all pairs. A game at a larger table counts once for each pair."""
    parts = [part for tables in games.tables for part in [_met(tables.entrants, tables.beaten)] if len(part[1])]
    if not parts:
        return PairShares({}, 1.0)
    pair, won, met = (np.concatenate(column) for column in zip(*parts, strict=True))
    distinct, place = rating_pairs_distinct(pair)
    blocks, all_won, all_met = (np.bincount(place, column, len(distinct)) for column in (np.ones_like(met), won, met))
    keys = [(int(one), int(other)) for one, other in distinct.tolist()]
    counted = zip(all_met.tolist(), all_won.tolist(), strict=True)
    by_pair = {key: (round(games), float(won)) for key, (games, won) in zip(keys, counted, strict=True)}
    return PairShares(by_pair, _scale(place, won, met, blocks, all_won / all_met))


def _met(entrants: Ints, beaten: Floats) -> tuple[Ints, Floats, Floats]:
    """Return arrays with a row for each pair in each block: the two bots, games won by the first, and all games.

    The bot with the lower number is the first.
    """
    first, second = np.triu_indices(entrants.shape[1], 1)
    mine, theirs = entrants[:, first].ravel(), entrants[:, second].ravel()
    won, lost = beaten[:, first, second].ravel(), beaten[:, second, first].ravel()
    both = np.stack([np.minimum(mine, theirs), np.maximum(mine, theirs)], axis=1)
    return both, np.where(mine < theirs, won, lost), won + lost


def _scale(place: Ints, won: Floats, met: Floats, blocks: Floats | Ints, share: Floats) -> float:
    """Return the factor of the variance: how far blocks deviate from their pair's share, compared to coin flips."""
    most = float(met.max())
    if (blocks - 1).sum() < DEGREES_LEAST:
        return most
    coins = (met * (share * (1 - share) * (1 - 1 / blocks))[place]).sum()
    seen = ((won - met * share[place]) ** 2).sum()
    return most if coins <= 0 else float(np.clip(seen / coins, SCALE_LEAST, most))


def share_wilson_interval(share: float, trials: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of ``trials`` trials (Wilson, 1927).

    >>> [round(end, 2) for end in share_wilson_interval(1.0, 2)]
    [0.34, 1.0]
    >>> [round(end, 2) for end in share_wilson_interval(0.5, 100)]
    [0.4, 0.6]
    """
    spread = Z_95**2 / trials
    half = Z_95 * sqrt(max(0.0, share * (1 - share)) / trials + spread / (4 * trials))
    middle = share + spread / 2
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))
