"""The referee: plays the games of a match from plain values and judges the bots, without Django.

The rules of a game define what is legal; the referee decides what follows from a fault. A fault of a bot is a typed
verdict. After the fault, the stand-in plays for the seat until the game ends, and the seat shares the last place. The
other bots notice nothing. A bot with too many faults forfeits the match. Any other error is a fault of the platform: it
is raised, and the whole attempt is void.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from matches.referee.bot_fault import FAULT_POLICY, FaultPolicy, SeatFault
from matches.referee.match_series import SeriesResult, SeriesState, match_series_conclude, match_series_luck_of_first
from matches.referee.scoring import GameResult, SeatTotal, scoring_seat_totals
from matches.referee.stopping import Sequential, StoppingError, StopReason, ThreeAnswers, ThreeAnswersLessLuck
from matches.referee.stopping_rules import AboveThreshold, stopping_rule_of

if TYPE_CHECKING:
    from matches.referee.match_series import MatchSpec, Watch, series_games_play
    from matches.referee.seat_player import CageProtocol

__all__ = [
    "FAULT_POLICY",
    "AboveThreshold",
    "CageProtocol",
    "FaultPolicy",
    "GameResult",
    "MatchSpec",
    "SeatFault",
    "SeatTotal",
    "Sequential",
    "SeriesResult",
    "SeriesState",
    "StopReason",
    "StoppingError",
    "ThreeAnswers",
    "ThreeAnswersLessLuck",
    "Watch",
    "match_series_conclude",
    "match_series_luck_of_first",
    "scoring_seat_totals",
    "series_games_play",
    "stopping_rule_of",
]

# These names are needed for playing a match, but not for verifying one. They are imported on first use.
_PLAYING = {
    "CageProtocol": "seat_player",
    "MatchSpec": "match_series",
    "Watch": "match_series",
    "series_games_play": "match_series",
}


def __getattr__(name: str) -> Any:
    if name not in _PLAYING:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_PLAYING[name]}"), name)
