"""A class with an assignment, who hands in what, and times that pass."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from django.utils import timezone

from assignments.models import Assignment, DueExtension, HandIn, Marking, ReferenceMark
from assignments.selectors.marks import markings_with_marks
from assignments.services import (
    ReferenceChosen,
    assignment_create,
    assignments_tend,
    hand_in_extension_create,
    hand_in_submit,
)
from bots.models import BotVersion
from games.catalogue import GAMES
from groups.models import Group, GroupMember
from matches.models import Match, MatchState
from matches.worker.playing import worker_play_claim
from teams.models import TeamMember
from tests.arena.factories import UserFactory
from tests.bots.factories import BotFactory, BotVersionFactory
from tests.groups.factories import GroupFactory, member_in
from tests.matches.factories import BRISK

GREEDY = GAMES["pickomino"].house_bots[0].source()


def house_version(source: bytes = BRISK, **fields: Any) -> BotVersion:
    return BotVersionFactory.create(bot=BotFactory.create(is_house=True, **fields), source=source)


def assignment_in(group: Group | None = None, references: Any = None, **fields: Any) -> Assignment:
    """An assignment that is open and due in a day, by default with one reference to be beaten in 60 %."""
    group = group or GroupFactory.create()
    now = timezone.now()
    chosen = references if references is not None else [ReferenceChosen(house_version(), 60)]
    made = assignment_create(
        by=group.created_by,  # type: ignore[arg-type]
        group=group,
        title=fields.pop("title", "Beat the house"),
        game="pickomino",
        references=chosen,
        **{"opens_at": now - timedelta(hours=1), "due_at": now + timedelta(days=1), "practice_blocks": 2, **fields},
    )
    made.refresh_from_db()
    return made


def whole_assignment(
    group: Group, student: Any, title: str = "Assignment", reason: str = "ill", **of_bot: Any
) -> dict[str, Any]:
    """An assignment in which a member has handed in and has more time: what its addresses need, by name."""
    assignment = assignment_in(group, title=title)
    handed_in(assignment, student, **of_bot)
    hand_in_extension_create(
        assignment=assignment,
        student_id=student.pk,
        due_at=assignment.due_at + timedelta(days=1),
        reason=reason,
        by=group.created_by,  # type: ignore[arg-type]
    )
    reference = assignment.references.get()
    return {"pk": assignment.pk, "slug": group.slug, "user_id": student.pk, "reference_id": reference.pk}


def student_in(assignment: Assignment, source: bytes = GREEDY, **fields: Any) -> Any:
    """A member of the group who has handed in a bot with one accepted version."""
    student = UserFactory.create()
    member_in(assignment.group, student, **fields)
    handed_in(assignment, student, source)
    return student


def handed_in(assignment: Assignment, student: Any, source: bytes = GREEDY, **of_bot: Any) -> HandIn:
    bot = BotFactory.create(owner=student, **of_bot)
    version = BotVersionFactory.create(bot=bot, source=source)
    return hand_in_submit(assignment=assignment, student=student, bot=version.bot)


def pass_time(assignment: Assignment, **by: float) -> None:
    """Let so much time pass for an assignment: everything in it happened so much earlier."""
    step = timedelta(**by)
    Assignment.objects.filter(pk=assignment.pk).update(opens_at=F("opens_at") - step, due_at=F("due_at") - step)
    HandIn.objects.filter(assignment=assignment).update(handed_in_at=F("handed_in_at") - step)
    DueExtension.objects.filter(assignment=assignment).update(due_at=F("due_at") - step)
    people = GroupMember.objects.filter(group=assignment.group_id).values("person")
    TeamMember.objects.filter(person__in=people).update(joined_at=F("joined_at") - step)
    bots = HandIn.objects.filter(assignment=assignment).values("bot")
    BotVersion.objects.filter(bot__in=bots).update(created_at=F("created_at") - step)
    assignment.refresh_from_db()


def past_due(assignment: Assignment, **by: float) -> None:
    """Let everything that is due be marked, so much after the due time."""
    pass_time(assignment, **(by or {"hours": 25}))
    assignments_tend()


def play_all() -> None:
    while worker_play_claim():
        pass


def decided(mark: ReferenceMark, ending: str) -> Match:
    """The match of a mark, ended so without a game."""
    match = mark.match
    assert match is not None
    for seat in match.seats.all():
        seat.places, seat.score = [1 + seat.index] * 16, 16.0 * (1 - seat.index)
        seat.save()
    Match.objects.filter(pk=match.pk).update(
        state=MatchState.FINISHED, finished_at=timezone.now(), ending=ending, blocks_played=8, llr=4.0
    )
    return match


def all_decided(assignment: Assignment, ending: str = "first_better") -> None:
    for marking in Marking.objects.filter(assignment=assignment):
        for mark in marking.marks.filter(match__state__in=["queued", "held"]):
            decided(mark, ending)


def the_marking(assignment: Assignment, number: int = 1) -> Marking:
    """The only marking of that number, with its marks."""
    return markings_with_marks(Marking.objects.filter(assignment=assignment, number=number)).get()
