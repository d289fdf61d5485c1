"""Services to mark hand-ins, decide marks that the games left undecided, and publish marks.

A marking is one row per student and number, written in one transaction with its matches. So nobody is marked twice or
with two versions, even if a process is killed.

The matches are played by the usual queue and count against the organiser.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from assignments.errors import AlreadyMarked, AssignmentRefused
from assignments.hook_events import assignment_marks_event_publish
from assignments.models import Assignment, AssignmentReference, HandIn, Marking, MarkRuling, ReferenceMark
from assignments.selectors.hand_ins import (
    assignment_deadline_of,
    assignment_time_now,
    due_extension_of,
    hand_in_due_version,
    hand_in_newest_accepted,
    hand_in_people_under,
    hand_in_versions_by_number,
    last_assignment_deadline,
)
from assignments.selectors.marks import (
    MarkOutcome,
    is_marking_complete,
    mark_outcome_of,
    mark_share_of,
    markings_with_marks,
)
from assignments.services.assignments import assignment_locked
from assignments.services.sharing import hand_in_sharing_renew
from bots.models import BotVersion, VersionState
from games.catalogue import UnknownRuleset
from games.ruleset import OptionError, SeatError
from matches.models import Audience, Match
from matches.referee import AboveThreshold
from matches.services import MatchTerms, match_cancel, match_create, match_publish
from matches.services.creating import MatchError
from web.database import database_now


def marking_start(*, hand_in: HandIn) -> Marking | None:
    """Mark a hand-in once, if it is due. Return the marking, or None if there was nothing to do."""
    with transaction.atomic():
        assignment = assignment_locked(hand_in.assignment_id)
        current = HandIn.objects.filter(pk=hand_in.pk).select_related("bot").first()
        if current is None or Marking.objects.filter(assignment=assignment, student=current.student_id).exists():
            return None
        deadline = assignment_deadline_of(assignment, due_extension_of(assignment, current.student_id))
        due = hand_in_due_version(current, deadline, assignment_time_now())
        if due.version is None:
            return None
        hand_in_sharing_renew(assignment, current.student_id)
        return _mark(assignment, current.student_id, 1, due.version, days_late=due.days_late)


def marking_renew(*, marking: Marking, by: AbstractUser, reason: str, takes_newest: bool = False) -> Marking:
    """Mark a student again on new seeds: the same version, or with ``takes_newest`` the newest accepted version. The
    previous marking is kept, but its unfinished matches are cancelled.

    Raises:
        AssignmentRefused: no reason, or the version was deleted.
        AlreadyMarked: there is a newer marking, or the newest version is requested after the seeds were revealed.
    """
    if not reason.strip():
        raise AssignmentRefused("invalid", _("Give a reason."), "reason")
    with transaction.atomic():
        assignment = assignment_locked(marking.assignment_id)
        newest = Marking.objects.filter(assignment=assignment, student=marking.student_id).order_by("-number")[0]
        if newest.pk != marking.pk:
            raise AlreadyMarked(_("This person has been marked again meanwhile. Look at the new marking first."))
        version: BotVersion | None = marking.version
        if takes_newest:
            if assignment.revealed_at is not None:
                raise AlreadyMarked(_("The seeds are known, so only the version that was handed in can be marked."))
            hand_in = HandIn.objects.filter(assignment=assignment, student=marking.student_id).first()
            version = hand_in_newest_accepted(hand_in_versions_by_number(hand_in)) if hand_in else None
        if version is None or version.state != VersionState.ACCEPTED:
            raise AssignmentRefused("deleted", _("This version was deleted, so it cannot play again."))
        match_cancel(matches=Match.objects.filter(reference_mark__marking=marking))
        number = newest.number + 1
        return _mark(
            assignment,
            marking.student_id,
            number,
            version,
            days_late=marking.days_late,
            reason=reason.strip(),
            by_id=by.pk,
        )


def mark_decide(*, mark: ReferenceMark, ruling: str, reason: str, by: AbstractUser) -> None:
    """Decide whether a reference is met, if the games left this undecided. It can be decided only once.

    Raises:
        AssignmentRefused: no reason, or the mark is decided already or still being played.
    """
    if ruling not in (MarkRuling.MET, MarkRuling.MISSED) or not reason.strip():
        raise AssignmentRefused("invalid", _("Choose met or missed, and give a reason."), "reason")
    with transaction.atomic():
        assignment_locked(mark.marking.assignment_id)
        fresh = ReferenceMark.objects.select_related("match").get(pk=mark.pk)
        if mark_outcome_of(fresh) != MarkOutcome.UNDECIDED:
            raise AssignmentRefused("decided", _("There is nothing to decide here any more."))
        _rule([mark.pk], ruling, reason, by)


def marks_decide_by_share(*, assignment: Assignment, reason: str, by: AbstractUser) -> int:
    """Decide every undecided mark by the share of the score: met above the threshold, otherwise missed. Return the
    number of these marks. Marks whose match was not played, or was forfeited by the reference, stay undecided.

    Raises:
        AssignmentRefused: no reason.
    """
    if not reason.strip():
        raise AssignmentRefused("invalid", _("Give a reason."), "reason")
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        decided: dict[MarkRuling, list[int]] = {MarkRuling.MET: [], MarkRuling.MISSED: []}
        for mark in (one for marking in markings_with_marks(_newest_markings(now)) for one in marking.marks.all()):
            share = mark_share_of(mark.match).share
            if share is not None and mark_outcome_of(mark) == MarkOutcome.UNDECIDED and not _is_forfeited(mark):
                # Not compared with 100 * share, because 100 * 0.55 is more than 55.
                met = share > mark.reference.threshold / 100
                decided[MarkRuling.MET if met else MarkRuling.MISSED].append(mark.pk)
        return sum(_rule(marks, ruling, reason, by) for ruling, marks in decided.items())


def marks_publish(*, assignment: Assignment) -> set[int]:
    """Publish each student's marks and matches if all marks are decided, and notify the students. Return the people
    whose marks were published. The marks of the others wait for the next call.
    """
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        ready = [
            one
            for one in markings_with_marks(_newest_markings(now))
            if not one.published_at and is_marking_complete(one)
        ]
        Marking.objects.filter(pk__in=[one.pk for one in ready], published_at=None).update(published_at=database_now())
        matches = Match.objects.filter(pk__in=[mark.match_id for one in ready for mark in one.marks.all()])
        match_publish(matches=matches, audience=Audience.AUTHORS, group_id=now.group_id)
        people = hand_in_people_under(now, {one.student_id for one in ready})
        assignment_marks_event_publish(now, people)
        assignment_secret_publish(assignment=now)
    return people


def assignment_secret_publish(*, assignment: Assignment) -> bool:
    """Reveal the secret of the seeds if nobody can hand in any more and every marking is published. Return whether it
    was revealed now."""
    if not _is_secret_spent(assignment):
        return False
    with transaction.atomic():
        # Checked again, because somebody may have got more time meanwhile, or may be marked again.
        if not _is_secret_spent(assignment_locked(assignment.pk)):
            return False
        return bool(Assignment.objects.filter(pk=assignment.pk, revealed_at=None).update(revealed_at=database_now()))


def _is_secret_spent(assignment: Assignment) -> bool:
    """Return whether the secret is not revealed, and no marking needs it any more."""
    now = assignment_time_now()
    if assignment.revealed_at is not None or now < last_assignment_deadline(assignment):
        return False
    newest = list(_newest_markings(assignment))
    return bool(newest) and all(one.published_at for one in newest) and not _is_waiting(assignment, now)


def _newest_markings(assignment: Assignment) -> QuerySet[Marking]:
    """Return the valid marking of each student."""
    of_student = Marking.objects.filter(assignment=assignment, student=OuterRef("student")).order_by()
    highest = of_student.values("student").annotate(most=Max("number")).values("most")
    return Marking.objects.filter(assignment=assignment, number=Subquery(highest)).select_related("version__bot")


def _rule(marks: list[int], ruling: str, reason: str, by: AbstractUser) -> int:
    return ReferenceMark.objects.filter(pk__in=marks, ruling=MarkRuling.NONE).update(
        ruling=ruling, ruling_reason=reason.strip(), ruled_by=by.pk, ruled_at=database_now()
    )


def _is_forfeited(mark: ReferenceMark) -> bool:
    return mark.match is not None and any(seat.has_forfeited for seat in mark.match.seats.all())


def _is_waiting(assignment: Assignment, now: datetime) -> bool:
    marked = Marking.objects.filter(assignment=assignment).values("student")
    for hand_in in HandIn.objects.filter(assignment=assignment).exclude(student__in=marked):
        due = hand_in_due_version(
            hand_in, assignment_deadline_of(assignment, due_extension_of(assignment, hand_in.student_id)), now
        )
        if due.waits or due.version is not None:
            return True
    return False


def _mark(
    assignment: Assignment,
    student_id: int,
    number: int,
    version: BotVersion,
    *,
    days_late: int,
    reason: str = "",
    by_id: int | None = None,
) -> Marking:
    marking = Marking.objects.create(
        assignment=assignment,
        student_id=student_id,
        number=number,
        version=version,
        days_late=days_late,
        reason=reason,
        by_id=by_id,
    )
    references = AssignmentReference.objects.filter(assignment=assignment).select_related("assignment", "version")
    ReferenceMark.objects.bulk_create(
        ReferenceMark(marking=marking, reference=one, match=marking_match_create(one, version, student_id, number))
        for one in references
    )
    return marking


EFFECT: Final = 0.1  # the smallest difference from the threshold that must be detected, as a share of the score
ERROR: Final = 0.05


def marking_practice_match_create(reference: AssignmentReference, version: BotVersion) -> Match | None:
    """Create a practice match of ``version`` on public seeds. Return None if the reference cannot play any more."""
    assignment = reference.assignment
    secret = assignment.practice_secret(reference.pk)
    return _match(reference, version, secret, assignment.practice_blocks, {}, Audience.AUTHORS)


def marking_match_create(
    reference: AssignmentReference, version: BotVersion, student_id: int, number: int
) -> Match | None:
    """Create the match of a marking, which lasts until it shows whether ``version`` is above the threshold. Return None
    if it cannot be played."""
    assignment = reference.assignment
    rule = AboveThreshold(effect=EFFECT, error=ERROR, threshold=reference.threshold / 100)
    blocks = max(assignment.blocks_most, rule.least_blocks)
    secret = assignment.marking_secret(student_id, number, reference.pk)
    return _match(reference, version, secret, blocks, rule.to_dict(), Audience.ORGANISER)


def _match(
    reference: AssignmentReference,
    version: BotVersion,
    secret: bytes,
    blocks: int,
    stopping: Mapping[str, Any],
    audience: Audience,
) -> Match | None:
    assignment: Assignment = reference.assignment
    terms = MatchTerms(
        ruleset=assignment.ruleset,
        options={},
        limits={},
        blocks=blocks,
        stopping=stopping,
        audience=audience,
        group_id=assignment.group_id,
        organiser_id=assignment.organiser_id,
        contest=assignment.contest,
    )
    try:
        with transaction.atomic():
            return match_create(terms=terms, versions=[version, reference.version], secret=secret)
    except (MatchError, UnknownRuleset, SeatError, OptionError):
        return None
