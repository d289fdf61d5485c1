"""Ranks of bots whose strengths are only known within errors: an interval for each, and shared ones."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from tournaments.ratings.games import Floats
from tournaments.ratings.rated import Ratings
from tournaments.ratings.scale import Z_95

SAMPLES: Final = 2000
SEED: Final = 1500  # fixed: the same ratings always give the same intervals


@dataclass(frozen=True, slots=True)
class Rank:
    """``shared``: 1 + how many are better with 97.5 % certainty, but never a better rank than that of someone with
    higher rating. ``low`` to ``high``: the places it takes in 95 % of the fields drawn at random within the errors."""

    entrant: int
    shared: int
    low: int
    high: int


def ranks(ratings: Ratings) -> tuple[Rank, ...]:
    """Everyone's, from the highest rating to the lowest; equal ratings by number."""
    order = np.lexsort((ratings.entrants, -ratings.mean))
    shared = np.maximum.accumulate(1 + _surely_better(ratings)[order])
    low, high = _intervals(ratings)
    return tuple(
        Rank(*one)
        for one in zip(
            ratings.entrants[order].tolist(), shared.tolist(), low[order].tolist(), high[order].tolist(), strict=True
        )
    )


def _surely_better(ratings: Ratings) -> Floats:
    """For each entrant, how many others lead it by more than 1.96 standard errors of the difference."""
    own = np.diag(ratings.covariance)
    error = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * ratings.covariance, 0))
    lead = ratings.mean[None, :] - ratings.mean[:, None]
    return np.asarray((lead > Z_95 * error).sum(axis=1))


def _intervals(ratings: Ratings) -> tuple[Floats, Floats]:
    size = len(ratings.entrants)
    draws = np.random.Generator(np.random.PCG64(SEED)).standard_normal((SAMPLES, size))
    strengths = ratings.mean + draws @ np.linalg.cholesky(ratings.covariance).T
    places = np.empty((SAMPLES, size), dtype=np.int64)
    np.put_along_axis(places, np.argsort(-strengths, axis=1), np.arange(1, size + 1)[None, :], axis=1)
    low, high = np.quantile(places, (0.025, 0.975), axis=0, method="nearest")
    return low, high
