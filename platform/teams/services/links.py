"""Links into a team. A token is shown once, by the caller of these functions."""

from datetime import timedelta
from typing import Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from teams.errors import NotTheCaptain, TooManyTeamLinks
from teams.models import Team, TeamInvitation
from teams.selectors import may_lead, team_links
from teams.services.members import locked
from web.invitations import digest_of, link_token

LINKS_MOST: Final = 10  # that hold, of one team
USES_MOST: Final = 50
DAYS_MOST: Final = 30


def team_link_create(*, team: Team, by: AbstractUser, uses: int, days: int) -> tuple[TeamInvitation, str]:
    """Make a link that lets in ``uses`` people within ``days``; return it with its token, which is stored nowhere.

    Raises:
        NotTheCaptain, TooManyTeamLinks: see there.
    """
    with transaction.atomic():
        team = locked(team.pk)
        if not may_lead(by, team):
            raise NotTheCaptain
        if team_links(team).count() >= LINKS_MOST:
            raise TooManyTeamLinks(LINKS_MOST)
        token = link_token()
        made = TeamInvitation.objects.create(
            team=team,
            created_by_id=by.pk,
            digest=digest_of(token),
            uses_most=uses,
            uses_left=uses,
            expires_at=timezone.now() + timedelta(days=days),
        )
    return made, token


def team_link_revoke(*, team: Team, link_id: int, by: AbstractUser) -> bool:
    """Let nobody in any more by a link; False if it was revoked already.

    Raises:
        NotTheCaptain: see there.
    """
    if not may_lead(by, team):
        raise NotTheCaptain
    links = TeamInvitation.objects.filter(team=team, pk=link_id, revoked_at=None)
    return bool(links.update(revoked_at=timezone.now()))
