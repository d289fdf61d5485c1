"""Luck adjustment: the results of games minus their luck. Strengths have the same mean and less noise.

At every roll and card, the share of opponents that a bot is expected to beat changes. The luck of the bot in a game is
the sum of these changes. Its mean is zero for any players (it is a martingale). So a multiple of the luck can be
subtracted from the result without a bias, if the multiple does not depend on that luck (a control variate).

A surplus is a result minus the result that the ratings predict. The multiple is the slope of the regression of
surpluses on luck, at least 0 and at most 1. The slope for one half of the blocks is fitted on the other half
(cross-fitting).

At a table of k, the result of two bots against each other is adjusted by (k - 1) / k of the difference between their
luck. Over all opponents of a bot, these adjustments add up to the bot's own luck. The adjusted result of a pair is not
an integer, and may be negative or larger than the number of games. The likelihood of Bradley and Terry is concave for
any such numbers. The standard errors come from the sandwich over blocks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

import numpy as np

from ratings.fitted_ratings import Strengths
from ratings.games import Block, Floats, Games, Tables
from ratings.priors import Prior
from ratings.strengths import strengths_fit_values, strengths_surplus


@dataclass(frozen=True, slots=True)
class GamesWithLuck:
    """Games with their luck. ``luck[t]``, shape (blocks, k), belongs to ``games.tables[t]``.

    It adds up the luck of each entrant in all games of a block, in shares of opponents beaten. The luck of all entrants
    of a table adds up to zero.
    """

    games: Games
    luck: tuple[Floats, ...]

    @classmethod
    def from_blocks(cls, blocks: Iterable[tuple[Block, Sequence[float]]]) -> Self:
        """Read blocks, each with the mean luck of each entrant in a game of the block.

        Raises:
            BlockError: a block in which an entrant meets itself.
        """
        by_size = sorted(blocks, key=lambda one: len(one[0].entrants))
        games, luck = Games(), []
        for _, same in groupby(by_size, lambda one: len(one[0].entrants)):
            alike = list(same)
            games += Games.from_blocks(block for block, _ in alike)
            luck.append(np.array([[len(block.places) * one for one in own] for block, own in alike]))
        return cls(games, tuple(luck))

    def less_luck(self, priors: Mapping[int, Prior] | None = None) -> Games:
        """Return the luck-adjusted games. The order of the blocks determines the two halves."""
        ratings = strengths_fit_values(self.games, priors)
        surplus = [_surplus(one, ratings) for one in self.games.tables]
        slopes = [self._slope(surplus, half) for half in (1, 0)]  # of odd blocks for even ones, and vice versa
        less = tuple(_adjusted(*each, slopes) for each in zip(self.games.tables, self.luck, strict=True))
        before, after = _spread(surplus), _spread([_surplus(one, ratings) for one in less])
        return Games(less, min(1.0, after / before) if before > 0 else 1.0)

    def _slope(self, surplus: Sequence[Floats], half: int) -> float:
        spread = sum(float((luck[half::2] ** 2).sum()) for luck in self.luck)
        together = sum(
            float((luck[half::2] * won[half::2]).sum()) for luck, won in zip(self.luck, surplus, strict=True)
        )
        return min(1.0, max(0.0, together / spread)) if spread > 0 else 0.0


def _surplus(tables: Tables, ratings: Strengths) -> Floats:
    """Return the surplus of each entrant in each block, in shares of opponents beaten, shape (blocks, k)."""
    seated = Tables(np.searchsorted(ratings.entrants, tables.entrants), tables.beaten)
    return np.asarray(strengths_surplus(seated, ratings.mean)[0] / (tables.entrants.shape[1] - 1))


def _spread(surplus: Sequence[Floats]) -> float:
    return sum(float((one**2).sum()) for one in surplus)


def _adjusted(tables: Tables, luck: Floats, slopes: Sequence[float]) -> Tables:
    seats = tables.entrants.shape[1]
    taken = luck * np.resize(np.array(slopes), len(luck))[:, None]
    pairs = (taken[:, :, None] - taken[:, None, :]) * (seats - 1) / seats
    return Tables(tables.entrants, tables.beaten - pairs)
