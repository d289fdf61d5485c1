"""Tournaments, their stages and rounds, and who entered them."""

from tournaments.models.chain import ChainLink, SealedName
from tournaments.models.entry import Entry, Withdrawal
from tournaments.models.forbidden_pairs import ForbiddenPair, KeptGroup
from tournaments.models.invitation import Invitation
from tournaments.models.ladder_cup import LadderCup, PassedOver
from tournaments.models.luck import Luck, Nonce
from tournaments.models.round_plan import FINAL, RoundPlan
from tournaments.models.ruling import Rewound, Ruling, RulingKind, SupersededMatch
from tournaments.models.stage import (
    Bye,
    Fixture,
    Round,
    Seed,
    Stage,
)
from tournaments.models.tournament import (
    ENTERING,
    PLAYING,
    Admission,
    KeepApart,
    Publication,
    Tournament,
    TournamentState,
)

__all__ = [
    "ENTERING",
    "FINAL",
    "PLAYING",
    "Admission",
    "Bye",
    "ChainLink",
    "Entry",
    "Fixture",
    "ForbiddenPair",
    "Invitation",
    "KeepApart",
    "KeptGroup",
    "LadderCup",
    "Luck",
    "Nonce",
    "PassedOver",
    "Publication",
    "Rewound",
    "Round",
    "RoundPlan",
    "Ruling",
    "RulingKind",
    "SealedName",
    "Seed",
    "Stage",
    "SupersededMatch",
    "Tournament",
    "TournamentState",
    "Withdrawal",
]
