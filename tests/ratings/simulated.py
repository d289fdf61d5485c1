"""Bots of known strength, and games between them."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ratings import Block, Games


@dataclass(frozen=True)
class Field:
    """``strength`` in logits, by entrant 0, 1, 2, ...; ``entrants`` (blocks, k) and ``places`` (blocks, games, k)."""

    strength: np.ndarray
    entrants: np.ndarray
    places: np.ndarray

    @property
    def games(self):
        return Games.from_arrays(self.entrants, self.places)


def field(seed, bots, seats, blocks, *, sd=0.7, shared_luck=0.0):
    """``blocks`` for each bot, of ``seats`` games. Luck is Gumbel's, so that
    the model of pairs holds exactly; ``shared_luck`` is the share of it that belongs to the seat in all games."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(0, sd, bots)
    tables = bots // seats
    rounds = [chance.permutation(bots) for _ in range(blocks)]
    entrants = np.concatenate([order[: tables * seats].reshape(tables, seats) for order in rounds])
    entrants = chance.permuted(entrants, axis=1)
    luck = chance.gumbel(size=(len(entrants), seats, seats))
    if shared_luck:
        of_seat = chance.gumbel(size=(len(entrants), seats))
        seat = (np.arange(seats)[:, None] + np.arange(seats)[None, :]) % seats  # of entrant i in game g
        luck = np.where(chance.random(luck.shape) < shared_luck, of_seat[:, seat], luck)
    return Field(strength, entrants, places_of(strength[entrants][:, None, :] + luck))


def places_of(performance):
    """1 for the highest along the last axis."""
    return np.argsort(np.argsort(-performance, axis=-1), axis=-1) + 1


def covered(ratings, strength):
    """The share of true differences that lie in their 95 % interval; everyone must be rated."""
    own = np.diag(ratings.covariance)
    error = np.sqrt(own[:, None] + own[None, :] - 2 * ratings.covariance)
    off = (ratings.mean[:, None] - ratings.mean) - (strength[:, None] - strength)
    pairs = np.triu_indices(len(strength), 1)
    return float((np.abs(off[pairs]) <= 1.96 * error[pairs]).mean())


def round_robin(seed, bots, blocks, *, most=3.0, shared_luck=0.0):
    """``blocks`` of two games for each pair of ``bots``, whose strengths are spread evenly between minus and plus
    ``most``."""
    chance = np.random.default_rng(seed)
    strength = chance.uniform(-most, most, bots)
    entrants = np.repeat(np.array(list(combinations(range(bots), 2))), blocks, axis=0)
    luck = chance.gumbel(size=(len(entrants), 2, 2))
    if shared_luck:
        of_seat = chance.gumbel(size=(len(entrants), 2))[:, [[0, 1], [1, 0]]]
        luck = np.where(chance.random(luck.shape) < shared_luck, of_seat, luck)
    return Field(strength, entrants, places_of(strength[entrants][:, None, :] + luck))


@dataclass(frozen=True)
class LuckyField(Field):
    """``luck`` (blocks, k): by entrant what a block's luck came to, in shares of opponents beaten, the mean of its
    games."""

    luck: np.ndarray

    @property
    def blocks(self):
        return [
            (Block(tuple(entrants), tuple(map(tuple, places))), tuple(luck))
            for entrants, places, luck in zip(
                self.entrants.tolist(), self.places.tolist(), self.luck.tolist(), strict=True
            )
        ]


def lucky(seed, bots, seats, blocks, *, most, explained):
    """``blocks`` of ``seats`` games for each bot on average, at tables drawn by lot. Two orders are drawn for each game
    and the first one holds with the chance ``explained``: what is expected once they are known, less what was expected
    before, is the luck."""
    chance = np.random.default_rng(seed)
    strength = chance.uniform(-most, most, bots)
    entrants = np.array([chance.choice(bots, seats, replace=False) for _ in range(blocks * bots // seats)])
    own = strength[entrants][:, None, :]
    one, other = (places_of(own + chance.gumbel(size=(len(entrants), seats, seats))) for _ in range(2))
    places = np.where((chance.random(one.shape[:2]) < explained)[..., None], one, other)
    lead = own[:, :, :, None] - own[:, :, None, :]
    expected = 1 / (1 + np.exp(-lead)) * (1 - np.eye(seats))
    found = explained * beaten_in(one) + (1 - explained) * beaten_in(other)
    luck = (found - expected).sum(axis=3).mean(axis=1) / (seats - 1)
    return LuckyField(strength, entrants, places, luck)


def beaten_in(places):
    return 1.0 * (places[..., :, None] < places[..., None, :])
