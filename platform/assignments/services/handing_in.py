"""Hand a bot in, take it back, and give somebody more time."""

from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext as _

from assignments.errors import AlreadyMarked, AssignmentRefused, NotOpenNow
from assignments.models import Assignment, DueExtension, HandIn, Marking
from assignments.permissions import is_own_bot
from assignments.selectors.deadlines import deadline_of, extension_of, time_now
from assignments.services.locking import locked
from bots.models import Bot
from groups.models import GroupMember


def hand_in_submit(*, assignment: Assignment, student: AbstractUser, bot: Bot) -> HandIn:
    """Hand in ``bot``, in the place of what was handed in before. Which version of it is marked is seen at the due
    time.

    Raises:
        NotOpenNow: it has not opened, or the student's last day is over.
        AlreadyMarked: the student has been marked.
        AssignmentRefused: no member of the group, or a bot that may not be handed in.
    """
    with transaction.atomic():
        now = _open_to(assignment, student)
        if not GroupMember.objects.filter(group=now.group_id, person=student.pk).exists():
            raise AssignmentRefused("not_member", _("Only members of the group hand in bots."))
        if not is_own_bot(student, bot) or bot.game != now.game:
            raise AssignmentRefused("invalid", _("Choose one of your own bots for this game."), "bot")
        handed_in, _created = HandIn.objects.update_or_create(
            assignment=now, student_id=student.pk, defaults={"bot": bot, "handed_in_at": time_now()}
        )
    return handed_in


def hand_in_withdraw(*, assignment: Assignment, student: AbstractUser) -> bool:
    """Take back what was handed in. Return whether anything was.

    Raises:
        NotOpenNow, AlreadyMarked: see ``hand_in_submit``.
    """
    with transaction.atomic():
        now = _open_to(assignment, student)
        return bool(HandIn.objects.filter(assignment=now, student=student.pk).delete()[0])


def extension_create(
    *, assignment: Assignment, student_id: int, due_at: datetime, reason: str, by: AbstractUser
) -> DueExtension:
    """Give a student another due time, later than everybody's and not over yet. It replaces an earlier extension.

    Raises:
        AlreadyMarked: the student has been marked, or the secret of the seeds has been revealed.
        AssignmentRefused: no member, no reason, or a time that makes no sense.
    """
    with transaction.atomic():
        now = locked(assignment.pk)
        if now.revealed_at is not None:
            raise AlreadyMarked(_("All marks are published and the seeds are known, so nobody can be given more time."))
        if Marking.objects.filter(assignment=now, student=student_id).exists():
            raise AlreadyMarked(_("This person has been marked already. Mark them again with their newest version."))
        if not GroupMember.objects.filter(group=now.group_id, person=student_id).exists():
            raise AssignmentRefused("not_member", _("This person is not in the group."))
        if not reason.strip():
            raise AssignmentRefused("invalid", _("Give a reason."), "reason")
        if due_at <= max(now.due_at, time_now()):
            sentence = _("The new due time must be in the future and later than everybody's.")
            raise AssignmentRefused("invalid", sentence, "due_at")
        return DueExtension.objects.create(
            assignment=now, student_id=student_id, due_at=due_at, reason=reason.strip(), by_id=by.pk
        )


def _open_to(assignment: Assignment, student: AbstractUser) -> Assignment:
    """Return the assignment, locked, if the student may still hand in."""
    now, time = locked(assignment.pk), time_now()
    if time < now.opens_at:
        raise NotOpenNow(_("This assignment has not opened yet."))
    if Marking.objects.filter(assignment=now, student=student.pk).exists():
        raise AlreadyMarked(_("You have been marked already."))
    if now.revealed_at is not None or time >= deadline_of(now, extension_of(now, student.pk)).ends_at:
        raise NotOpenNow(_("The time for handing in is over."))
    return now
