"""Which games would teach the most about who is better."""

import numpy as np

from tournaments.ratings.games import Floats
from tournaments.ratings.rated import Ratings
from tournaments.ratings.scale import chance


def information(ratings: Ratings, one: int, other: int) -> float:
    """What a game of these two is worth: the variance of their difference times p (1 - p), p being the chance that one
    of them wins. Large where the two are near and little is known of which is better; 0 for a foregone conclusion.

    Raises:
        KeyError: one of them is not rated.
    """
    a, b = ratings.index(one), ratings.index(other)
    variance = ratings.covariance[a, a] + ratings.covariance[b, b] - 2 * ratings.covariance[a, b]
    p = chance(ratings.mean[a] - ratings.mean[b])
    return float(variance * p * (1 - p))


def all_information(ratings: Ratings) -> Floats:
    """``information`` of every two, shape (n, n), in the order of ``ratings.entrants``; 0 on the diagonal."""
    own = np.diag(ratings.covariance)
    variance = own[:, None] + own[None, :] - 2 * ratings.covariance
    p = chance(ratings.mean[:, None] - ratings.mean[None, :])
    return np.asarray(variance * p * (1 - p))
