"""Services of teams: create them, join and leave, remove members, choose a captain, and create links."""

import re
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Final, TypeAlias

from django.contrib.auth import get_user_model
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import AbstractUser
from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.text import slugify

from teams.errors import (
    BadTeamName,
    NotTheCaptain,
    NoWayIntoTeam,
    TeamFull,
    TeamNameTaken,
    TooManyTeamLinks,
    TooManyTeams,
)
from teams.models import NAME_MOST, Team, TeamAct, TeamChange, TeamInvitation, TeamMember
from teams.selectors import may_lead_team, team_links
from web.invitations import invitation_link_token, invitation_token_digest, invitation_use
from web.name_keys import name_check, name_key
from web.page_cache import pages_forget

__all__ = [
    "team_captain_set",
    "team_create",
    "team_link_create",
    "team_link_revoke",
    "team_member_join",
    "team_member_leave",
    "team_member_remove",
    "teams_release",
]


TEAMS_MOST: Final = 5  # teams of one person; limited because each team has its own limits and quotas


def team_locked(team_id: int) -> Team:
    """Lock the members of the team until the end of the transaction. Return its current row.

    Raises:
        Team.DoesNotExist: the team was dissolved.
    """
    return Team.objects.select_for_update(no_key=True, of=("self",)).select_related("account").get(pk=team_id)


def team_place_require(person: AbstractUser) -> None:
    """Require that ``person`` may join another team, and lock the person until the end of the transaction. Lock the
    person before the team.

    Raises:
        TooManyTeams: the person is in ``TEAMS_MOST`` teams.
    """
    get_user_model().objects.select_for_update(no_key=True).get(pk=person.pk)
    if TeamMember.objects.filter(person=person.pk).count() >= TEAMS_MOST:
        raise TooManyTeams(TEAMS_MOST)


MEMBERS_MOST: Final = 50  # members of one team


def team_member_join(*, person: AbstractUser, digests: Sequence[str]) -> TeamMember:
    """Make ``person`` a member by the link with one of these digests. This uses the link once, unless ``person`` is a
    member already.

    Raises:
        NoWayIntoTeam: the link is invalid.
        TooManyTeams, TeamFull: see there.
    """
    found = TeamInvitation.objects.filter(digest__in=digests).first()
    if found is None:
        raise NoWayIntoTeam
    if (
        member := TeamMember.objects.filter(team=found.team_id, person=person.pk)
        .select_related("team__account")
        .first()
    ):
        return member
    with transaction.atomic():
        team_place_require(person)
        try:
            team = team_locked(found.team_id)
        except Team.DoesNotExist as error:
            raise NoWayIntoTeam from error
        if TeamMember.objects.filter(team=team).count() >= MEMBERS_MOST:
            raise TeamFull(MEMBERS_MOST)
        member, is_new = TeamMember.objects.get_or_create(team=team, person_id=person.pk)
        if is_new:
            if not invitation_use(found):
                raise NoWayIntoTeam
            _log(team, person.pk, person, TeamAct.JOINED)
    return member


def team_member_leave(*, team: Team, person: AbstractUser) -> bool:
    """Leave a team. A captain is succeeded by the active member who joined first. After the last member, the team is
    dissolved and its bots are deleted. Return False if ``person`` is not a member.
    """
    return _member_delete(team.pk, person.pk, person, TeamAct.LEFT)


def team_member_remove(*, team: Team, person_id: int, by: AbstractUser) -> bool:
    """Remove a member. Return False if the person is not a member.

    Raises:
        NotTheCaptain: see there.
    """
    with transaction.atomic():
        try:
            team = team_locked(team.pk)
        except Team.DoesNotExist:
            return False
        if not may_lead_team(by, team):
            raise NotTheCaptain
        return _member_delete(team.pk, person_id, by, TeamAct.REMOVED)


def team_captain_set(*, team: Team, person_id: int, by: AbstractUser) -> bool:
    """Make a member captain instead of the current one. Return False if there is no such member.

    Raises:
        NotTheCaptain: see there.
    """
    with transaction.atomic():
        team = team_locked(team.pk)
        if not may_lead_team(by, team):
            raise NotTheCaptain
        heir = TeamMember.objects.filter(team=team, person=person_id).first()
        if heir is not None and not heir.is_captain:
            _captaincy_give(team, heir, by)
    return heir is not None


def teams_release(*, person: AbstractUser) -> None:
    """Remove ``person`` from all teams, because the account is about to be deleted. The effect is the same as if
    ``person`` had left each team.
    """
    for team_id in list(TeamMember.objects.filter(person=person.pk).values_list("team", flat=True)):
        _member_delete(team_id, person.pk, person, TeamAct.LEFT)


