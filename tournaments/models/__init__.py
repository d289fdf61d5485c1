"""Tournaments, their stages and rounds, and who entered them."""

from tournaments.models.ceremony import Ceremony
from tournaments.models.chain import ChainLink, SealedName
from tournaments.models.entry import Entry, TeamPlayer, Withdrawal
from tournaments.models.forbidden_pairs import ForbiddenPair, KeptGroup
from tournaments.models.invitation import Invitation
from tournaments.models.ladder_cup import OPENS_BEFORE, LadderCup, NoCup, PassedOver, WeeklyCup, WeeklyEnd
from tournaments.models.luck import Luck, Nonce
from tournaments.models.registration import (
    ANSWER_LENGTH,
    ASKED_MOST,
    CATEGORIES_MOST,
    CHOICE_LENGTH,
    CHOICES_MOST,
    KEPT_MOST,
    QUESTION_LENGTH,
    EntryAnswers,
    RegistrationKind,
    RegistrationQuestion,
)
from tournaments.models.round_plan import FINAL, RoundPlan
from tournaments.models.ruling import RULING_CHOICES, RULING_LABELS, Rewound, Ruling, SupersededMatch
from tournaments.models.stage import (
    Bye,
    Fixture,
    Round,
    Seed,
    Stage,
)
from tournaments.models.tournament import (
    COPY_DAYS_MOST,
    ENTERING,
    PLAYING,
    Admission,
    KeepApart,
    NewVersions,
    Publication,
    Tournament,
    TournamentState,
)

__all__ = [
    "ANSWER_LENGTH",
    "ASKED_MOST",
    "CATEGORIES_MOST",
    "CHOICES_MOST",
    "CHOICE_LENGTH",
    "COPY_DAYS_MOST",
    "ENTERING",
    "FINAL",
    "KEPT_MOST",
    "OPENS_BEFORE",
    "PLAYING",
    "QUESTION_LENGTH",
    "RULING_CHOICES",
    "RULING_LABELS",
    "Admission",
    "Bye",
    "Ceremony",
    "ChainLink",
    "Entry",
    "EntryAnswers",
    "Fixture",
    "ForbiddenPair",
    "Invitation",
    "KeepApart",
    "KeptGroup",
    "LadderCup",
    "Luck",
    "NewVersions",
    "NoCup",
    "Nonce",
    "PassedOver",
    "Publication",
    "RegistrationKind",
    "RegistrationQuestion",
    "Rewound",
    "Round",
    "RoundPlan",
    "Ruling",
    "SealedName",
    "Seed",
    "Stage",
    "SupersededMatch",
    "TeamPlayer",
    "Tournament",
    "TournamentState",
    "WeeklyCup",
    "WeeklyEnd",
    "Withdrawal",
]
