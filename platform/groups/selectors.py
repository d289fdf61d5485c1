"""Selectors of groups and their members, and who may do what with a group."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Case, Count, Exists, Max, Min, OuterRef, Q, QuerySet, Subquery, Sum, Value, When
from django.utils.crypto import constant_time_compare, salted_hmac

from groups.models import Group, GroupInvitation, GroupMember, GroupRole, InvitationKind, MemberChange, RosterRow
from web.invitations import invitation_usable
from web.name_keys import name_key

CHANGES_SHOWN = 50
FEED_TOKEN = re.compile(r"[0-9]{1,18}-[0-9a-f]{64}")


def with_groups(people: QuerySet[Any]) -> QuerySet[Any]:
    """Annotate ``people`` with ``is_in_groups``. Further checks of people without groups then need no query."""
    member = GroupMember.objects.filter(person=OuterRef("pk"))
    annotated: QuerySet[Any] = people.annotate(is_in_groups=Exists(member))
    return annotated


def is_in_groups(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` may be in a group. For users from ``with_groups``, the answer is exact for the beginning
    of the request, and takes no query.
    """
    return user.pk is not None and getattr(user, "is_in_groups", True)


def groups_of(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Group]:
    """Return the groups in which ``user`` has any role; none for anonymous visitors.

    It can be used in a condition: ``Q(group__in=groups_of(user))``.
    """
    if user.pk is None:
        return Group.objects.none()
    return Group.objects.filter(pk__in=GroupMember.objects.filter(person=user.pk).values("group"))


def group_member_of(user: AbstractBaseUser | AnonymousUser, group: Group) -> GroupMember | None:
    """Return the membership of ``user`` in ``group``, or None."""
    if user.pk is None:
        return None
    return GroupMember.objects.filter(group=group, person=user.pk).first()


def group_roles_of(user: AbstractBaseUser | AnonymousUser) -> dict[int, str]:
    """Return the role of ``user`` in each of their groups, by the group's primary key."""
    if user.pk is None:
        return {}
    return dict(GroupMember.objects.filter(person=user.pk).values_list("group", "role"))


def may_know_group_names(user: Any, group: Group | None) -> bool:
    """Return whether ``user`` may know who uses which alias in ``group``."""
    if group is None or not group.uses_aliases or user.is_staff:
        return True
    return bool(group_roles_of(user).get(group.pk, GroupRole.MEMBER) != GroupRole.MEMBER)


