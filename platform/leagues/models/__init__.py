"""A league, its seasons, the versions that contend in them, and what was known of them after each refit."""

from leagues.models.contender import STANDING, Contender, ContenderState, Membership, MembershipState
from leagues.models.league import League, LeagueState
from leagues.models.match import LeagueMatch
from leagues.models.rating import Rating, Refit
from leagues.models.season import Season, SeasonState

__all__ = [
    "STANDING",
    "Contender",
    "ContenderState",
    "League",
    "LeagueMatch",
    "LeagueState",
    "Membership",
    "MembershipState",
    "Rating",
    "Refit",
    "Season",
    "SeasonState",
]
