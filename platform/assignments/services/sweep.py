"""Periodic work on assignments: practice after each upload, marking at the due time, and reminders."""

import logging
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from assignments.hook_events import assignment_due_event_publish
from assignments.models import (
    DAY,
    Assignment,
    AssignmentReference,
    DueExtension,
    HandIn,
    HandInPerson,
    Marking,
    PracticeRun,
)
from assignments.selectors.hand_ins import (
    assignment_deadline_of,
    assignment_time_now,
    due_extensions_of,
    hand_in_due_version,
    hand_in_newest_accepted,
    hand_in_versions_by_bot,
    hand_in_versions_by_number,
)
from assignments.services.assignments import assignment_locked
from assignments.services.marking import assignment_secret_publish, marking_practice_match_create, marking_start
from assignments.services.sharing import hand_in_sharing_renew
from groups.models import GroupMember, GroupRole
from teams.selectors import team_owners_by_key, team_people_by_account
from web.database import database_now

logger = logging.getLogger(__name__)


def assignments_tend() -> None:
    """Start due practice matches and markings. Run it every few seconds; it may be repeated."""
    now = assignment_time_now()
    for assignment in Assignment.objects.filter(revealed_at=None, opens_at__lte=now).select_related("group"):
        try:
            _tend(assignment, now)
        except Exception:  # caught, so that the other assignments are still handled
            logger.exception("assignment %d could not be updated", assignment.pk)


def _hand_ins_unmarked(assignment: Assignment) -> QuerySet[HandIn]:
    """Return the unmarked hand-ins of current members."""
    marked = Marking.objects.filter(assignment=assignment, student=OuterRef("student"))
    members = GroupMember.objects.filter(group=assignment.group_id)
    share = HandInPerson.objects.filter(assignment=assignment, account=OuterRef("student"))
    alone, together = members.filter(person=OuterRef("student")), share.filter(person__in=members.values("person"))
    found = HandIn.objects.filter(~Exists(marked), Exists(alone) | Exists(together), assignment=assignment)
    return found.select_related("bot", "student").order_by("pk")


def assignment_practice_start(*, hand_in: HandIn) -> int:
    """Start practice matches of the newest accepted version of a hand-in against each reference, once per version and
    within the daily limit. Return the number of matches."""
    with transaction.atomic():
        assignment = assignment_locked(hand_in.assignment_id)
        version = hand_in_newest_accepted(hand_in_versions_by_number(hand_in))
        own = PracticeRun.objects.filter(reference__assignment=assignment, student=hand_in.student_id)
        if version is None or own.filter(version=version).exists():
            return 0
        now = assignment_time_now()
        if _practice_attempts_used(assignment, hand_in.student_id, now) >= assignment.attempts_a_day:
            return 0
        references = AssignmentReference.objects.filter(assignment=assignment).select_related("assignment", "version")
        runs = [
            PracticeRun(reference=one, student_id=hand_in.student_id, version=version, match=match, created_at=now)
            for one in references
            if (match := marking_practice_match_create(one, version)) is not None
        ]
        PracticeRun.objects.bulk_create(runs)
    return len(runs)


def _practice_attempts_used(assignment: Assignment, student_id: int, now: datetime) -> int:
    """Return how many versions of a student practised in the last 24 hours. Versions of the student's teams are
    included, so that changing teams gives no further attempts. For a team, return the largest number among its members.
    """
    recent = PracticeRun.objects.filter(reference__assignment=assignment, created_at__gt=now - DAY).order_by()
    people = team_people_by_account([student_id])[student_id]
    return max(
        recent.filter(student__in=team_owners_by_key(one)).values("version").distinct().count() for one in people
    )


def _tend(assignment: Assignment, now: datetime) -> None:
    extensions, hand_ins = due_extensions_of(assignment), list(_hand_ins_unmarked(assignment))
    versions = hand_in_versions_by_bot(hand_ins)
    practised = _practised(assignment)
    for hand_in in hand_ins:
        own = versions[hand_in.bot_id]
        newest = hand_in_newest_accepted(own)
        if getattr(hand_in.student, "is_team", False):
            hand_in_sharing_renew(assignment, hand_in.student_id)
        deadline = assignment_deadline_of(assignment, extensions.get(hand_in.student_id))
        if hand_in_due_version(hand_in, deadline, now, own).version is not None:
            marking_start(hand_in=hand_in)
        elif now < deadline.ends_at and newest is not None and (hand_in.student_id, newest.pk) not in practised:
            assignment_practice_start(hand_in=hand_in)
    assignment_reminders_send(assignment=assignment, now=now)
    assignment_secret_publish(assignment=assignment)


def _practised(assignment: Assignment) -> set[tuple[int, int]]:
    """Return the (student, version) pairs whose practice was started."""
    runs = PracticeRun.objects.filter(reference__assignment=assignment)
    return set(runs.order_by().values_list("student_id", "version_id").distinct())


def assignment_reminders_send(*, assignment: Assignment, now: datetime) -> None:
    """Remind students without a hand-in of the due time. A student with an extension is also reminded of the later due
    time. May be repeated: a conditional update in the same transaction records each reminder.
    """
    if assignment.reminded_at is None and assignment.due_at - DAY <= now < assignment.due_at:
        with transaction.atomic():
            if Assignment.objects.filter(pk=assignment.pk, reminded_at=None).update(reminded_at=database_now()):
                later = {pk for pk, one in due_extensions_of(assignment).items() if one.due_at > assignment.due_at}
                assignment_due_event_publish(assignment, _without_hand_in(assignment) - later, assignment.due_at)
    for student, extension in due_extensions_of(assignment).items():
        if extension.reminded_at is None and extension.due_at - DAY <= now < extension.due_at:
            with transaction.atomic():
                if DueExtension.objects.filter(pk=extension.pk, reminded_at=None).update(reminded_at=database_now()):
                    assignment_due_event_publish(assignment, _without_hand_in(assignment) & {student}, extension.due_at)


def _without_hand_in(assignment: Assignment) -> set[int]:
    members = GroupMember.objects.filter(group=assignment.group_id, role=GroupRole.MEMBER)
    alone = HandIn.objects.filter(assignment=assignment).values("student")
    shared = HandInPerson.objects.filter(assignment=assignment, account__in=alone).values("person")
    return set(members.exclude(person__in=alone).exclude(person__in=shared).values_list("person", flat=True))
