"""Who is notified of an assignment, once each."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction

from assignments.models import Marking, ReferenceMark
from assignments.services import assignments_tend, hand_in_extension_create, marking_renew, marks_publish
from groups.services.groups import group_member_left_notify
from hooks.messages import hook_event_sentence
from notices.models import Notice
from tests.arena.factories import UserFactory
from tests.assignments.factories import all_decided, assignment_in, decided, pass_time, past_due, student_in
from tests.groups.factories import member_in

pytestmark = pytest.mark.django_db


def test_students_without_a_hand_in_are_reminded_once_a_day_before() -> None:
    assignment = assignment_in()
    idle, ill = UserFactory(), UserFactory()
    for person in (idle, ill):
        member_in(assignment.group, person)
    student_in(assignment)
    pass_time(assignment, hours=-1)
    assignments_tend()
    assert Notice.objects.count() == 0, "it is due in 25 hours"
    owner: Any = assignment.organiser
    later = assignment.due_at + timedelta(days=3)
    hand_in_extension_create(assignment=assignment, student_id=ill.pk, due_at=later, reason="ill", by=owner)
    pass_time(assignment, hours=2)
    for _ in range(3):
        assignments_tend()
    notice = Notice.objects.get()
    assert (notice.person, notice.kind) == (idle, "assignment.due")
    assert "Beat the house is due on" in hook_event_sentence(notice.kind, notice.data)
    pass_time(assignment, days=3)
    for _ in range(2):
        assignments_tend()
    assert [one.person for one in Notice.objects.order_by("pk")] == [idle, ill]


def test_published_marks_are_notified_once_to_their_student_alone() -> None:
    assignment = assignment_in()
    first, second = student_in(assignment), student_in(assignment)
    past_due(assignment)
    decided(ReferenceMark.objects.get(marking__student=first), "first_better")
    marks_publish(assignment=assignment)
    marks_publish(assignment=assignment)
    assert [one.person for one in Notice.objects.filter(kind="assignment.published")] == [first]
    all_decided(assignment)
    marks_publish(assignment=assignment)
    notices = Notice.objects.filter(kind="assignment.published").order_by("pk")
    assert [one.person for one in notices] == [first, second]
    owner: Any = assignment.organiser
    marking_renew(marking=Marking.objects.get(student=first), by=owner, reason="a ruling")
    all_decided(assignment)
    marks_publish(assignment=assignment)
    assert [one.person for one in notices.all()] == [first, second, first]


def test_a_former_member_loses_the_notices_of_the_group() -> None:
    assignment = assignment_in()
    student = student_in(assignment)
    past_due(assignment)
    all_decided(assignment)
    marks_publish(assignment=assignment)
    assert Notice.objects.count() == 1
    with transaction.atomic():
        group_member_left_notify(assignment.group, student.pk)
    assert Notice.objects.count() == 0
