"""The tables of matches."""

from matches.models.author import CHALLENGES_A_DAY, Challenge, ChallengeState, CheckGame, SeatLog, SeatNotes, Sparring
from matches.models.game import Analysis, Fault, Game, MatchLog
from matches.models.match import (
    OPEN_AUDIENCES,
    UNDECIDED,
    Account,
    Audience,
    Broadcast,
    Contest,
    Match,
    MatchState,
    Seat,
    WorkerPresence,
    match_airs_later,
)

__all__ = [
    "CHALLENGES_A_DAY",
    "OPEN_AUDIENCES",
    "UNDECIDED",
    "Account",
    "Analysis",
    "Audience",
    "Broadcast",
    "Challenge",
    "ChallengeState",
    "CheckGame",
    "Contest",
    "Fault",
    "Game",
    "Match",
    "MatchLog",
    "MatchState",
    "Seat",
    "SeatLog",
    "SeatNotes",
    "Sparring",
    "WorkerPresence",
    "match_airs_later",
]
