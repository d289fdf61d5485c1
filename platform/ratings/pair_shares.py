"""The share of games that each bot won of each other one, with its interval, whatever they are rated.

The games of a block share their luck, so a share does not vary as that of so many coins does. Its variance is that of
coins, scaled by how far blocks lie from the share of their pair over all pairs; where few pairs have met in more than
one block, the games of a block count as one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from ratings.games import Floats, Games, Ints
from ratings.pairs import distinct_pairs
from ratings.scale import Z_95

DEGREES_LEAST: Final = 30  # blocks beyond the first of their pair, from which the scale is estimated
SCALE_LEAST: Final = 0.25  # seats that are changed take luck away, not all of it


@dataclass(frozen=True, slots=True)
class PairShare:
    """What a bot won of another: ``won`` of ``games``, ties half. Its share lies from ``low`` to ``high`` in 95 of 100
    cases."""

    games: int
    won: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.won / self.games

    @property
    def is_clear(self) -> bool:
        """Whether one of the two is ahead beyond doubt: one half is not in the interval."""
        return not self.low <= 0.5 <= self.high

    @property
    def reversed(self) -> "PairShare":
        """The same as the other bot sees it."""
        return PairShare(self.games, self.games - self.won, 1 - self.high, 1 - self.low)


@dataclass(frozen=True, slots=True)
class PairShares:
    """``by_pair``: what the bot with the lower number won of the other. ``scale``: by which the variance of a share is
    larger than that of as many coins."""

    by_pair: Mapping[tuple[int, int], tuple[int, float]]
    scale: float

    def of(self, one: int, other: int) -> PairShare | None:
        """Return what ``one`` won of ``other``; None if they have not met."""
        games, won = self.by_pair.get((min(one, other), max(one, other)), (0, 0.0))
        if not games:
            return None
        share = pair_share(games, won, self.scale)
        return share if one < other else share.reversed


def pair_share(games: int, won: float, scale: float) -> PairShare:
    """Return a share of ``games`` that vary ``scale`` times as coins do.

    >>> pair_share(20, 20.0, 2.0).low < 0.75 < pair_share(20, 20.0, 1.0).low
    True
    """
    return PairShare(games, won, *wilson(won / games, games / scale))


def pair_shares(games: Games) -> PairShares:
    """Return what every two entrants won of each other: at a larger table a game counts once for each two of them."""
    parts = [part for tables in games.tables for part in [_met(tables.entrants, tables.beaten)] if len(part[1])]
    if not parts:
        return PairShares({}, 1.0)
    pair, won, met = (np.concatenate(column) for column in zip(*parts, strict=True))
    distinct, place = distinct_pairs(pair)
    blocks, all_won, all_met = (np.bincount(place, column, len(distinct)) for column in (np.ones_like(met), won, met))
    keys = [(int(one), int(other)) for one, other in distinct.tolist()]
    counted = zip(all_met.tolist(), all_won.tolist(), strict=True)
    by_pair = {key: (round(games), float(won)) for key, (games, won) in zip(keys, counted, strict=True)}
    return PairShares(by_pair, _scale(place, won, met, blocks, all_won / all_met))


def _met(entrants: Ints, beaten: Floats) -> tuple[Ints, Floats, Floats]:
    """Return of each two of each block who met: the lower number and the other, the games that the lower one won, and
    all of them."""
    first, second = np.triu_indices(entrants.shape[1], 1)
    mine, theirs = entrants[:, first].ravel(), entrants[:, second].ravel()
    won, lost = beaten[:, first, second].ravel(), beaten[:, second, first].ravel()
    both = np.stack([np.minimum(mine, theirs), np.maximum(mine, theirs)], axis=1)
    return both, np.where(mine < theirs, won, lost), won + lost


def _scale(place: Ints, won: Floats, met: Floats, blocks: Floats | Ints, share: Floats) -> float:
    """Return how far blocks lie from the share of their pair, squared, as a multiple of what coins would."""
    most = float(met.max())
    if (blocks - 1).sum() < DEGREES_LEAST:
        return most
    coins = (met * (share * (1 - share) * (1 - 1 / blocks))[place]).sum()
    seen = ((won - met * share[place]) ** 2).sum()
    return most if coins <= 0 else float(np.clip(seen / coins, SCALE_LEAST, most))


def wilson(share: float, trials: float) -> tuple[float, float]:
    """Return the 95 % interval of a share of so many trials, by Wilson (1927).

    >>> [round(end, 2) for end in wilson(1.0, 2)], [round(end, 2) for end in wilson(0.5, 100)]
    ([0.34, 1.0], [0.4, 0.6])
    """
    spread = Z_95**2 / trials
    half = Z_95 * sqrt(max(0.0, share * (1 - share)) / trials + spread / (4 * trials))
    middle = share + spread / 2
    return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))
