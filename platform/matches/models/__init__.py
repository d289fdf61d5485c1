"""The tables of matches."""

from matches.models.author import CheckGame, SeatLog, SeatNotes, Sparring
from matches.models.challenge import CHALLENGES_A_DAY, Challenge, ChallengeState
from matches.models.game import Analysis, Fault, Game, MatchLog
from matches.models.match import (
    OPEN_AUDIENCES,
    UNDECIDED,
    Audience,
    Broadcast,
    Match,
    MatchState,
    Seat,
    airs_later,
)
from matches.models.queue import Account, Contest, WorkerPresence

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
    "airs_later",
]
