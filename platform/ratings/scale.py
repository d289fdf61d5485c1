"""The scale that people read: 1500 for the average newcomer, 400 points for odds of ten to one, as with Elo's."""

from math import log
from typing import Final

import numpy as np

from ratings.games import Floats

CENTRE: Final = 1500.0
PER_LOGIT: Final = 400 / log(10)  # 173.7 points: odds of e to one
Z_95: Final = 1.959964  # half of a 95 % interval, in standard errors


def displayed(logit: float) -> float:
    """Return a strength in logits on the displayed scale."""
    return CENTRE + PER_LOGIT * logit


def expected_share(lead: Floats) -> Floats:
    """Return the share of games, ties half, that is won by those who lead by so many logits."""
    return np.asarray((1 + np.tanh(lead / 2)) / 2)
