"""Teams and who is in them, one line each."""

from itertools import count
from typing import Any

from teams.models import Team, TeamMember
from teams.services import team_create

_NUMBERS = count()


def team_of(captain: Any, *members: Any, name: str = "") -> Team:
    """A team with a captain and these members."""
    team = team_create(by=captain, name=name or f"Team {next(_NUMBERS)}")
    for person in members:
        TeamMember.objects.create(team=team, person=person)
    return team