def is_in_group_with_large_uploads(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether ``user`` is in a group with larger uploads."""
    return is_in_groups(user) and GroupMember.objects.filter(person=user.pk, group__has_large_uploads=True).exists()


def group_memberships_of(user: AbstractBaseUser) -> QuerySet[GroupMember]:
    """Return the memberships of ``user`` with their groups, sorted by the groups' names, each with ``member_count``."""
    own = GroupMember.objects.filter(person=user.pk).select_related("group").order_by("group__name", "group")
    return own.annotate(member_count=Count("group__members"))


def groups_visible(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Group]:
    """Return the groups of ``user`` and listed groups; for staff of the site all groups."""
    if user.is_active and getattr(user, "is_staff", False):
        return Group.objects.all()
    return Group.objects.filter(Q(pk__in=groups_of(user)) | Q(is_listed=True, closed_at=None))


def groups_listed(user: AbstractBaseUser | AnonymousUser) -> QuerySet[Group]:
    """Return the listed groups that ``user`` is not in."""
    return Group.objects.filter(is_listed=True, closed_at=None).exclude(pk__in=groups_of(user).values("pk"))


def group_members_of(group: Group) -> QuerySet[GroupMember]:
    """Return the members of a group with their accounts: owners, then staff, then members, each by name."""
    order = {GroupRole.OWNER: 0, GroupRole.STAFF: 1}
    ranked = GroupMember.objects.filter(group=group).select_related("person")
    return ranked.annotate(rank=_rank(order)).order_by("rank", "person__username")


def _rank(order: dict[GroupRole, int]) -> Case:
    return Case(*(When(role=role, then=Value(rank)) for role, rank in order.items()), default=Value(len(order)))


@dataclass(frozen=True, slots=True)
class MemberShown:
    """A member as other members see them: by alias if the group uses aliases, otherwise by user name."""

    name: str
    role: str
    is_alias: bool


def group_members_shown(group: Group) -> list[MemberShown]:
    """Return the members as other members see them. Owners and staff are shown by user name."""
    shown = []
    for member in group_members_of(group):
        hides = group.uses_aliases and not member.manages
        shown.append(MemberShown(member.alias if hides else member.person.get_username(), member.role, hides))
    return sorted(shown, key=lambda one: (one.is_alias, one.name.casefold() if one.is_alias else ""))


def group_roster_rows_of(group: Group) -> QuerySet[RosterRow]:
    """Return the people on the roster who have not joined. Each has ``slip_until``, the time when the person's printed
    slip expires.

    ``slip_until`` is None for people without a valid slip.
    """
    slips = GroupInvitation.objects.filter(invitation_usable(), kind=InvitationKind.SLIP, row=OuterRef("pk"))
    until = Subquery(slips.order_by("-expires_at").values("expires_at")[:1])
    return RosterRow.objects.filter(group=group).annotate(slip_until=until).order_by("name", "pk")


def group_roster_rows_to_print(group: Group, *, again: bool = False) -> QuerySet[RosterRow]:
    """Return the people on the roster without an address and without a valid slip. With ``again``, include those with a
    valid slip.
    """
    without_address = group_roster_rows_of(group).filter(email="")
    return without_address if again else without_address.filter(Q(slip_until=None))


def group_changes_of(group: Group) -> QuerySet[MemberChange]:
    """Return the last changes of members, newest first."""
    return MemberChange.objects.filter(group=group).select_related("person", "by").order_by("-pk")[:CHANGES_SHOWN]


def group_invitations_open(group: Group) -> QuerySet[GroupInvitation]:
    """Return the valid invitations."""
    return GroupInvitation.objects.filter(invitation_usable(), group=group)


@dataclass(frozen=True, slots=True)
class WayIn:
    """A way to join a group: a link, a code, or slips that were printed together. ``left`` of its ``most`` uses are
    left.
    """

    batch: UUID
    kind: str
    role: str
    most: int
    left: int
    created_at: datetime
    expires_at: datetime

    @property
    def label(self) -> str:
        return str(InvitationKind(self.kind).label)

    @property
    def is_renewable(self) -> bool:
        return self.kind in (InvitationKind.LINK, InvitationKind.CODE)


def group_ways_in(group: Group) -> list[WayIn]:
    """Return the valid links, codes and slips, newest first. Invitations by email are not included."""
    open_batches = group_invitations_open(group).exclude(kind=InvitationKind.LETTER).values("batch")
    rows = (
        GroupInvitation.objects.filter(group=group, batch__in=open_batches)
        .values("batch", "kind", "role")
        .annotate(
            most=Sum("uses_most"),
            left=Sum("uses_left", filter=Q(revoked_at=None), default=0),
            made=Min("created_at"),
            until=Max("expires_at"),
        )
        .order_by("-made", "-batch")
    )
    return [
        WayIn(
            batch=row["batch"],
            kind=row["kind"],
            role=row["role"],
            most=row["most"],
            left=row["left"],
            created_at=row["made"],
            expires_at=row["until"],
        )
        for row in rows
    ]


def group_invitation_of_digests(digests: Sequence[str]) -> GroupInvitation | None:
    """Return the invitation with one of these digests, if it is valid and its group is open."""
    found = GroupInvitation.objects.select_related("group", "created_by", "row").filter(
        invitation_usable(), digest__in=digests, group__closed_at=None
    )
    return found.first()


Visitor = AbstractBaseUser | AnonymousUser


def is_group_member(user: Visitor, group: Group) -> bool:
    """Return whether ``user`` has any role in the group."""
    return group_member_of(user, group) is not None


def may_see_group(user: Visitor, group: Group) -> bool:
    """Return whether ``user`` may see the group's own page: members and staff of the site."""
    return is_site_staff(user) or is_group_member(user, group)


def group_feed_token_of(person: AbstractBaseUser, group: Group) -> str:
    """Return the secret part of the URL of the group's feed for ``person``. It changes when the password changes."""
    message = f"{group.pk} {person.pk} {person.get_session_auth_hash()}"
    return f"{person.pk}-{salted_hmac('groups.feed', message, algorithm='sha256').hexdigest()}"


def group_feed_reader(group: Group, token: str) -> AbstractBaseUser | None:
    """Return the person to whom this ``group_feed_token_of`` belongs; None if the token is invalid, or if the person
    may not see ``group``.
    """
    if not FEED_TOKEN.fullmatch(token):
        return None
    person = get_user_model().objects.filter(pk=token.partition("-")[0], is_active=True).first()
    if person is None or not constant_time_compare(token, group_feed_token_of(person, group)):
        return None
    return person if may_see_group(person, group) else None


def may_manage_group(user: Visitor, group: Group) -> bool:
    """Return whether ``user`` may manage members, the roster and invitations: owners, staff, and staff of the site."""
    if is_site_staff(user):
        return True
    member = group_member_of(user, group)
    return member is not None and member.manages and user.is_active


def may_own_group(user: Visitor, group: Group) -> bool:
    """Return whether ``user`` may change the group and the roles in it: owners, and staff of the site."""
    if is_site_staff(user):
        return True
    member = group_member_of(user, group)
    return member is not None and member.role == GroupRole.OWNER and user.is_active


def may_create_groups(user: Visitor) -> bool:
    """Return whether ``user`` may create groups: organisers and staff of the site."""
    return user.is_active and bool(getattr(user, "is_organiser", False) or is_site_staff(user))


def is_site_staff(user: Visitor) -> bool:
    return user.is_active and bool(getattr(user, "is_staff", False))


def group_aliases_taken(group: Group) -> set[str]:
    """Return the keys of all aliases of members and of people on the roster."""
    of_members = GroupMember.objects.filter(group=group).exclude(alias="").values_list("alias", flat=True)
    of_rows = RosterRow.objects.filter(group=group).exclude(alias="").values_list("alias", flat=True)
    return {name_key(alias) for alias in (*of_members, *of_rows)}
