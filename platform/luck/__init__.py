"""Luck and skill: what chance gave each seat of a finished game, and what each decision cost. No framework.

The luck of a chance event is the value after it less the mean over all that it might have shown, so that its own mean
is zero for any bots, whatever they do (the control variate of AIVAT, Burch et al., arXiv:1612.06915). A value that is
wrong costs precision and never adds a bias. Every number is a whole number of 1e-9 shares, the same on every machine.
"""

from luck.account import (
    POINT,
    Alternative,
    ChanceEvent,
    DealtGame,
    Decision,
    GameAccount,
    Moment,
    Unanalysed,
    mark_of,
)
from luck.analysis import analyse, analysed_by, broken_luck, is_known, unknown, value_announced, value_of, values_of
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
    "analyse",
    "analysed_by",
    "broken_luck",
    "is_known",
    "mark_of",
    "unknown",
    "value_announced",
    "value_of",
    "values_of",
]
