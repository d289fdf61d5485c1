"""Standings: who stands where and why, as pure functions of results. No Django, no games."""

from tournaments.standings.categories import CategoryPlace, category_places
from tournaments.standings.results import Result, ScoredBye, ScoreRecord, SeatResult, tallied
from tournaments.standings.rulings import (
    Absence,
    Corrections,
    RulingCode,
    StandingRuling,
    corrected,
    corrections,
    holding,
    taking_part,
)
from tournaments.standings.table import (
    DISQUALIFIED,
    POINTS,
    Placed,
    Row,
    TieBreakError,
    has_result,
    level_for_first,
    play_off_places,
    ranking,
    standings,
)
from tournaments.standings.tie_breaks import LOT, PLAY_OFF, SHARED, TIE_BREAKS, TieBreak, TieBreakField, Value
from tournaments.standings.unplayed import Drawn, UnplayedRounds

__all__ = [
    "DISQUALIFIED",
    "LOT",
    "PLAY_OFF",
    "POINTS",
    "SHARED",
    "TIE_BREAKS",
    "Absence",
    "CategoryPlace",
    "Corrections",
    "Drawn",
    "Placed",
    "Result",
    "Row",
    "RulingCode",
    "ScoreRecord",
    "ScoredBye",
    "SeatResult",
    "StandingRuling",
    "TieBreak",
    "TieBreakError",
    "TieBreakField",
    "UnplayedRounds",
    "Value",
    "category_places",
    "corrected",
    "corrections",
    "has_result",
    "holding",
    "level_for_first",
    "play_off_places",
    "ranking",
    "standings",
    "taking_part",
    "tallied",
]
