"""The displayed scale: 1500 for the average newcomer, and 400 points for odds of ten to one, as with Elo ratings.

This module also has Elo's update after every game, for puzzles and solvers. The step of the update decreases with the
number of games.
"""

from math import log
from typing import Final

import numpy as np

from ratings.games import Floats

CENTRE: Final = 1500.0
PER_LOGIT: Final = 400 / log(10)  # displayed points; 173.7 for odds of e to one
Z_95: Final = 1.959964  # half the width of a 95 % interval, in standard errors


def rating_displayed(logit: float) -> float:
    """Return a strength in logits on the displayed scale."""
    return CENTRE + PER_LOGIT * logit


def rating_expected_share(lead: Floats) -> Floats:
    """Return the share of games that entrants are expected to win, if they lead by ``lead`` logits. Ties count half."""
    return np.asarray((1 + np.tanh(lead / 2)) / 2)


FIRST_STEP: Final = 64.0  # points
LEAST_STEP: Final = 12.0


def elo_expected(rating: float, other: float) -> float:
    """Return the share that a player with ``rating`` is expected to win against one with ``other``.

    >>> elo_expected(1900, 1500)
    0.9090909090909091
    """
    return 1 / (1 + 10 ** ((other - rating) / 400))


def elo_change(rating: float, other: float, share: float, games: int) -> float:
    """Return the points that ``rating`` gains by winning ``share``, from 0 to 1, after ``games`` earlier games.

    >>> elo_change(1500, 1500, 1, games=0)
    32.0
    >>> elo_change(1500, 1500, 0, games=100)
    -6.0
    """
    step = max(LEAST_STEP, FIRST_STEP / (1 + games / 8))
    return step * (share - elo_expected(rating, other))
