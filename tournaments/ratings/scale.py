"""The scale that people read: 1500 for the average newcomer, 400 points for odds of ten to one, as with Elo's."""

from math import log
from typing import Final

import numpy as np

from tournaments.ratings.games import Floats

CENTRE: Final = 1500.0
PER_LOGIT: Final = 400 / log(10)  # 173.7 points: odds of e to one
Z_95: Final = 1.959964  # half of a 95 % interval, in standard errors


def displayed(logit: float) -> float:
    """A strength in logits on the displayed scale."""
    return CENTRE + PER_LOGIT * logit


def expected_score(difference: float) -> float:
    """The share of games, ties half, won by the stronger of two that differ by so many displayed points."""
    return 1 / (1 + float(10 ** (-difference / 400)))


def chance(lead: Floats) -> Floats:
    """The same for leads in logits, any number at once."""
    return np.asarray((1 + np.tanh(lead / 2)) / 2)
