"""Services for members of groups: join, leave, remove, and change roles and aliases."""

from collections.abc import Sequence

from allauth.account.models import EmailAddress
from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from groups.errors import GroupClosed, GroupFull, LastOwner, NotYours, NoWayIn, Taken
from groups.models import (
    Group,
    GroupInvitation,
    GroupMember,
    GroupRole,
    MemberAct,
    MemberChange,
    RosterRow,
)
from groups.selectors import group_aliases_taken, may_own_group
from groups.services.groups import group_alias_new, group_aliases_fill, group_locked, group_member_left_notify
from web.invitations import invitation_use
from web.name_keys import name_check, name_key

MEMBERS_MOST = 5_000  # members of one group


def group_member_join(*, person: AbstractUser, digests: Sequence[str]) -> GroupMember:
    """Make ``person`` a member with the invitation that has one of these digests. This takes one use of the invitation.

    An existing member is not changed and takes no use, except that an invitation for staff makes a member staff.

    Raises:
        NoWayIn: the invitation is unknown or no longer valid.
        GroupClosed, GroupFull: see there.
    """
    found = GroupInvitation.objects.select_related("group").filter(digest__in=digests).first()
    if found is None:
        raise NoWayIn
    with transaction.atomic():
        group = group_locked(found.group)
        if group.closed_at is not None:
            raise GroupClosed
        member = GroupMember.objects.filter(group=group, person=person.pk).first()
        rises = member is not None and found.role == GroupRole.STAFF and member.role == GroupRole.MEMBER
        if member is not None and not rises:
            return member
        if not invitation_use(found):
            raise NoWayIn
        if member is None:
            row = found.row or _group_roster_row_of(person, group)
            return _member_create(group, person, found.role, row)
        return _role_change(member, found.role, person)


def group_member_admit(*, group: Group, person: AbstractUser) -> bool:
    """Make ``person`` a member without an invitation, as configured by the site's operator.

    Return whether the person is a new member. An existing member is not changed. People who left or were removed are
    not admitted again.

    Raises:
        GroupClosed, GroupFull: see there.
    """
    with transaction.atomic():
        group = group_locked(group)
        if GroupMember.objects.filter(group=group, person=person.pk).exists():
            return False
        if MemberChange.objects.filter(group=group, person=person.pk, act__in=(MemberAct.LEFT, MemberAct.REMOVED)):
            return False
        if group.closed_at is not None:
            raise GroupClosed
        _member_create(group, person, GroupRole.MEMBER, _group_roster_row_of(person, group))
        return True


def group_member_leave(*, group: Group, person: AbstractUser) -> bool:
    """Leave a group. Return False if ``person`` is not a member.

    Raises:
        LastOwner: the group would be left without an owner.
    """
    with transaction.atomic():
        return _member_delete(group_locked(group), person.pk, person, MemberAct.LEFT)


def group_member_remove(*, group: Group, person_id: int, by: AbstractUser) -> bool:
    """Remove a member. Return False if the person is not a member.

    Raises:
        NotYours: staff of the group cannot remove staff or owners.
        LastOwner: the group would be left without an owner.
    """
    with transaction.atomic():
        group = group_locked(group)
        member = GroupMember.objects.filter(group=group, person=person_id).first()
        if member is not None and member.manages and not may_own_group(by, group):
            raise NotYours
        return _member_delete(group, person_id, by, MemberAct.REMOVED)


def group_member_role_set(*, group: Group, person_id: int, role: str, by: AbstractUser) -> GroupMember:
    """Change the role of a member.

    Raises:
        NotYours: ``by`` is not an owner.
        LastOwner: the group would be left without an owner.
        GroupMember.DoesNotExist: there is no such member.
    """
    with transaction.atomic():
        group = group_locked(group)
        member = GroupMember.objects.get(group=group, person=person_id)
        if member.role == role:
            return member
        if not may_own_group(by, group):
            raise NotYours
        if member.role == GroupRole.OWNER:
            _another_owner_require(group, person_id)
        return _role_change(member, role, by)


