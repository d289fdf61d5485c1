"""A team hands in one bot, and each of its members gets the mark."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.deletion import account_delete
from arena.accounts.export_parts import PARTS
from assignments.errors import AlreadyMarked
from assignments.models import Assignment, HandIn, HandInPerson, Marking, PracticeRun, ReferenceMark
from assignments.selectors.exports import assignment_marks_file_of, hand_ins_to_export
from assignments.selectors.hand_ins import due_extension_of
from assignments.selectors.marks import StudentStatus, mark_matrix_of, student_row_of
from assignments.services import (
    AssignmentRefused,
    ReferenceChosen,
    assignments_tend,
    hand_in_extension_create,
    hand_in_submit,
    hand_in_withdraw,
    marks_decide_by_share,
    marks_publish,
)
from bots.deletion import bot_delete
from bots.models import Bot, BotVersion
from groups.models import GroupMember
from notices.models import Notice
from teams.models import TeamMember
from teams.services import team_member_leave
from tests.arena.factories import UserFactory
from tests.assignments.factories import (
    GREEDY,
    all_decided,
    assignment_in,
    decided,
    house_version,
    pass_time,
    past_due,
    student_in,
)
from tests.assignments.test_pages import client_of, page, send
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.groups.factories import member_in
from tests.teams.factories import team_of

pytestmark = pytest.mark.django_db


def class_of(assignment: Assignment, *names: str) -> list[Any]:
    return [member_in(assignment.group, UserFactory(username=name)).person for name in names]


def bot_of(team: Any) -> Bot:
    return BotVersionFactory.create(bot=BotFactory.create(owner=team.account), source=GREEDY).bot


def status(assignment: Assignment, person: Any) -> str:
    return student_row_of(assignment, person, published_only=True).status


def test_one_hands_in_for_the_team_and_each_gets_the_mark_once() -> None:
    assignment = assignment_in(team_size=3)
    ann, bea, cem, dan = class_of(assignment, "ann", "bea", "cem", "dan")
    team = team_of(ann, bea, name="Hen House")
    bot = bot_of(team)
    assert "Hen House" in page(bea, "detail", assignment)
    assert send(bea, "hand-in", assignment, bot=bot.pk).status_code == 302
    shown = page(ann, "detail", assignment)
    assert "Hen House hands in together. The mark counts for ann, bea." in shown
    assert status(assignment, ann) == StudentStatus.HANDED_IN
    TeamMember.objects.create(team=team, person=cem)
    assignments_tend()
    assert status(assignment, cem) == StudentStatus.HANDED_IN, "who joins before the due time shares in it"
    TeamMember.objects.create(team=team, person=dan)
    assignments_tend()
    assert status(assignment, dan) == StudentStatus.NOTHING, "three at most"
    team_member_leave(team=team, person=cem)
    past_due(assignment)
    marking = Marking.objects.get()
    assert marking.student_id == team.pk
    TeamMember.objects.filter(team=team, person=bea).delete()
    all_decided(assignment)
    rows = {row.person.username: row for row in mark_matrix_of(assignment).rows}
    assert [rows[name].points for name in ("ann", "bea", "cem", "dan")] == [1, 1, None, 1], "who has left gets nothing"
    assert rows["bea"].team == "Hen House"
    assert [one.row.person.username for one in hand_ins_to_export(assignment)] == ["ann"], "one source of a team"
    assert [line["team"] for line in assignment_marks_file_of(assignment, "").rows()] == ["Hen House"] * 2 + [
        "",
        "Hen House",
    ]
    assert "Hen House" in page(assignment.organiser, "marks", assignment)
    assert "in team Hen House" in page(assignment.organiser, "student", assignment, bea.pk)
    [match] = Marking.objects.values_list("marks__match", flat=True)

    def sees_match(person: Any) -> bool:
        return client_of(person).get(reverse("matches:detail", args=[match])).status_code == 200

    assert not sees_match(bea)
    assert marks_publish(assignment=assignment) == {ann.pk, bea.pk, dan.pk}
    assert [sees_match(one) for one in (ann, bea, cem, dan)] == [True, True, False, True]
    notices = Notice.objects.filter(kind="assignment.published").values_list("person__username", flat=True)
    assert sorted(notices) == ["ann", "bea", "dan"]
    assert [len(list(PARTS["markings"](one))) for one in (ann, bea, cem, dan)] == [1, 1, 0, 1], "in their exports"
    team_member_leave(team=team, person=dan)
    team_member_leave(team=team, person=ann)  # the last one: the team and its bots go, the marks stay
    assert not get_user_model().objects.filter(pk=team.pk).exists()
    assert [student_row_of(assignment, one, published_only=True).points for one in (ann, bea, dan)] == [1, 1, 1]
    assert sees_match(bea)
    account_delete(person=ann)
    assert student_row_of(assignment, bea, published_only=True).points == 1


def test_a_team_that_may_not_hand_in_together_gets_the_reason() -> None:
    alone, assignment = assignment_in(), assignment_in(team_size=2)
    ann, bea, cem = class_of(assignment, "ann", "bea", "cem")
    team = team_of(ann, bea)
    bot = bot_of(team)
    member_in(alone.group, ann)

    def refused(code: str, student: Any = ann, to: Assignment = assignment, of: Bot = bot) -> None:
        with pytest.raises(AssignmentRefused) as error:
            hand_in_submit(assignment=to, student=student, bot=of)
        assert error.value.code == code

    refused("invalid", to=alone)
    refused("invalid", student=cem)
    third = TeamMember.objects.create(team=team, person=cem)
    refused("team_size")
    third.person = UserFactory()
    third.save()
    TeamMember.objects.filter(team=team, person=bea).delete()
    refused("not_member")
    third.person = bea
    third.save()
    own = BotVersionFactory.create(bot=BotFactory.create(owner=bea), source=GREEDY).bot
    hand_in_submit(assignment=assignment, student=bea, bot=own)
    refused("handed_in")
    hand_in_submit(assignment=assignment, student=bea, bot=bot)  # her own is replaced by the team's
    assert HandIn.objects.get().student_id == team.pk
    refused("handed_in", student=bea, of=own)
    assert hand_in_withdraw(assignment=assignment, student=ann)
    assert not HandInPerson.objects.exists()
    hand_in_submit(assignment=assignment, student=ann, bot=bot)
    team_member_leave(team=team, person=bea)
    hand_in_submit(assignment=assignment, student=bea, bot=own)  # who has left is free at once
    assert HandIn.objects.count() == 2
    bot_delete(bot=bot)
    assert status(assignment, ann) == StudentStatus.NOTHING
    second = team_of(ann)
    hand_in_submit(assignment=assignment, student=ann, bot=bot_of(second))


def test_more_time_for_one_is_more_time_for_the_team() -> None:
    assignment = assignment_in(team_size=2)
    ann, bea = class_of(assignment, "ann", "bea")
    hand_in_submit(assignment=assignment, student=ann, bot=bot_of(team_of(ann, bea)))
    later = assignment.due_at + (assignment.due_at - assignment.opens_at)
    hand_in_extension_create(assignment=assignment, student_id=bea.pk, due_at=later, reason="ill", by=ann)
    assert student_row_of(assignment, ann, published_only=True).deadline.due_at == later
    past_due(assignment)
    assert not Marking.objects.exists()
    past_due(assignment, hours=26)
    with pytest.raises(AssignmentRefused):
        hand_in_extension_create(assignment=assignment, student_id=bea.pk, due_at=later, reason="ill", by=ann)


def test_who_comes_into_a_team_after_its_marking_neither_changes_it_nor_loses_a_bot() -> None:
    assignment = assignment_in(team_size=2)
    ann, bea = class_of(assignment, "ann", "bea")
    team = team_of(ann)
    bot, other = bot_of(team), bot_of(team)
    hand_in_submit(assignment=assignment, student=ann, bot=bot)
    own = BotVersionFactory.create(bot=BotFactory.create(owner=bea), source=GREEDY).bot
    hand_in_submit(assignment=assignment, student=bea, bot=own)
    later = assignment.due_at + (assignment.due_at - assignment.opens_at) * 2
    hand_in_extension_create(assignment=assignment, student_id=bea.pk, due_at=later, reason="ill", by=ann)
    past_due(assignment)
    assert Marking.objects.get().student_id == team.pk
    TeamMember.objects.create(team=team, person=bea)
    with pytest.raises(AlreadyMarked):
        hand_in_submit(assignment=assignment, student=bea, bot=other)
    assert {(one.student_id, one.bot_id) for one in HandIn.objects.all()} == {(team.pk, bot.pk), (bea.pk, own.pk)}


def test_nobody_practises_more_by_handing_in_with_one_team_after_the_other() -> None:
    assignment = assignment_in(team_size=2, attempts_a_day=1)
    ann, bea = class_of(assignment, "ann", "bea")
    for team in (team_of(ann, name="Hens"), team_of(ann, bea, name="Owls")):
        hand_in_submit(assignment=assignment, student=ann, bot=bot_of(team))
        assignments_tend()
        hand_in_withdraw(assignment=assignment, student=ann)
    assert PracticeRun.objects.count() == 1
    hand_in_submit(assignment=assignment, student=bea, bot=bot_of(team_of(bea, name="Jays")))
    assignments_tend()
    assert PracticeRun.objects.count() == 2


def test_more_time_for_one_is_not_for_who_joins_them_too_late() -> None:
    assignment = assignment_in(team_size=3)
    ann, bea, cem = class_of(assignment, "ann", "bea", "cem")
    team, later = team_of(bea, cem), assignment.due_at + (assignment.due_at - assignment.opens_at) * 3
    bot = bot_of(team)
    hand_in_extension_create(assignment=assignment, student_id=bea.pk, due_at=later, reason="ill", by=ann)
    past_due(assignment)
    joined = TeamMember.objects.create(team=team, person=ann)
    with pytest.raises(AssignmentRefused) as error:
        hand_in_submit(assignment=assignment, student=bea, bot=bot)
    assert (error.value.code, "ann joined the team" in str(error.value)) == ("too_late", True)
    joined.delete()
    hand_in_submit(assignment=assignment, student=bea, bot=bot)  # cem was in the team before
    TeamMember.objects.create(team=team, person=ann)
    assignments_tend()
    assert [status(assignment, one) for one in (ann, bea, cem)] == ["missing", "handed_in", "handed_in"]


def test_open_marks_are_decided_by_the_shares_that_were_shown() -> None:
    assignment = assignment_in(references=[ReferenceChosen(house_version(), 55)])
    better, worse, open_ = student_in(assignment), student_in(assignment), student_in(assignment)
    level, unplayed = student_in(assignment), student_in(assignment)
    past_due(assignment)
    by_student = {marking.student_id: marking.marks.get() for marking in Marking.objects.all()}
    for student, games in ((better, 12), (worse, 8), (level, 11), (unplayed, 20)):
        match = decided(by_student[student.pk], "" if student is unplayed else "too_close")
        for seat in match.seats.all():
            seat.score = games if seat.index == 0 else 20 - games
            seat.places = [1 if (n < games) == (seat.index == 0) else 2 for n in range(20)]
            seat.has_forfeited = student is unplayed and seat.index == 1
            seat.save()
    with CaptureQueriesContext(connection) as queries:
        assert marks_decide_by_share(assignment=assignment, reason="by the shares", by=better) == 3
    assert len(queries) <= 10, "however many marks there are"
    ReferenceMark.objects.update(ruling="", ruling_reason="", ruled_at=None, ruled_by=None)
    assert send(assignment.organiser, "marks", assignment, reason="by the shares").status_code == 302
    outcomes = {row.person.pk: row.cells[0].outcome for row in mark_matrix_of(assignment).rows}
    assert outcomes.pop(level.pk) == "missed", "55 % are not more than 55 %"
    assert outcomes.pop(unplayed.pk) == "undecided", "the reference has forfeited, which shows nothing"
    assert outcomes == {better.pk: "met", worse.pk: "missed", open_.pk: "waiting"}


def test_the_form_offers_teams() -> None:
    assignment = assignment_in(team_size=2)
    student = student_in(assignment)
    form = reverse("assignments:create", args=[assignment.group.slug])
    assert "People per team" in client_of(assignment.organiser).get(form).content.decode()
    assert "2 people at most" in page(student, "detail", assignment)


def test_who_leaves_the_group_has_no_share_and_the_longest_extension_is_the_teams() -> None:
    assignment = assignment_in(team_size=3)
    ann, bea, cem = class_of(assignment, "ann", "bea", "cem")
    team = team_of(ann, bea, cem)
    hand_in_submit(assignment=assignment, student=ann, bot=bot_of(team))
    GroupMember.objects.get(person=cem).delete()
    for person, days in ((ann, 5), (bea, 1)):
        due_at = assignment.due_at + timedelta(days=days)
        hand_in_extension_create(assignment=assignment, student_id=person.pk, due_at=due_at, reason="ill", by=ann)
    assert due_extension_of(assignment, team.pk).due_at == assignment.due_at + timedelta(days=5)
    past_due(assignment, days=7)
    assert {row.person.username for row in mark_matrix_of(assignment).rows if row.marking} == {"ann", "bea"}


@pytest.mark.parametrize("hours", [0, 25])
def test_the_marks_page_and_the_sweep_read_all_hand_ins_at_once(hours: int) -> None:
    counts = []
    for students in (3, 6):
        assignment = assignment_in()
        for _ in range(students):
            BotVersion.objects.filter(bot__owner=student_in(assignment)).update(state="queued")
        pass_time(assignment, hours=hours)
        counts.append([])
        for read in (assignments_tend, lambda assignment=assignment: mark_matrix_of(assignment)):
            with CaptureQueriesContext(connection) as queries:
                read()
            counts[-1].append(len(queries))
        assignment.delete()
    assert counts[0] == counts[1]
