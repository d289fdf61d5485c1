"""Import a roster: preview what happens to each line, then do exactly that."""

from collections.abc import Sequence

from django.contrib.auth.models import AbstractUser
from django.db import transaction

from groups.errors import GroupClosed, GroupFull, RosterChanged
from groups.models import Group, GroupMember, GroupRole, MemberAct, MemberChange, RosterRow
from groups.roster_csv import RosterLine
from groups.roster_plan import RosterOutcome, RosterPlan, RosterStep, group_roster_plan
from groups.services.groups import group_aliases_fill, group_locked
from groups.services.members import MEMBERS_MOST
from web.name_keys import name_key

ROWS_WAITING_MOST = 10_000  # rows of one group
BATCH = 500  # rows
LINE_FIELDS = ("roster_id", "name", "cohort", "alias")  # fields that a line sets


def group_roster_apply(*, group: Group, lines: Sequence[RosterLine], known: str, by: AbstractUser) -> RosterPlan:
    """Do what ``group_roster_plan`` returns for ``lines``. ``known`` is the digest of the plan that the user was shown.

    Raises:
        RosterChanged: the plan has changed; nothing is done.
        GroupClosed, GroupFull: see there; nothing is done.
    """
    with transaction.atomic():
        group = group_locked(group)
        if group.closed_at is not None:
            raise GroupClosed
        plan = group_roster_plan(group, lines)
        if plan.digest != known:
            raise RosterChanged
        if RosterRow.objects.filter(group=group).count() + len(lines) > ROWS_WAITING_MOST:
            raise GroupFull(MEMBERS_MOST)
        joining = [step for step in plan.steps if step.outcome == RosterOutcome.JOINS]
        if GroupMember.objects.filter(group=group).count() + len(joining) > MEMBERS_MOST:
            raise GroupFull(MEMBERS_MOST)
        _members_write(group, joining, by)
        _members_change([step for step in plan.steps if step.outcome == RosterOutcome.MEMBER])
        _rows_write(group, plan)
        group_aliases_fill(group)
    return plan


def group_roster_row_remove(*, group: Group, row_id: int) -> bool:
    """Remove a person who has not joined from the roster, with their invitations.

    Return False if they were removed already.
    """
    return bool(RosterRow.objects.filter(group=group, pk=row_id).delete()[0])


def _members_write(group: Group, joining: Sequence[RosterStep], by: AbstractUser) -> None:
    """Add members. Their memberships replace their rows of the roster. The members are notified later."""
    members = []
    for step in joining:
        row = step.row or RosterRow(group=group)
        _row_fields_set(row, step.line)
        fields = {name: getattr(row, name) for name in LINE_FIELDS}
        members.append(GroupMember(group=group, person=step.person, is_untold=True, **fields))
    RosterRow.objects.filter(pk__in=[step.row.pk for step in joining if step.row]).delete()
    GroupMember.objects.bulk_create(members, batch_size=BATCH)
    MemberChange.objects.bulk_create(
        [
            MemberChange(
                group=group, person_id=member.person_id, by_id=by.pk, act=MemberAct.ADDED, role=GroupRole.MEMBER
            )
            for member in members
        ],
        batch_size=BATCH,
    )


def _members_change(steps: Sequence[RosterStep]) -> None:
    members = []
    for step in steps:
        if step.member is not None:
            _row_fields_set(step.member, step.line)
            step.member.alias_key = name_key(step.member.alias) or None
            members.append(step.member)
    GroupMember.objects.bulk_update(members, [*LINE_FIELDS, "alias_key"], batch_size=BATCH)


def _rows_write(group: Group, plan: RosterPlan) -> None:
    made: list[RosterRow] = []
    present: list[RosterRow] = []
    for step in plan.steps:
        if step.outcome in (RosterOutcome.INVITED, RosterOutcome.ASKED, RosterOutcome.SLIP):
            row = step.row or RosterRow(group=group)
            _row_fields_set(row, step.line)
            row.alias_key, row.email_key = name_key(row.alias) or None, name_key(row.email) or None
            (made if row.pk is None else present).append(row)
    RosterRow.objects.bulk_create(made, batch_size=BATCH)
    RosterRow.objects.bulk_update(present, [*LINE_FIELDS, "email", "alias_key", "email_key"], batch_size=BATCH)


def _row_fields_set(who: RosterRow | GroupMember, line: RosterLine) -> None:
    """Set the fields of a row from the line. Empty fields of the line change nothing."""
    for name in (*LINE_FIELDS, "email"):
        if value := getattr(line, name):
            setattr(who, name, value)
