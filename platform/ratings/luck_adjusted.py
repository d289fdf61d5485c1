"""Ratings from games with their luck taken off: the same strengths in the mean, with less noise.

The luck of a bot in a game is a martingale: by how much its share of opponents beaten was expected to change with every
roll and card, summed. Its mean is zero for any players, so a multiple of it may be taken off what was won as long as
the multiple does not depend on that luck (a control variate). Here it is the slope of what bots won beyond what their
ratings expect on their luck, from 0 to 1, and that of one half of the blocks is fitted on the other half
(cross-fitting).

A pair of a table of k gets (k - 1) / k of the difference of their lucks: over all opponents that is a bot's own luck.
What a pair has won is then no whole number any more, and may lie beyond none and all; the likelihood of Bradley and
Terry is concave for any number, and the sandwich over blocks has the errors.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Self

import numpy as np

from ratings.games import Block, Floats, Games, Tables
from ratings.priors import Prior
from ratings.rated import Strengths
from ratings.strengths import beyond, fit_strengths


@dataclass(frozen=True, slots=True)
class GamesWithLuck:
    """``luck[t]`` belongs to ``games.tables[t]``, shape (blocks, k): by entrant the luck in all games of a block, in
    shares of opponents beaten. Over a table it sums up to zero."""

    games: Games
    luck: tuple[Floats, ...]

    @classmethod
    def from_blocks(cls, blocks: Iterable[tuple[Block, Sequence[float]]]) -> Self:
        """Read blocks with the luck of their entrants, each the mean over the block's games.

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
        """Return the games with their luck taken off, as far as it tells anything. The order of the blocks decides in
        which half each is."""
        ratings = fit_strengths(self.games, priors)
        surplus = [_surplus(one, ratings) for one in self.games.tables]
        slopes = [self._slope(surplus, half) for half in (1, 0)]  # of the even blocks on the odd ones, and the reverse
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
    """Return what each entrant won in each block beyond what the ratings expect, in shares of opponents beaten, shape
    (blocks, k)."""
    seated = Tables(np.searchsorted(ratings.entrants, tables.entrants), tables.beaten)
    return np.asarray(beyond(seated, ratings.mean)[0] / (tables.entrants.shape[1] - 1))


def _spread(surplus: Sequence[Floats]) -> float:
    return sum(float((one**2).sum()) for one in surplus)


def _adjusted(tables: Tables, luck: Floats, slopes: Sequence[float]) -> Tables:
    seats = tables.entrants.shape[1]
    taken = luck * np.resize(np.array(slopes), len(luck))[:, None]
    pairs = (taken[:, :, None] - taken[:, None, :]) * (seats - 1) / seats
    return Tables(tables.entrants, tables.beaten - pairs)
