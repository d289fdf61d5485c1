"""How far the games of each pair lie from what the ratings expect: for organisers who suspect an arrangement.

The games of a block share their luck, so the variance of a pair's score is not that of so many coins. It is taken from
the coins and scaled by how far blocks lie from their expectation over the whole season. With many pairs some lie far
out by luck alone: Holm's step-down correction (Scandinavian Journal of Statistics, 1979) says which would not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from math import erfc, sqrt
from typing import Final

import numpy as np

from ratings.games import Floats, Games, Ints, Tables
from ratings.pairs import distinct_pairs
from ratings.rated import Strengths
from ratings.scale import expected_share

LEVEL: Final = 0.05  # the chance that among honest pairs any stands out


@dataclass(frozen=True, slots=True)
class Residual:
    """Two bots, whichever their versions. Of ``games``, a game counting once for the pair, ``one`` won ``observed``,
    ties half, where the ratings say ``expected``. ``z``: the difference in standard deviations; ``p``: the chance of as
    large a one between honest bots, in any of so many pairs."""

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
    """Return those of every two bots that met, the farthest out first. ``bots``: whose version each entrant is.

    Raises:
        KeyError: somebody who played is not rated, or nobody's version.
    """
    parts = [_blocks(tables, ratings, bots) for tables in games.tables]
    if not parts:
        return ()
    pair, observed, expected, met, variance = (np.concatenate(column) for column in zip(*parts, strict=True))
    dispersion = ((observed - expected) ** 2).sum() / variance.sum()
    distinct, place = distinct_pairs(pair)
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
    """Return of each pair of each block the two bots, the lower number first, and of that one's games with the other
    how many it won, how many it should have, how many there were, and their variance as coins.
    """
    first, second = np.triu_indices(tables.entrants.shape[1], 1)
    entrants, place = np.unique(tables.entrants, return_inverse=True)
    place = place.reshape(tables.entrants.shape)
    strength = ratings.of(tables.entrants)
    bot = np.array([bots[one] for one in entrants.tolist()])[place]
    p = expected_share(strength[:, first] - strength[:, second])
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
    """Return two-sided p-values, each corrected for all of them."""
    raw = np.array([erfc(abs(one) / sqrt(2)) for one in z.tolist()])
    order = np.argsort(raw, kind="stable")
    stepped = np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1))
    corrected = np.empty(len(raw))
    corrected[order] = np.minimum(stepped, 1)
    return corrected.tolist()
