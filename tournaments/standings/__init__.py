"""Standings: who stands where and why, as pure functions of results. No Django, no games."""

from tournaments.standings.fold import DISQUALIFIED, POINTS, Row, TieBreakError, standings
from tournaments.standings.ranking import Placed, ranking
from tournaments.standings.results import Bye, Result, Seat, Tally, tallied
from tournaments.standings.rulings import Corrections, Kind, Ruling, Stay, corrected, corrections, holding, taking_part
from tournaments.standings.tie_breaks import LOT, TIE_BREAKS, Field, TieBreak, Value
from tournaments.standings.unplayed import Course, Drawn

__all__ = [
    "DISQUALIFIED",
    "LOT",
    "POINTS",
    "TIE_BREAKS",
    "Bye",
    "Corrections",
    "Course",
    "Drawn",
    "Field",
    "Kind",
    "Placed",
    "Result",
    "Row",
    "Ruling",
    "Seat",
    "Stay",
    "Tally",
    "TieBreak",
    "TieBreakError",
    "Value",
    "corrected",
    "corrections",
    "holding",
    "ranking",
    "standings",
    "taking_part",
    "tallied",
]
