"""What every two bots made of each other, and the likelihood of strengths by it: Bradley-Terry, ties as half."""

from dataclasses import dataclass

import numpy as np

from ratings.games import Floats, Ints, Tables
from ratings.scale import chance


@dataclass(frozen=True, slots=True)
class Pairs:
    """What every two entrants who met made of each other, over all games: ``one[i]`` beat ``other[i]`` in ``won[i]``
    of ``met[i]``, ties half."""

    one: Ints
    other: Ints
    won: Floats
    met: Floats


def pairs_of(tables: list[Tables], size: int) -> Pairs:
    """Return the pairs of tables whose entrants are numbered 0 to ``size`` - 1."""
    keys, won, met = [], [], []
    for table in tables:
        first, second = np.triu_indices(table.entrants.shape[1], 1)
        mine, theirs = table.entrants[:, first], table.entrants[:, second]
        beat, lost = table.beaten[:, first, second], table.beaten[:, second, first]
        keys.append((np.minimum(mine, theirs) * size + np.maximum(mine, theirs)).ravel())
        won.append(np.where(mine < theirs, beat, lost).ravel())
        met.append((beat + lost).ravel())
    if not keys:
        return Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0), np.empty(0))
    distinct, place = np.unique(np.concatenate(keys), return_inverse=True)
    return Pairs(
        distinct // size,
        distinct % size,
        summed(place, np.concatenate(won), len(distinct)),
        summed(place, np.concatenate(met), len(distinct)),
    )


def height(pairs: Pairs, strength: Floats, precision: Floats, pull: Floats) -> float:
    """Return the logarithm of the likelihood times the prior."""
    lead = strength[pairs.one] - strength[pairs.other]
    likelihood = pairs.won @ lead - pairs.met @ np.logaddexp(0, lead)
    return float(likelihood - strength @ precision @ strength / 2 + pull @ strength)


def slope(pairs: Pairs, strength: Floats, precision: Floats, pull: Floats) -> Floats:
    """Return the first derivatives of ``height``, shape (n,)."""
    surplus = pairs.won - pairs.met * chance(strength[pairs.one] - strength[pairs.other])
    own = summed(pairs.one, surplus, len(strength)) - summed(pairs.other, surplus, len(strength))
    return np.asarray(pull - precision @ strength + own)


def curvature(pairs: Pairs, strength: Floats, precision: Floats) -> Floats:
    """Return minus the second derivatives of ``height``, shape (n, n)."""
    p = chance(strength[pairs.one] - strength[pairs.other])
    weight = pairs.met * p * (1 - p)
    curved = precision.copy()
    curved[pairs.one, pairs.other] -= weight  # every pair is there once
    curved[pairs.other, pairs.one] -= weight
    own = summed(pairs.one, weight, len(strength)) + summed(pairs.other, weight, len(strength))
    curved[np.diag_indices_from(curved)] += own
    return curved


def summed(places: Ints, weights: Floats, size: int) -> Floats:
    """Return ``weights`` added up by place, shape (size,)."""
    return np.asarray(np.bincount(places, weights, size), dtype=np.float64)
