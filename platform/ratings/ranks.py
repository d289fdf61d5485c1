"""Ranks of bots whose strengths are only known within errors: an interval for each, and shared ones."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ratings.rated import Ratings
from ratings.scale import Z_95


@dataclass(frozen=True, slots=True)
class Rank:
    """``low``: 1 and one more for everyone who is better with 97.5 % certainty; ``high``: the last place, and one less
    for everyone who is worse with 97.5 % certainty: between them the true rank lies in at least 95 of 100 cases.
    ``shared``, between them too: ``low``, but never a better rank than that of someone with higher rating."""

    entrant: int
    shared: int
    low: int
    high: int


def ranks(ratings: Ratings) -> tuple[Rank, ...]:
    """Return everyone's rank, from the highest rating to the lowest; equal ratings by number."""
    order = np.lexsort((ratings.entrants, -ratings.mean))
    leads = _leads(ratings)
    low, high = 1 + leads.sum(axis=0), len(order) - leads.sum(axis=1)
    shared = np.maximum.accumulate(low[order])
    return tuple(
        Rank(*one)
        for one in zip(
            ratings.entrants[order].tolist(), shared.tolist(), low[order].tolist(), high[order].tolist(), strict=True
        )
    )


def _leads(ratings: Ratings) -> NDArray[np.bool_]:
    """Return who leads whom by more than 1.96 standard errors of the difference, shape (n, n); nobody leads a bot of
    another group, with which it cannot be compared.
    """
    own, group = np.diag(ratings.covariance), ratings.groups()
    error = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * ratings.covariance, 0))
    lead = ratings.mean[:, None] - ratings.mean[None, :]
    return np.asarray((lead > Z_95 * error) & (group[:, None] == group[None, :]))