def group_member_update(
    *, group: Group, person_id: int, alias: str, roster_id: str, cohort: str, by: AbstractUser, role: str = ""
) -> GroupMember:
    """Change a member's alias, roster id and cohort, and the ``role`` if given.

    In a group with aliases, an empty alias is replaced by a new one.

    Raises:
        NotYours, LastOwner: see ``group_member_role_set``.
        BadName: the alias is not readable, or can be mistaken for somebody else.
        Taken: another member has the alias or the roster id.
        GroupMember.DoesNotExist: there is no such member.
    """
    with transaction.atomic():
        group = group_locked(group)
        if role:
            group_member_role_set(group=group, person_id=person_id, role=role, by=by)
        member = GroupMember.objects.get(group=group, person=person_id)
        others = GroupMember.objects.filter(group=group).exclude(pk=member.pk)
        if alias and alias != member.alias:
            name_check(alias)
        if alias and others.filter(alias_key=name_key(alias)).exists():
            raise Taken("alias", alias)
        if roster_id and others.filter(roster_id=roster_id).exists():
            raise Taken("roster_id", roster_id)
        if group.uses_aliases and not alias:
            alias = group_alias_new(group_aliases_taken(group))
        member.alias, member.roster_id, member.cohort = alias, roster_id, cohort
        member.save(update_fields=["alias", "roster_id", "cohort"])
    return member


def _group_roster_row_of(person: AbstractUser, group: Group) -> RosterRow | None:
    """Return the row of the roster with a confirmed address of ``person``."""
    confirmed = EmailAddress.objects.filter(user=person.pk, verified=True).values_list("email", flat=True)
    return RosterRow.objects.filter(group=group, email_key__in=[name_key(email) for email in confirmed]).first()


def _member_create(group: Group, person: AbstractUser, role: str, row: RosterRow | None) -> GroupMember:
    if GroupMember.objects.filter(group=group).count() >= MEMBERS_MOST:
        raise GroupFull(MEMBERS_MOST)
    member = GroupMember(group=group, person_id=person.pk, role=role)
    if row is not None:
        row.delete()
        others = GroupMember.objects.filter(group=group)
        member.name, member.cohort = row.name, row.cohort
        if row.roster_id and not others.filter(roster_id=row.roster_id).exists():
            member.roster_id = row.roster_id
        if row.alias and not others.filter(alias_key=name_key(row.alias)).exists():
            member.alias = row.alias
    member.save(force_insert=True)
    MemberChange.objects.create(
        group=group, person_id=person.pk, by_id=person.pk, act=MemberAct.JOINED, role=member.role
    )
    group_aliases_fill(group)
    member.refresh_from_db()
    return member


def _member_delete(group: Group, person_id: int, by: AbstractUser, act: MemberAct) -> bool:
    member = GroupMember.objects.filter(group=group, person=person_id).first()
    if member is None:
        return False
    if member.role == GroupRole.OWNER:
        _another_owner_require(group, person_id)
    member.delete()
    MemberChange.objects.create(group=group, person_id=person_id, by_id=by.pk, act=act, role=member.role)
    group_member_left_notify(group, person_id)
    return True


def _another_owner_require(group: Group, person_id: int) -> None:
    owners = GroupMember.objects.filter(group=group, role=GroupRole.OWNER, person__is_active=True)
    if not owners.exclude(person=person_id).exists():
        raise LastOwner


def _role_change(member: GroupMember, role: str, by: AbstractUser) -> GroupMember:
    member.role = role
    member.save(update_fields=["role"])
    MemberChange.objects.create(
        group=member.group, person_id=member.person_id, by_id=by.pk, act=MemberAct.ROLE, role=role
    )
    return member


def group_memberships_release(*, person: AbstractUser) -> None:
    """Remove ``person``, whose account is about to be deleted, from all groups.

    A group without another owner passes to the staff member who joined first. If there is none, it is closed and its
    invitations are revoked.
    """
    with transaction.atomic():
        for group in Group.objects.filter(members__person=person.pk).order_by("pk"):
            group = group_locked(group)
            if group.members.filter(person=person.pk, role=GroupRole.OWNER).exists():
                _ownership_pass_on(group, person.pk)
            if group.members.filter(person=person.pk).delete()[0]:
                group_member_left_notify(group, person.pk)


def _ownership_pass_on(group: Group, person_id: int) -> None:
    """Give the group another owner, or close it."""
    others = group.members.exclude(person=person_id).filter(person__is_active=True)
    if others.filter(role=GroupRole.OWNER).exists():
        return
    heir = others.filter(role=GroupRole.STAFF).order_by("joined_at", "pk").first()
    if heir is None:
        Group.objects.filter(pk=group.pk, closed_at=None).update(closed_at=timezone.now())
        GroupInvitation.objects.filter(group=group, revoked_at=None).update(revoked_at=timezone.now())
        return
    GroupMember.objects.filter(pk=heir.pk).update(role=GroupRole.OWNER)
    MemberChange.objects.create(group=group, person=heir.person, by=None, act=MemberAct.ROLE, role=GroupRole.OWNER)
