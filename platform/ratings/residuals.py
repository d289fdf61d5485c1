"""Residuals: how far the results of each pair deviate from the ratings, for organisers who suspect collusion.

The games of a block share their luck, so the score of a pair does not have the variance of as many coin flips. Its
variance is that of coin flips times a factor. The factor is estimated from all blocks of the season: from how far their
results deviate from the expected ones. With many pairs, some deviate far by luck alone. Holm's step-down correction
(Scandinavian Journal of Statistics, 1979) finds the pairs that deviate farther than luck explains.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Final

import numpy as np

from ratings.fitted_ratings import Strengths
from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import rating_pairs_distinct
from ratings.scale import rating_expected_share

LEVEL: Final = 0.05  # the probability that at least one pair stands out although all are honest


@dataclass(frozen=True, slots=True)
class Residual:
    """A pair of bots, with all their versions.

    ``one`` won ``observed`` of ``games`` against ``other``; ties count half. In a game with more bots, only the places
    of these two count. ``expected`` is the number of wins that the ratings predict. ``z`` is ``observed`` minus
    ``expected`` in standard deviations. ``p`` is the p-value of this difference, corrected for the number of pairs.
    """

    one: int
    other: int
    games: float
    expected: float
    observed: float
    z: float
    p: float

    @property
    def stands_out(self) -> bool:
        return self.p < LEVEL


def residuals(games: Games, ratings: Strengths, bots: Mapping[int, int]) -> tuple[Residual, ...]:
    """Return the residuals of all pairs of bots that met, largest deviation first.

    ``bots`` maps entrants to their bots.

    Raises:
        KeyError: an entrant that played has no rating or no bot.
    """
    parts = [_blocks(tables, ratings, bots) for tables in games.tables]
    if not parts:
        return ()
    pair, observed, expected, met, variance = (np.concatenate(column) for column in zip(*parts, strict=True))
    dispersion = ((observed - expected) ** 2).sum() / variance.sum()
    distinct, place = rating_pairs_distinct(pair)
    won, due, played, spread = (
        np.bincount(place, column, len(distinct)) for column in (observed, expected, met, variance)
    )
    z = (won - due) / np.sqrt(np.maximum(spread * dispersion, 1e-12))
    rows = [
        Residual(one, other, games=each, expected=should, observed=did, z=far, p=p)
        for (one, other), each, should, did, far, p in zip(
            distinct.tolist(), played.tolist(), due.tolist(), won.tolist(), z.tolist(), _holm(z), strict=True
        )
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.z), row.one, row.other)))


def _blocks(tables: Tables, ratings: Strengths, bots: Mapping[int, int]) -> tuple[Ints, Floats, Floats, Floats, Floats]:
    """Return arrays with a row for each pair of seats in each block.

    The first array has the two bots, the lower number first. The others are: the games that the first bot won, the
    games that it was expected to win, the games played, and the variance that they would have as coin flips.
    """
    first, second = np.triu_indices(tables.entrants.shape[1], 1)
    entrants, place = np.unique(tables.entrants, return_inverse=True)
    place = place.reshape(tables.entrants.shape)
    strength = ratings.of(tables.entrants)
    bot = np.array([bots[one] for one in entrants.tolist()])[place]
    p = rating_expected_share(strength[:, first] - strength[:, second])
    won, lost = tables.beaten[:, first, second], tables.beaten[:, second, first]
    met = won + lost
    mine, theirs = bot[:, first], bot[:, second]
    ordered = mine < theirs
    return (
        np.stack([np.minimum(mine, theirs).ravel(), np.maximum(mine, theirs).ravel()], axis=1),
        np.where(ordered, won, lost).ravel(),
        (met * np.where(ordered, p, 1 - p)).ravel(),
        met.ravel(),
        (met * p * (1 - p)).ravel(),
    )


def _holm(z: Floats) -> list[float]:
    """Return two-sided p-values, corrected for the number of tests."""
    raw = np.array([erfc(abs(one) / sqrt(2)) for one in z.tolist()])
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    corrected = np.empty(len(raw))
    corrected[order] = np.minimum(stepped, 1)
    return corrected.tolist()
