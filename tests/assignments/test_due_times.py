"""Until when a version counts: due times, grace, late days, extensions, handing in."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from assignments.errors import AlreadyMarked, AssignmentRefused, NotOpenNow
from assignments.models import HandIn, Marking
from assignments.selectors.marks import marking_points_of
from assignments.services import (
    assignment_delete,
    assignment_update,
    assignments_tend,
    hand_in_extension_create,
    hand_in_submit,
    hand_in_withdraw,
    marks_publish,
)
from bots.models import BotVersion, VersionState
from tests.arena.factories import UserFactory
from tests.assignments.factories import (
    all_decided,
    assignment_in,
    handed_in,
    house_version,
    pass_time,
    past_due,
    student_in,
    the_marking,
)
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import member_in
from tests.matches.factories import BRISK, CRASHES

pytestmark = pytest.mark.django_db


def test_the_last_version_uploaded_in_time_counts_also_where_its_check_ends_later() -> None:
    assignment = assignment_in(grace_minutes=10)
    student = student_in(assignment)
    bot = HandIn.objects.get().bot
    checked = BotVersionFactory(bot=bot, source=BRISK)
    BotVersion.objects.filter(pk=checked.pk).update(state=VersionState.CHECKING, checked_at=None)
    pass_time(assignment, hours=24, minutes=15)
    late = BotVersionFactory(bot=bot, source=CRASHES)
    assignments_tend()
    assert Marking.objects.count() == 0, "an upload in time is still being checked"
    BotVersion.objects.filter(pk=checked.pk).update(state=VersionState.ACCEPTED, checked_at=timezone.now())
    assignments_tend()
    assert Marking.objects.get(student=student).version == checked
    assert late.number > checked.number


def test_within_the_grace_a_version_is_on_time_and_nobody_is_marked() -> None:
    assignment = assignment_in(grace_minutes=30)
    student = student_in(assignment)
    pass_time(assignment, hours=24, minutes=10)
    assignments_tend()
    assert Marking.objects.count() == 0
    within = BotVersionFactory(bot=HandIn.objects.get().bot, source=BRISK)
    pass_time(assignment, minutes=30)
    assignments_tend()
    assert Marking.objects.get(student=student).version == within
    assert Marking.objects.get().days_late == 0


def test_a_late_hand_in_is_marked_after_its_first_late_day() -> None:
    assignment = assignment_in(late_days=3, late_penalty=10)
    student = UserFactory()
    member_in(assignment.group, student)
    pass_time(assignment, hours=50)  # 26 hours late
    handed_in(assignment, student)
    assignments_tend()
    assert Marking.objects.count() == 0
    past_due(assignment, hours=23)
    marking = Marking.objects.get()
    assert marking.days_late == 2
    all_decided(assignment)
    assert marking_points_of(the_marking(assignment), assignment.late_penalty) == 0.8
    pass_time(assignment, days=3)
    other = UserFactory()
    member_in(assignment.group, other)
    with pytest.raises(NotOpenNow):
        handed_in(assignment, other)


def test_an_extension_is_one_student_s_and_has_a_reason() -> None:
    assignment = assignment_in()
    ill, other = student_in(assignment), student_in(assignment)
    owner: Any = assignment.organiser
    for wrong in ({"reason": " "}, {"due_at": assignment.due_at}, {"due_at": timezone.now() - timedelta(days=1)}):
        with pytest.raises(AssignmentRefused):
            hand_in_extension_create(
                assignment=assignment,
                student_id=ill.pk,
                by=owner,
                **{"due_at": assignment.due_at + timedelta(days=2), "reason": "ill", **wrong},
            )
    with pytest.raises(AssignmentRefused):
        hand_in_extension_create(
            assignment=assignment,
            student_id=UserFactory().pk,
            by=owner,
            due_at=assignment.due_at + timedelta(days=2),
            reason="a stranger",
        )
    hand_in_extension_create(
        assignment=assignment, student_id=ill.pk, by=owner, due_at=assignment.due_at + timedelta(days=2), reason="ill"
    )
    past_due(assignment)
    assert [one.student for one in Marking.objects.all()] == [other]
    all_decided(assignment)
    marks_publish(assignment=assignment)
    assignment.refresh_from_db()
    assert assignment.revealed_at is None, "one may still hand in"
    assert Marking.objects.get().published_at is not None
    past_due(assignment, days=2)
    assert {one.student for one in Marking.objects.all()} == {ill, other}
    with pytest.raises(AlreadyMarked):
        hand_in_extension_create(
            assignment=assignment,
            student_id=ill.pk,
            by=owner,
            due_at=timezone.now() + timedelta(days=2),
            reason="ill again",
        )


def test_the_due_time_moves_into_the_future_alone_and_not_once_somebody_is_marked() -> None:
    assignment = assignment_in()
    student_in(assignment)
    with pytest.raises(AssignmentRefused):
        assignment_update(assignment=assignment, due_at=timezone.now() - timedelta(minutes=1))
    sooner = timezone.now() + timedelta(hours=1)
    assert assignment_update(assignment=assignment, due_at=sooner).due_at == sooner
    past_due(assignment, hours=2)
    with pytest.raises(AlreadyMarked):
        assignment_update(assignment=assignment, due_at=timezone.now() + timedelta(days=1))
    assert assignment_update(assignment=assignment, title="Another title").title == "Another title"
    with pytest.raises(AlreadyMarked):
        assignment_delete(assignment=assignment)


def test_handing_in_is_for_members_with_their_own_bots_while_it_is_open() -> None:
    assignment = assignment_in()
    member, outsider = UserFactory(), UserFactory()
    member_in(assignment.group, member)
    with pytest.raises(AssignmentRefused):
        handed_in(assignment, outsider)
    with pytest.raises(AssignmentRefused):
        hand_in_submit(assignment=assignment, student=member, bot=house_version().bot)
    other_game = BotVersionFactory(bot__owner=member, bot__game="laghetti")
    with pytest.raises(AssignmentRefused):
        hand_in_submit(assignment=assignment, student=member, bot=other_game.bot)
    handed_in(assignment, member)
    assert hand_in_withdraw(assignment=assignment, student=member)
    assert not hand_in_withdraw(assignment=assignment, student=member)
    later = assignment_in(assignment.group, opens_at=timezone.now() + timedelta(hours=1))
    with pytest.raises(NotOpenNow):
        handed_in(later, member)
    handed_in(assignment, member)
    past_due(assignment)
    for late in (
        lambda: handed_in(assignment, member),
        lambda: hand_in_withdraw(assignment=assignment, student=member),
    ):
        with pytest.raises(AlreadyMarked):
            late()
