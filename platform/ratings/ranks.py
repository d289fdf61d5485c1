"""Ranks of bots whose strengths are only known within errors: an interval for each, and shared ones."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ratings.games import Ints
from ratings.rated import Ratings
from ratings.scale import Z_95

DIGITS: Final = 9  # behind the point, of logits


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
    """Return everyone's rank, from the highest rating to the lowest; equal ratings by number. Equal are those that
    agree to ``DIGITS``: two fits of the same games differ in the last ones.
    """
    order = np.lexsort((ratings.entrants, -np.round(ratings.mean, DIGITS)))
    low, high = _bounds(ratings)
    shared = np.maximum.accumulate(low[order])
    return tuple(
        Rank(*one)
        for one in zip(
            ratings.entrants[order].tolist(), shared.tolist(), low[order].tolist(), high[order].tolist(), strict=True
        )
    )


def _bounds(ratings: Ratings) -> tuple[Ints, Ints]:
    """Return everyone's interval, shape (n,) each. A bot leads another by more than 1.96 standard errors of the
    difference; nobody leads one of another group, with which it cannot be compared.
    """
    mean, group = ratings.mean, ratings.groups()
    low, high = np.ones(len(mean), dtype=np.int64), np.full(len(mean), len(mean))
    for rows, variance in ratings.known.against_all():
        leads = mean[rows, None] - mean > Z_95 * np.sqrt(variance)
        leads &= group[rows, None] == group
        low += leads.sum(axis=0)
        high[rows] -= leads.sum(axis=1)
    return low, high
