"""Leagues, seasons, their entries, and snapshots of ratings."""

from leagues.models.league import (
    Exclusion,
    ExclusionAct,
    ExclusionBy,
    League,
    LeagueDigest,
    LeagueState,
    Membership,
    MembershipState,
)
from leagues.models.season import (
    STANDING,
    LeagueMatch,
    Rating,
    RatingSnapshot,
    Season,
    SeasonEntry,
    SeasonEntryState,
    SeasonState,
)

__all__ = [
    "STANDING",
    "Exclusion",
    "ExclusionAct",
    "ExclusionBy",
    "League",
    "LeagueDigest",
    "LeagueMatch",
    "LeagueState",
    "Membership",
    "MembershipState",
    "Rating",
    "RatingSnapshot",
    "Season",
    "SeasonEntry",
    "SeasonEntryState",
    "SeasonState",
]
