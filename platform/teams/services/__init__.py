"""What changes teams: their people and the links into them."""

from teams.services.links import team_link_create, team_link_revoke
from teams.services.members import captain_set, member_join, member_leave, member_remove, team_create, teams_release

__all__ = [
    "captain_set",
    "member_join",
    "member_leave",
    "member_remove",
    "team_create",
    "team_link_create",
    "team_link_revoke",
    "teams_release",
]
