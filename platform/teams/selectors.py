"""Selectors of teams and their members, and the check of who may act for the owner of a bot.

The owner of a bot is the account of a person or of a team. To check whether a user has the rights of an owner, every
page, API operation and service calls ``acts_for_owner`` or ``team_owners_of``. None compares the owner with the user
directly.
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AbstractUser, AnonymousUser
from django.db.models import Count, Exists, OuterRef, QuerySet

from teams.models import Team, TeamChange, TeamInvitation, TeamMember
from web.invitations import invitation_usable

Visitor: TypeAlias = AbstractBaseUser | AnonymousUser

CHANGES_SHOWN = 50


def with_teams(people: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate ``people`` with ``is_in_teams``. Further checks of people without teams then need no query."""
    member = TeamMember.objects.filter(person=OuterRef("pk"))
    annotated: QuerySet[Any] = people.annotate(is_in_teams=Exists(member))
    return annotated


def is_in_any_team(user: Visitor) -> bool:
    """Return whether ``user`` may be in a team. For users from ``with_teams`` the answer is exact, without a query."""
    return user.pk is not None and getattr(user, "is_in_teams", True)


def acts_for_owner(user: Visitor, owner_id: int | None) -> bool:
    """Return whether ``user`` may act for the owner. The user may if the owner is the user, or a team of which the user
    is a member.
    """
    if user.pk is None or owner_id is None:
        return False
    if user.pk == owner_id:
        return True
    return is_in_any_team(user) and TeamMember.objects.filter(team=owner_id, person=user.pk).exists()


def team_owners_of(user: Visitor) -> list[int] | QuerySet[Any]:
    """Return the primary keys of the accounts for which ``user`` acts, for a condition with ``owner__in``. These are
    the account of the user and those of the user's teams. It is part of the query in which it is used.
    """
    if user.pk is None:
        return []
    return team_owners_by_key(user.pk) if is_in_any_team(user) else [user.pk]


def team_owner_keys(user: Visitor) -> frozenset[int]:
    """Return the accounts of ``team_owners_of`` as a set. No query for users without teams."""
    if user.pk is None:
        return frozenset()
    teams = TeamMember.objects.filter(person=user.pk).values_list("team", flat=True) if is_in_any_team(user) else ()
    return frozenset((user.pk, *teams))


def team_owners_by_key(person_id: int) -> QuerySet[Any]:
    """Return the accounts of ``team_owners_of`` for a person's primary key."""
    themselves = get_user_model().objects.filter(pk=person_id).order_by().values("pk")
    return themselves.union(TeamMember.objects.filter(person=person_id).order_by().values("team"))


def team_people_behind(accounts: Collection[int | None]) -> set[int]:
    """Return the primary keys of the people behind these accounts, with one query. For a team these are its members,
    for a person the person.
    """
    return set().union(*team_people_by_account(accounts).values())


def team_people_by_account(accounts: Collection[int | None]) -> dict[int, set[int]]:
    """Return the people behind each account: the members of a team, or the person. One query."""
    found = {one for one in accounts if one is not None}
    members: dict[int, set[int]] = {}
    for team, person in TeamMember.objects.filter(team__in=found).values_list("team", "person"):
        members.setdefault(team, set()).add(person)
    return {one: members.get(one, {one}) for one in found}


def is_team_larger_than(account_id: int, most: int) -> bool:
    """Return whether the account is a team of more than ``most`` people."""
    return TeamMember.objects.filter(team=account_id).count() > most


def team_people_of(owner: AbstractUser) -> list[AbstractUser]:
    """Return the people to notify about an owner's bots: the owner, or the active members of the team. No query for a
    person."""
    if not getattr(owner, "is_team", False):
        return [owner]
    members = TeamMember.objects.filter(team=owner.pk, person__is_active=True).select_related("person")
    return [one.person for one in members]


def teams_of(user: Visitor) -> QuerySet[Team]:
    """Return the teams of ``user`` by name, each with ``member_count``."""
    if user.pk is None:
        return Team.objects.none()
    mine = Team.objects.filter(pk__in=TeamMember.objects.filter(person=user.pk).values("team"))
    return mine.select_related("account").annotate(member_count=Count("members")).order_by("account__username")


def team_member_of(user: Visitor, team: Team) -> TeamMember | None:
    """Return the membership of ``user`` in ``team``, or None."""
    if user.pk is None:
        return None
    return TeamMember.objects.filter(team=team, person=user.pk).first()


def team_members(team: Team) -> QuerySet[TeamMember]:
    """Return the members of the team with their accounts: the captain first, then by the time of joining."""
    return TeamMember.objects.filter(team=team).select_related("person").order_by("-is_captain", "joined_at", "pk")


def team_changes(team: Team) -> QuerySet[TeamChange]:
    """Return the last changes of members, newest first."""
    return TeamChange.objects.filter(team=team).select_related("person", "by").order_by("-pk")[:CHANGES_SHOWN]


def team_links(team: Team) -> QuerySet[TeamInvitation]:
    """Return the valid links of the team, newest first."""
    return TeamInvitation.objects.filter(invitation_usable(), team=team).order_by("-pk")


def team_link_found(digests: Sequence[str]) -> TeamInvitation | None:
    """Return the link with one of these digests, if it is valid."""
    return (
        TeamInvitation.objects.filter(invitation_usable(), digest__in=digests).select_related("team__account").first()
    )


def may_lead_team(user: Visitor, team: Team) -> bool:
    """Return whether ``user`` may admit and remove members."""
    if user.pk is None or not user.is_active:
        return False
    return bool(getattr(user, "is_staff", False)) or (
        TeamMember.objects.filter(team=team, person=user.pk, is_captain=True).exists()
    )
