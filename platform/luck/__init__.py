"""Luck and skill: the luck of each seat of a finished game, and the cost of each decision. No framework.

A *value* estimates, for a state of a game, the share of opponents that each seat will beat. The luck of a chance
event is the value after the event minus the mean of the values after all its possible outcomes. So the mean of luck is
zero, whichever bots play (the control variate of AIVAT, Burch et al., arXiv:1612.06915). A wrong value makes results
less precise, but never adds a bias. The numbers of an analysis are integers, so they are the same on every machine.
Shares are in units of 1e-9.
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
