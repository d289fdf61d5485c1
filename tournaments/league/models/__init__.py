"""A league, its seasons, the versions that contend in them, and what was known of them after each refit."""

from tournaments.league.models.contender import STANDING, Contender, ContenderState, Membership, MembershipState
from tournaments.league.models.league import League, LeagueState
from tournaments.league.models.match import LeagueMatch
from tournaments.league.models.rating import Rating, Refit
from tournaments.league.models.season import Season, SeasonState

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
