"""Luck and skill: the luck of each seat of a finished game, and the cost of each decision. No framework.

The luck of a chance event is the value after it minus the mean over all its possible outcomes, so its own mean is zero
for any bots (the control variate of AIVAT, Burch et al., arXiv:1612.06915). A wrong value costs precision, but never
adds a bias. All numbers are integers in units of 1e-9 shares, so they are the same on every machine.
"""

from luck.analysis import (
    broken_luck,
    luck_analyse,
    luck_analysed_by,
    luck_unknown_reason,
    luck_value_announced,
    luck_value_is_known,
    luck_value_of,
    luck_values_of,
)
from luck.game_account import (
    POINT,
    Alternative,
    ChanceEvent,
    DealtGame,
    Decision,
    GameAccount,
    Moment,
    Unanalysed,
    luck_mark,
)
from luck.shares import UNIT

__all__ = [
    "POINT",
    "UNIT",
    "Alternative",
    "ChanceEvent",
    "DealtGame",
    "Decision",
    "GameAccount",
    "Moment",
    "Unanalysed",
    "broken_luck",
    "luck_analyse",
    "luck_analysed_by",
    "luck_mark",
    "luck_unknown_reason",
    "luck_value_announced",
    "luck_value_is_known",
    "luck_value_of",
    "luck_values_of",
]
