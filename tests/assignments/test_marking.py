"""What is marked, when, with which seeds, and how often."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from assignments.errors import AlreadyMarked, AssignmentRefused
from assignments.models import Assignment, HandIn, Marking, PracticeRun, ReferenceMark
from assignments.selectors.marks import MarkOutcome, mark_outcome_of, marking_points_of, markings_with_marks
from assignments.services import (
    ReferenceChosen,
    assignments_tend,
    mark_decide,
    marking_renew,
    marking_start,
    marks_publish,
)
from bots.deletion import bot_delete
from groups.models import GroupMember
from groups.services import group_member_remove
from matches.models import Audience, Match, MatchState, Seat
from tests.assignments.factories import (
    GREEDY,
    all_decided,
    assignment_in,
    decided,
    house_version,
    past_due,
    play_all,
    student_in,
    the_marking,
)
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory
from tests.matches.factories import BRISK, CRASHES
from tests.tournaments.factories import EntryFactory, TournamentFactory
from tests.tournaments.rulings.rule import rule
from tournaments.services import tournament_start

pytestmark = pytest.mark.django_db


def outcomes(assignment: Assignment, number: int = 1) -> list[str]:
    return [mark_outcome_of(mark).value for mark in the_marking(assignment, number).marks.all()]


def test_a_version_is_practised_once_and_marked_once_on_other_seeds() -> None:
    assignment = assignment_in()
    student = student_in(assignment)
    assignments_tend()
    assignments_tend()
    run = PracticeRun.objects.get()
    assert (run.match.audience, run.match.group) == (Audience.AUTHORS, assignment.group)
    assert run.match.organiser == assignment.organiser
    assert run.match.account_id == f"organiser.{assignment.organiser_id}"
    play_all()
    assert Marking.objects.count() == 0
    past_due(assignment)
    assignments_tend()
    marking = Marking.objects.get()
    mark = ReferenceMark.objects.get()
    assert (marking.student, marking.days_late, marking.version.bot.owner) == (student, 0, student)
    assert mark.match is not None
    assert mark.match.audience == Audience.ORGANISER
    assert bytes(mark.match.secret) != bytes(run.match.secret)
    assert mark.match.stopping == {"rule": "threshold/1", "effect": 0.1, "error": 0.05, "threshold": 0.6}
    assert outcomes(assignment) == ["waiting"]
    play_all()
    assert outcomes(assignment) == ["met"]
    assert Match.objects.get(pk=mark.match_id).ending == "first_better"
    assignments_tend()
    assert Match.objects.count() == 2


def test_who_is_worse_misses_and_a_crash_is_a_miss() -> None:
    assignment = assignment_in(references=[ReferenceChosen(house_version(GREEDY), 60, points=3)])
    worse, crashing = student_in(assignment, BRISK), student_in(assignment, CRASHES)
    past_due(assignment)
    play_all()
    for student in (worse, crashing):
        marking = markings_with_marks(Marking.objects.filter(student=student)).get()
        assert [mark_outcome_of(mark) for mark in marking.marks.all()] == [MarkOutcome.MISSED]
        assert marking_points_of(marking, 0) == 0


def test_the_seeds_follow_from_a_secret_whose_digest_is_shown_first() -> None:
    assignment = assignment_in()
    student = student_in(assignment)
    assignments_tend()
    before = assignment.commitment
    assert bytes(PracticeRun.objects.get().match.secret) == assignment.practice_secret(assignment.references.get().pk)
    past_due(assignment)
    all_decided(assignment)
    assert assignment.revealed == ""
    marks_publish(assignment=assignment)
    assignment.refresh_from_db()
    assert bytes.fromhex(assignment.revealed) == bytes(assignment.secret)
    assert assignment.commitment == before
    mark = ReferenceMark.objects.get()
    assert mark.match is not None
    assert bytes(mark.match.secret) == assignment.marking_secret(student.pk, 1, mark.reference_id)


def test_a_former_member_is_not_marked_and_a_marked_one_who_leaves_keeps_the_mark() -> None:
    assignment = assignment_in()
    left, stays = student_in(assignment), student_in(assignment)
    GroupMember.objects.filter(person=left).delete()
    past_due(assignment)
    assert Marking.objects.get().student == stays
    owner: Any = assignment.organiser
    group_member_remove(group=assignment.group, person_id=stays.pk, by=owner)
    assert Marking.objects.get().student == stays


def test_a_bot_deleted_after_the_due_time_is_marked_and_cannot_be_marked_again() -> None:
    assignment = assignment_in()
    student_in(assignment)
    past_due(assignment)
    bot_delete(bot=HandIn.objects.get().bot)
    play_all()
    assert outcomes(assignment) == ["met"]
    owner: Any = assignment.organiser
    with pytest.raises(AssignmentRefused, match="deleted"):
        marking_renew(marking=Marking.objects.get(), by=owner, reason="a ruling")


def test_a_bot_deleted_before_the_due_time_is_not_marked() -> None:
    assignment = assignment_in()
    student_in(assignment)
    bot_delete(bot=HandIn.objects.get().bot)
    past_due(assignment)
    assert Marking.objects.count() == 0


def test_a_reference_that_was_deleted_leaves_the_mark_to_a_person() -> None:
    own = BotVersionFactory(source=BRISK)
    group = GroupFactory(created_by=own.bot.owner)
    assignment = assignment_in(group, [ReferenceChosen(own, 60), ReferenceChosen(house_version(), 60)])
    student_in(assignment)
    bot_delete(bot=own.bot)
    assignments_tend()
    assert PracticeRun.objects.count() == 1
    past_due(assignment)
    assert outcomes(assignment) == ["undecided", "waiting"]


@pytest.mark.parametrize("ending", ["too_close", "undecided"])
def test_what_the_games_leave_open_a_person_decides_once_with_a_reason(ending: str) -> None:
    assignment = assignment_in()
    student_in(assignment)
    owner: Any = assignment.organiser
    past_due(assignment)
    mark = ReferenceMark.objects.get()
    with pytest.raises(AssignmentRefused, match="nothing to decide"):
        mark_decide(mark=mark, ruling="met", reason="too early", by=owner)
    decided(mark, ending)
    assert outcomes(assignment) == ["undecided"]
    assert marks_publish(assignment=assignment) == set()
    with pytest.raises(AssignmentRefused):
        mark_decide(mark=mark, ruling="met", reason=" ", by=owner)
    mark_decide(mark=mark, ruling="met", reason="58 % is close enough", by=owner)
    assert outcomes(assignment) == ["met"]
    with pytest.raises(AssignmentRefused):
        mark_decide(mark=mark, ruling="missed", reason="changed my mind", by=owner)
    assert len(marks_publish(assignment=assignment)) == 1


def test_a_match_that_was_called_off_or_forfeited_by_the_reference_is_left_open() -> None:
    assignment = assignment_in(references=[ReferenceChosen(house_version(), 60), ReferenceChosen(house_version(), 50)])
    student_in(assignment)
    past_due(assignment)
    first, second = ReferenceMark.objects.all()
    Match.objects.filter(pk=first.match_id).update(state=MatchState.CANCELLED)
    decided(second, "forfeited")
    Seat.objects.filter(match=second.match_id, index=1).update(has_forfeited=True)
    assert outcomes(assignment) == ["undecided", "undecided"]


def test_marking_again_plays_fresh_seeds_and_the_marking_before_stays() -> None:
    assignment = assignment_in()
    student_in(assignment)
    owner: Any = assignment.organiser
    past_due(assignment)
    all_decided(assignment, "second_better")
    marks_publish(assignment=assignment)
    first = Marking.objects.get()
    with pytest.raises(AssignmentRefused):
        marking_renew(marking=first, by=owner, reason="")
    again = marking_renew(marking=first, by=owner, reason="the reference was broken")
    assert (again.number, again.version, again.published_at) == (2, first.version, None)
    secrets = {bytes(one.match.secret) for one in ReferenceMark.objects.select_related("match") if one.match}
    assert len(secrets) == 2
    with pytest.raises(AlreadyMarked):
        marking_renew(marking=first, by=owner, reason="twice")
    with pytest.raises(AlreadyMarked):
        marking_renew(marking=again, by=owner, reason="newest", takes_newest=True)
    all_decided(assignment)
    assert marks_publish(assignment=assignment) == {again.student_id}
    assert (outcomes(assignment, 1), outcomes(assignment, 2)) == (["missed"], ["met"])


def test_before_the_seeds_are_known_the_newest_version_can_be_marked() -> None:
    assignment = assignment_in()
    student_in(assignment)
    owner: Any = assignment.organiser
    past_due(assignment)
    newest = BotVersionFactory(bot=HandIn.objects.get().bot, source=BRISK)
    again = marking_renew(marking=Marking.objects.get(), by=owner, reason="was ill", takes_newest=True)
    assert again.version == newest
    assert ReferenceMark.objects.get(marking__number=1).match.state == MatchState.CANCELLED  # type: ignore[union-attr]


def test_practice_is_limited_by_the_day() -> None:
    assignment = assignment_in(attempts_a_day=2)
    student_in(assignment)
    bot = HandIn.objects.get().bot
    for number in range(3):
        BotVersionFactory(bot=bot, source=BRISK + b"# %d\n" % number)
        assignments_tend()
    assert PracticeRun.objects.count() == 2
    PracticeRun.objects.update(created_at=timezone.now() - timedelta(hours=25))
    assignments_tend()
    assert PracticeRun.objects.count() == 3


def test_a_worker_killed_while_it_marks_leaves_nothing_and_the_next_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    assignment = assignment_in(references=[ReferenceChosen(house_version(), 60), ReferenceChosen(house_version(), 50)])
    student_in(assignment)
    with monkeypatch.context() as patch:
        patch.setattr("assignments.services.marking.ReferenceMark.objects.bulk_create", _killed)
        past_due(assignment)
    assert (Marking.objects.count(), Match.objects.count()) == (0, 0)
    assignments_tend()
    assert (Marking.objects.count(), ReferenceMark.objects.count(), Match.objects.count()) == (1, 2, 2)
    assert marking_start(hand_in=HandIn.objects.get()) is None


def _killed(*_args: object) -> None:
    raise RuntimeError("killed")


def test_the_database_refuses_a_second_mark() -> None:
    assignment = assignment_in()
    student = student_in(assignment)
    past_due(assignment)
    mark, marking = ReferenceMark.objects.get(), Marking.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        ReferenceMark.objects.create(marking=marking, reference=mark.reference)
    with pytest.raises(IntegrityError), transaction.atomic():
        Marking.objects.create(assignment=assignment, student=student, version=marking.version)


@pytest.mark.parametrize("wrong", ["none", "twice", "others", "threshold", "past", "game"])
def test_an_assignment_that_cannot_be_is_refused(wrong: str) -> None:
    one = house_version()
    references = {
        "none": [],
        "twice": [ReferenceChosen(one, 60), ReferenceChosen(one, 50)],
        "others": [ReferenceChosen(BotVersionFactory(source=BRISK), 60)],
        "threshold": [ReferenceChosen(one, 96)],
        "past": [ReferenceChosen(one, 60)],
        "game": [ReferenceChosen(house_version(game="laghetti"), 60)],
    }
    due = {"due_at": timezone.now() - timedelta(minutes=1)} if wrong == "past" else {}
    with pytest.raises(AssignmentRefused):
        assignment_in(references=references[wrong], **due)
    assert Assignment.objects.count() == 0


def test_publishing_lets_each_student_see_their_own_matches() -> None:
    assignment = assignment_in()
    student_in(assignment)
    student_in(assignment)
    past_due(assignment)
    first, second = ReferenceMark.objects.all()
    decided(first, "first_better")
    assert marks_publish(assignment=assignment) == {first.marking.student_id}
    audiences = dict(Match.objects.values_list("pk", "audience"))
    assert audiences[first.match_id] == Audience.AUTHORS  # type: ignore[index]
    assert audiences[second.match_id] == Audience.ORGANISER  # type: ignore[index]
    assert marks_publish(assignment=assignment) == set()


def test_a_ruling_in_a_tournament_changes_no_mark() -> None:
    assignment = assignment_in()
    student = student_in(assignment)
    past_due(assignment)
    all_decided(assignment)
    marks_publish(assignment=assignment)
    marking = Marking.objects.get()
    cup = TournamentFactory(organiser=assignment.organiser)
    entry = EntryFactory(tournament=cup, bot=marking.version.bot)
    EntryFactory(tournament=cup)
    tournament_start(tournament=cup)
    rule(cup, "disqualify", entry=entry, reason="It cheated.")
    assignments_tend()
    assert (Marking.objects.get().student_id, outcomes(assignment)) == (student.pk, ["met"])
