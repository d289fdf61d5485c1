"""One change of a team's people at a time, and so many teams of a person."""

from typing import Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractUser

from teams.errors import TooManyTeams
from teams.models import Team, TeamMember

TEAMS_MOST: Final = 5  # of one person: each has limits and quotas of its own


def locked(team_id: int) -> Team:
    """Return the team as it is now, and keep others from changing its people until this transaction ends.

    Raises:
        Team.DoesNotExist: it was dissolved.
    """
    return Team.objects.select_for_update(no_key=True, of=("self",)).select_related("account").get(pk=team_id)


def place_require(person: AbstractUser) -> None:
    """Keep ``person`` from entering another team until this transaction ends. Lock the person before the team.

    Raises:
        TooManyTeams: they are in as many as they may be.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
    if TeamMember.objects.filter(person=person.pk).count() >= TEAMS_MOST:
        raise TooManyTeams(TEAMS_MOST)
