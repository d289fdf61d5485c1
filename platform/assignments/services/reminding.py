"""Remind students a day before their due time, once, if they have handed nothing in."""

from datetime import datetime

from django.db import transaction

from assignments.hook_events import due_notify
from assignments.models import DAY, Assignment, DueExtension, HandIn, HandInPerson
from assignments.selectors.deadlines import extensions_of
from groups.models import GroupMember, GroupRole
from web.database import database_now


def reminders_send(*, assignment: Assignment, now: datetime) -> None:
    """Remind everybody of the due time, and who has more time of theirs. Doing it twice reminds nobody twice: what is
    sent is noted in the same transaction, by a conditional update."""
    if assignment.reminded_at is None and assignment.due_at - DAY <= now < assignment.due_at:
        with transaction.atomic():
            if Assignment.objects.filter(pk=assignment.pk, reminded_at=None).update(reminded_at=database_now()):
                later = {pk for pk, one in extensions_of(assignment).items() if one.due_at > assignment.due_at}
                due_notify(assignment, _without_hand_in(assignment) - later, assignment.due_at)
    for student, extension in extensions_of(assignment).items():
        if extension.reminded_at is None and extension.due_at - DAY <= now < extension.due_at:
            with transaction.atomic():
                if DueExtension.objects.filter(pk=extension.pk, reminded_at=None).update(reminded_at=database_now()):
                    due_notify(assignment, _without_hand_in(assignment) & {student}, extension.due_at)


def _without_hand_in(assignment: Assignment) -> set[int]:
    members = GroupMember.objects.filter(group=assignment.group_id, role=GroupRole.MEMBER)
    alone = HandIn.objects.filter(assignment=assignment).values("student")
    shared = HandInPerson.objects.filter(assignment=assignment, account__in=alone).values("person")
    return set(members.exclude(person__in=alone).exclude(person__in=shared).values_list("person", flat=True))
