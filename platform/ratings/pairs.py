"""Results of pairs, and the likelihood of strengths given these results: Bradley-Terry, with ties as half a win."""

from dataclasses import dataclass, replace

import numpy as np

from ratings.curvature import Curvature, curvature_summed
from ratings.games import Floats, Ints, Tables
from ratings.scale import rating_expected_share


@dataclass(frozen=True, slots=True)
class Pairs:
    """The results of all pairs that met, over all their games.

    ``one[i]`` won ``won[i]`` of the ``met[i]`` games against ``other[i]``. Ties count half.
    """

    one: Ints
    other: Ints
    won: Floats
    met: Floats


def rating_pairs(tables: list[Tables], size: int) -> Pairs:
    """Return the pairs at ``tables``, whose entrants are numbered from 0 to ``size`` - 1."""
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
        curvature_summed(place, np.concatenate(won), len(distinct)),
        curvature_summed(place, np.concatenate(met), len(distinct)),
    )


def rating_pairs_are_possible(pairs: Pairs) -> bool:
    """Return whether ``won`` is at least 0 and at most ``met`` for each pair."""
    return bool(((pairs.won >= 0) & (pairs.won <= pairs.met)).all())


def rating_pairs_possible(pairs: Pairs) -> Pairs:
    """Return the pairs, with ``won`` limited to the range from 0 to ``met``."""
    return replace(pairs, won=np.clip(pairs.won, 0, pairs.met))


def rating_pairs_distinct(couples: Ints) -> tuple[Ints, Ints]:
    """Return the distinct rows of ``couples``, shape (m, 2), in ascending order, and each row's index among them."""
    first, one = np.unique(couples[:, 0], return_inverse=True)
    second, other = np.unique(couples[:, 1], return_inverse=True)
    cells, place = np.unique(one * len(second) + other, return_inverse=True)
    return np.stack([first[cells // max(len(second), 1)], second[cells % max(len(second), 1)]], axis=1), place


def pairs_log_posterior(pairs: Pairs, strength: Floats, prior: Curvature, pull: Floats) -> float:
    """Return the log-likelihood plus the log of the prior. For strengths s, the density of the prior is proportional to
    exp(-s'Ps/2 + p's), with P from ``prior`` and p from ``pull``.
    """
    lead = strength[pairs.one] - strength[pairs.other]
    likelihood = pairs.won @ lead - pairs.met @ np.logaddexp(0, lead)
    return float(likelihood - strength @ prior.times(strength) / 2 + pull @ strength)


def pairs_gradient(pairs: Pairs, strength: Floats, prior: Curvature, pull: Floats) -> Floats:
    """Return the gradient of ``pairs_log_posterior``, shape (n,)."""
    surplus = pairs.won - pairs.met * rating_expected_share(strength[pairs.one] - strength[pairs.other])
    own = curvature_summed(pairs.one, surplus, len(strength)) - curvature_summed(pairs.other, surplus, len(strength))
    return np.asarray(pull - prior.times(strength) + own)


def pairs_curvature(pairs: Pairs, strength: Floats, prior: Curvature) -> Curvature:
    """Return the negative Hessian of ``pairs_log_posterior``. The last ties of ``prior`` must be those of the pairs."""
    p = rating_expected_share(strength[pairs.one] - strength[pairs.other])
    weight = prior.weight.copy()
    weight[len(weight) - len(p) :] += pairs.met * p * (1 - p)
    return Curvature(prior.own, prior.ties, weight)
