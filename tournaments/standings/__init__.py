"""Standings: who stands where and why, as pure functions of results. No Django, no games."""

from tournaments.standings.fold import POINTS, Row, TieBreakError, standings
from tournaments.standings.results import Bye, Result, Seat
from tournaments.standings.tie_breaks import LOT, TIE_BREAKS, TieBreak, Value

__all__ = [
    "LOT",
    "POINTS",
    "TIE_BREAKS",
    "Bye",
    "Result",
    "Row",
    "Seat",
    "TieBreak",
    "TieBreakError",
    "Value",
    "standings",
]
