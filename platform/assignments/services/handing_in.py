"""Services to hand in a bot, withdraw it, and extend the due time of a student."""

from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext as _

from assignments.errors import AlreadyMarked, AssignmentRefused, NotOpenNow
from assignments.models import Assignment, DueExtension, HandIn, HandInPerson, Marking
from assignments.selectors.hand_ins import (
    assignment_deadline_of,
    assignment_time_now,
    due_extension_of,
    hand_in_account_of,
    may_hand_in,
)
from assignments.services.assignments import assignment_locked
from assignments.services.sharing import hand_in_shares_forget, hand_in_sharing_renew, hand_in_sharing_require
from bots.models import Bot
from groups.models import GroupMember
from teams.selectors import team_people_by_account


def hand_in_submit(*, assignment: Assignment, student: AbstractUser, bot: Bot) -> HandIn:
    """Hand in ``bot``, which belongs to the student or to a team of the student. It replaces an earlier hand-in. The
    version to mark is chosen at the due time.

    Raises:
        NotOpenNow: the assignment has not opened, or the student's last day is over.
        AlreadyMarked: the student has been marked, or the team was marked before the student joined it.
        AssignmentRefused: the student is not in the group, or the bot or the team may not be handed in.
    """
    with transaction.atomic():
        now, time = _open_to(assignment, student)
        if not GroupMember.objects.filter(group=now.group_id, person=student.pk).exists():
            raise AssignmentRefused("not_member", _("Only members of the group hand in bots."))
        if not may_hand_in(student, bot, now) or bot.game != now.game:
            raise AssignmentRefused("invalid", _("Choose one of your own bots for this game."), "bot")
        if bot.owner_id != student.pk:
            if Marking.objects.filter(assignment=now, student=bot.owner_id).exists():
                raise AlreadyMarked(_("Your team has been marked already, without you."))
            _take_back(now, student.pk)
            hand_in_sharing_require(now, bot.owner_id, team_people_by_account([bot.owner_id])[bot.owner_id])
        elif hand_in_account_of(now, student.pk) != student.pk:
            raise AssignmentRefused("handed_in", _("Your team has handed in a bot. Take that back first."), "bot")
        handed_in, _created = HandIn.objects.update_or_create(
            assignment=now, student_id=bot.owner_id, defaults={"bot": bot, "handed_in_at": time}
        )
        hand_in_sharing_renew(now, bot.owner_id)
    return handed_in


def hand_in_withdraw(*, assignment: Assignment, student: AbstractUser) -> bool:
    """Withdraw the hand-in of the student or their team. Return whether there was one.

    Raises:
        NotOpenNow, AlreadyMarked: see ``hand_in_submit``.
    """
    with transaction.atomic():
        now, _time = _open_to(assignment, student)
        return _take_back(now, hand_in_account_of(now, student.pk))


def hand_in_extension_create(
    *, assignment: Assignment, student_id: int, due_at: datetime, reason: str, by: AbstractUser
) -> DueExtension:
    """Set a later due time for a student. It must be in the future, and later than the due time of everybody. It
    replaces an earlier extension.

    Raises:
        AlreadyMarked: the student has been marked, or the secret of the seeds has been revealed.
        AssignmentRefused: the student is not in the group, there is no reason, or the time is invalid.
    """
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        if now.revealed_at is not None:
            raise AlreadyMarked(_("All marks are published and the seeds are known, so nobody can be given more time."))
        if Marking.objects.filter(assignment=now, student=hand_in_account_of(now, student_id)).exists():
            raise AlreadyMarked(_("This person has been marked already. Mark them again with their newest version."))
        if not GroupMember.objects.filter(group=now.group_id, person=student_id).exists():
            raise AssignmentRefused("not_member", _("This person is not in the group."))
        if not reason.strip():
            raise AssignmentRefused("invalid", _("Give a reason."), "reason")
        if due_at <= max(now.due_at, assignment_time_now()):
            sentence = _("The new due time must be in the future and later than everybody's.")
            raise AssignmentRefused("invalid", sentence, "due_at")
        return DueExtension.objects.create(
            assignment=now, student_id=student_id, due_at=due_at, reason=reason.strip(), by_id=by.pk
        )


def _open_to(assignment: Assignment, student: AbstractUser) -> tuple[Assignment, datetime]:
    """Lock the assignment, and require that the student may hand in. Return it with the time of the check."""
    now, time = assignment_locked(assignment.pk), assignment_time_now()
    hand_in_shares_forget(now)
    account = hand_in_account_of(now, student.pk)
    if account != student.pk:  # the student hands in with a team, and may have left it
        hand_in_sharing_renew(now, account)
        account = hand_in_account_of(now, student.pk)
    if time < now.opens_at:
        raise NotOpenNow(_("This assignment has not opened yet."))
    if Marking.objects.filter(assignment=now, student=account).exists():
        raise AlreadyMarked(_("You have been marked already."))
    if now.revealed_at is not None or time >= assignment_deadline_of(now, due_extension_of(now, account)).ends_at:
        raise NotOpenNow(_("The time for handing in is over."))
    return now, time


def _take_back(assignment: Assignment, account_id: int) -> bool:
    HandInPerson.objects.filter(assignment=assignment, account=account_id).delete()
    return bool(HandIn.objects.filter(assignment=assignment, student=account_id).delete()[0])