def _member_delete(team_id: int, person_id: int, by: AbstractUser, act: TeamAct) -> bool:
    with transaction.atomic():
        try:
            team = team_locked(team_id)
        except Team.DoesNotExist:
            return False
        member = TeamMember.objects.filter(team=team, person=person_id).first()
        if member is None:
            return False
        member.delete()
        _log(team, person_id, by, act)
        # Active members come first, then those who joined first.
        heir = TeamMember.objects.filter(team=team).order_by("-person__is_active", "joined_at", "pk").first()
        if heir is None:
            team_dissolved_notify(team.pk)
            get_user_model().objects.get(pk=team.pk).delete()
            pages_forget()
        elif member.is_captain:
            _captaincy_give(team, heir, None)
    return True


def _captaincy_give(team: Team, heir: TeamMember, by: AbstractUser | None) -> None:
    TeamMember.objects.filter(team=team, is_captain=True).update(is_captain=False)
    TeamMember.objects.filter(pk=heir.pk).update(is_captain=True)
    _log(team, heir.person_id, by, TeamAct.CAPTAIN)


def _log(team: Team, person_id: int, by: AbstractUser | None, act: TeamAct) -> None:
    TeamChange.objects.create(team=team, person_id=person_id, by_id=by.pk if by else None, act=act)


RESERVED_SLUGS: Final = ("new", "join")
# The same characters as in user names (``arena.accounts.forms``), and single spaces, which user names cannot contain.
NAME: Final = re.compile(r"[^\W_](?:[\w.+-]| (?! |\Z))*")


def team_create(*, by: AbstractUser, name: str) -> Team:
    """Create a team with ``by`` as its captain.

    Raises:
        BadTeamName, TeamNameTaken, TooManyTeams: see there.
        Refusal: the name can be mistaken for somebody else's.
    """
    if len(name) > NAME_MOST or not NAME.fullmatch(name):
        raise BadTeamName
    name_check(name, owner_id=by.pk)
    people = get_user_model().objects
    try:
        with transaction.atomic():
            team_place_require(by)
            if people.filter(username_key=name_key(name)).exists():
                raise TeamNameTaken(name)
            account = people.create(username=name, is_team=True, is_active=False, password=make_password(None))
            team = Team.objects.create(account_id=account.pk, slug=_free_slug(name))
            TeamMember.objects.create(team=team, person_id=by.pk, is_captain=True)
            TeamChange.objects.create(team=team, person_id=by.pk, by_id=by.pk, act=TeamAct.FOUNDED)
    except IntegrityError as error:  # somebody took the name or the slug meanwhile
        raise TeamNameTaken(name) from error
    return team


def _free_slug(name: str) -> str:
    base = slugify(name)[:34].strip("-") or "team"
    taken = {*RESERVED_SLUGS, *Team.objects.filter(slug__startswith=base).values_list("slug", flat=True)}
    return next(slug for n in range(1, len(taken) + 2) if (slug := base if n == 1 else f"{base}-{n}") not in taken)


LINKS_MOST: Final = 10  # valid links of one team
USES_MOST: Final = 50
DAYS_MOST: Final = 30


def team_link_create(*, team: Team, by: AbstractUser, uses: int, days: int) -> tuple[TeamInvitation, str]:
    """Create a link for ``uses`` people, valid for ``days``. Return it with its token, which is not stored.

    Raises:
        NotTheCaptain, TooManyTeamLinks: see there.
    """
    with transaction.atomic():
        team = team_locked(team.pk)
        if not may_lead_team(by, team):
            raise NotTheCaptain
        if team_links(team).count() >= LINKS_MOST:
            raise TooManyTeamLinks(LINKS_MOST)
        token = invitation_link_token()
        made = TeamInvitation.objects.create(
            team=team,
            created_by_id=by.pk,
            digest=invitation_token_digest(token),
            uses_most=uses,
            uses_left=uses,
            expires_at=timezone.now() + timedelta(days=days),
        )
    return made, token


def team_link_revoke(*, team: Team, link_id: int, by: AbstractUser) -> bool:
    """Revoke a link. Return False if it was revoked already.

    Raises:
        NotTheCaptain: see there.
    """
    if not may_lead_team(by, team):
        raise NotTheCaptain
    links = TeamInvitation.objects.filter(team=team, pk=link_id, revoked_at=None)
    return bool(links.update(revoked_at=timezone.now()))


OnChange: TypeAlias = Callable[[int], None]

_DISSOLVED: Final[list[OnChange]] = []


def team_dissolved_register(callback: OnChange) -> None:
    """Register a callback for teams whose last member leaves. It gets the primary key of the team, in the same
    transaction, before the account is deleted."""
    if callback not in _DISSOLVED:
        _DISSOLVED.append(callback)


def team_dissolved_notify(team_id: int) -> None:
    """Call all registered callbacks."""
    for callback in _DISSOLVED:
        callback(team_id)
