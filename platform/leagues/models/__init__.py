"""A league, its seasons, the versions that contend in them, and what was known of them after each refit."""

from leagues.models.exclusion import Exclusion, ExclusionAct, ExclusionBy
from leagues.models.league import League, LeagueState
from leagues.models.match import LeagueMatch
from leagues.models.rating import Rating, RatingSnapshot
from leagues.models.season import Season, SeasonState
from leagues.models.season_entry import STANDING, Membership, MembershipState, SeasonEntry, SeasonEntryState

__all__ = [
    "STANDING",
    "Exclusion",
    "ExclusionAct",
    "ExclusionBy",
    "League",
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
