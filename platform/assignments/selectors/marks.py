"""Marks: the results of matches, the state of a student, and the matrix of all students and references."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_lazy as _

from assignments.models import (
    Assignment,
    AssignmentReference,
    HandIn,
    HandInPerson,
    Marking,
    MarkRuling,
    PracticeRun,
    ReferenceMark,
)
from assignments.selectors.hand_ins import (
    Deadline,
    DueVersion,
    assignment_deadline_of,
    assignment_time_now,
    due_extensions_of,
    hand_in_due_version,
    hand_in_newest_accepted,
    hand_in_versions_by_bot,
    hand_in_versions_by_number,
)
from bots.models import BotVersion
from groups.models import GroupMember, GroupRole, RosterRow
from matches.models import Match, MatchState
from matches.referee import StopReason
from matches.sparring.selectors import sparring_verdict


class MarkOutcome(models.TextChoices):
    WAITING = "waiting", _("being marked")
    MET = "met", _("met")
    MISSED = "missed", _("missed")
    UNDECIDED = "undecided", _("undecided")


DECIDED = (MarkOutcome.MET, MarkOutcome.MISSED)


@dataclass(frozen=True, slots=True)
class ShareShown:
    """The result of a match: the bot's share of the score with a 95 % interval, from 0 to 1; None before the match has
    ended."""

    share: float | None = None
    low: float | None = None
    high: float | None = None
    blocks: int = 0


def markings_with_marks(markings: QuerySet[Marking]) -> QuerySet[Marking]:
    """Prefetch everything that outcomes depend on."""
    marks = ReferenceMark.objects.select_related("reference", "match").prefetch_related("match__seats")
    return markings.prefetch_related(Prefetch("marks", marks))


def mark_outcome_of(mark: ReferenceMark) -> MarkOutcome:
    """Return the outcome of a mark. A student's bot that forfeits its match has missed the reference. A match that was
    cancelled, or that the reference forfeited, leaves the mark undecided."""
    if mark.ruling != MarkRuling.NONE:
        return MarkOutcome(mark.ruling)
    if mark.match is None or mark.match.state == MatchState.CANCELLED:
        return MarkOutcome.UNDECIDED
    return _by_match(mark.match)


def _by_match(match: Match) -> MarkOutcome:
    if match.state != MatchState.FINISHED:
        return MarkOutcome.WAITING
    own, *_others = match.seats.all()
    if own.has_forfeited or match.ending == StopReason.SECOND:
        return MarkOutcome.MISSED
    return MarkOutcome.MET if match.ending == StopReason.FIRST else MarkOutcome.UNDECIDED


def is_marking_complete(marking: Marking) -> bool:
    """Return whether every mark of the marking is decided."""
    return all(mark_outcome_of(mark) in DECIDED for mark in marking.marks.all())


def marking_points_of(marking: Marking, penalty: int) -> float | None:
    """Return the points of a marking, less ``penalty`` percent for each late day; None while a mark is undecided."""
    if not is_marking_complete(marking):
        return None
    met = sum(one.reference.points for one in marking.marks.all() if mark_outcome_of(one) == MarkOutcome.MET)
    return round(met * max(0, 100 - penalty * marking.days_late) / 100, 2)


def mark_share_of(match: Match | None) -> ShareShown:
    """Return the result of a match, whose seats are prefetched."""
    if match is None or match.state != MatchState.FINISHED:
        return ShareShown()
    found = sparring_verdict(match)
    return ShareShown(found.share, found.low, found.high, found.blocks)


def practice_runs_of(student_id: int, version_id: int, assignment_id: int) -> dict[int, PracticeRun]:
    """Return the practice matches of a version, by the reference's primary key."""
    runs = PracticeRun.objects.filter(
        student=student_id, version=version_id, reference__assignment=assignment_id
    ).select_related("match")
    return {one.reference_id: one for one in runs.prefetch_related("match__seats")}


class StudentStatus(models.TextChoices):
    """The state of a student in an assignment."""

    NOTHING = "nothing", _("nothing handed in")
    HANDED_IN = "handed_in", _("handed in")
    CHECKING = "checking", _("being checked")
    MARKING = "marking", _("being marked")
    UNDECIDED = "undecided", _("undecided")
    MARKED = "marked", _("marked")
    PUBLISHED = "published", _("published")
    MISSING = "missing", _("not handed in")


@dataclass(frozen=True, slots=True)
class MarkCell:
    """A student's mark against one reference. ``before`` is its outcome in the previous marking."""

    reference: AssignmentReference
    mark: ReferenceMark | None
    outcome: str
    shown: ShareShown
    before: str = ""

    @property
    def label(self) -> str:
        return str(MarkOutcome(self.outcome).label) if self.outcome else ""

    @property
    def before_label(self) -> str:
        return str(MarkOutcome(self.before).label) if self.before else ""


@dataclass(frozen=True, slots=True)
class StudentRow:
    """A student with the hand-in and the valid marking. Both belong to ``account``, which is the account of the team if
    the student shares its hand-in. ``member`` is None for a student who has left the group.
    """

    person: Any
    account: Any
    member: GroupMember | None
    status: StudentStatus
    deadline: Deadline
    hand_in: HandIn | None = None
    marking: Marking | None = None
    cells: Sequence[MarkCell] = field(default_factory=list)
    points: float | None = None

    @property
    def name(self) -> str:
        """The student's name on the roster, or the user name."""
        return (self.member.name if self.member else "") or self.person.get_username()

    @property
    def team(self) -> str:
        """The team with which the student hands in, or ""."""
        return self.account.get_username() if getattr(self.account, "is_team", False) else ""

    @property
    def handed_in_by(self) -> str:
        """The name of the hand-in's owner: the team's, or the student's."""
        return self.team or self.name


@dataclass(frozen=True, slots=True)
class MarkMatrix:
    """All students of an assignment. ``expected`` are people on the roster who have not joined the group."""

    references: Sequence[AssignmentReference]
    rows: Sequence[StudentRow]
    expected: Sequence[RosterRow]
    points_most: int

    def count(self, *statuses: str) -> int:
        return sum(row.status in statuses for row in self.rows)

    @property
    def progress(self) -> dict[str, int]:
        """The number of students, the number of hand-ins, and the number of students with each other status, by
        status.
        """
        return {
            "students": len(self.rows),
            "handed_in": len(self.rows) - self.count("nothing", "missing"),
            **{status: self.count(status) for status in ("undecided", "marked", "published")},
        }


def mark_matrix_of(assignment: Assignment) -> MarkMatrix:
    """Return the matrix for the group's staff: members, and people who were marked before they left."""
    members = {
        one.person_id: one
        for one in GroupMember.objects.filter(group=assignment.group_id, role=GroupRole.MEMBER).select_related("person")
    }
    hand_ins = {
        one.student_id: one
        for one in HandIn.objects.filter(assignment=assignment).select_related("bot__current", "student")
    }
    markings: dict[int, list[Marking]] = {}
    known = markings_with_marks(Marking.objects.filter(assignment=assignment).select_related("version__bot", "student"))
    for marking in known.order_by("number"):
        markings.setdefault(marking.student_id, []).append(marking)
    people = {pk: one.person for pk, one in members.items()}
    accounts = {pk: one.student for pk, one in hand_ins.items()} | {pk: one[-1].student for pk, one in markings.items()}
    people |= {pk: account for pk, account in accounts.items() if not getattr(account, "is_team", False)}
    shares = {
        one.person_id: one
        for one in HandInPerson.objects.filter(assignment=assignment).select_related("person", "account")
    }
    people |= {pk: one.person for pk, one in shares.items()}
    extensions, references, now = (
        due_extensions_of(assignment),
        mark_references_of(assignment),
        assignment_time_now(),
    )
    versions = hand_in_versions_by_bot(one for one in hand_ins.values() if one.student_id not in markings)
    rows = []
    for pk, person in people.items():
        account = shares[pk].account if pk in shares else person
        if pk not in members and account.pk not in markings:
            continue  # these people left before they were marked
        deadline = assignment_deadline_of(assignment, extensions.get(account.pk))
        found, hand_in = markings.get(account.pk, []), hand_ins.get(account.pk)
        own = versions.get(hand_in.bot_id) if hand_in else None
        status = _status(hand_in, found[-1] if found else None, deadline, now, own)
        row = StudentRow(person, account, members.get(pk), status, deadline, hand_in)
        rows.append(_with_marks(row, assignment, found, references))
    rows.sort(key=lambda row: (row.name.casefold(), row.person.pk))
    expected = list(RosterRow.objects.filter(group=assignment.group_id).order_by("name", "pk"))
    return MarkMatrix(references, rows, expected, sum(one.points for one in references))


def student_row_of(assignment: Assignment, person: Any, *, published_only: bool) -> StudentRow:
    """Return the row of one student. With ``published_only``, it has only what the student may see."""
    member = GroupMember.objects.filter(group=assignment.group_id, person=person.pk).first()
    share = HandInPerson.objects.filter(assignment=assignment, person=person.pk).select_related("account").first()
    account = share.account if share else person
    hand_in = HandIn.objects.filter(assignment=assignment, student=account.pk).select_related("bot__current").first()
    own = Marking.objects.filter(assignment=assignment, student=account.pk)
    deadline = assignment_deadline_of(assignment, due_extensions_of(assignment).get(account.pk))
    markings = list(markings_with_marks(own.select_related("version__bot")).order_by("number"))
    status = _status(hand_in, markings[-1] if markings else None, deadline, assignment_time_now())
    if published_only:
        markings = [one for one in markings if one.published_at is not None]
        if markings:
            status = StudentStatus.PUBLISHED
        elif status in (StudentStatus.UNDECIDED, StudentStatus.MARKED):
            status = StudentStatus.MARKING
    row = StudentRow(person, account, member, status, deadline, hand_in)
    return _with_marks(row, assignment, markings, mark_references_of(assignment))


def hand_in_sharing_names_of(assignment: Assignment, row: StudentRow) -> list[str]:
    """Return the user names of the team members who share the hand-in; none without a team."""
    if not row.team:
        return []
    shares = HandInPerson.objects.filter(assignment=assignment, account=row.account.pk)
    return list(shares.order_by("person__username").values_list("person__username", flat=True))


def mark_references_of(assignment: Assignment) -> list[AssignmentReference]:
    """Return the references with their bots, in order."""
    return list(AssignmentReference.objects.filter(assignment=assignment).select_related("version__bot__owner"))


@dataclass(frozen=True, slots=True)
class PracticeShown:
    """The practice of the newest accepted ``version`` of a hand-in. ``newest`` is the last upload. Each cell has a
    reference, its match (None before it is created) and the result."""

    version: BotVersion | None
    newest: BotVersion | None
    cells: Sequence[tuple[AssignmentReference, Any, ShareShown]]


def student_practice_shown(assignment: Assignment, hand_in: HandIn | None) -> PracticeShown:
    """Return the practice as the student sees it."""
    versions = hand_in_versions_by_number(hand_in) if hand_in else []
    version = hand_in_newest_accepted(versions)
    runs = practice_runs_of(hand_in.student_id, version.pk, assignment.pk) if hand_in and version else {}
    cells = []
    for reference in mark_references_of(assignment):
        match = runs[reference.pk].match if reference.pk in runs else None
        cells.append((reference, match, mark_share_of(match)))
    return PracticeShown(version, versions[0] if versions else None, cells)


def _status(
    hand_in: HandIn | None,
    marking: Marking | None,
    deadline: Deadline,
    now: datetime,
    versions: Sequence[BotVersion] | None = None,
) -> StudentStatus:
    if marking is None:
        if now >= deadline.ends_at and not (
            hand_in and hand_in_due_version(hand_in, deadline, now, versions) != _NOTHING
        ):
            return StudentStatus.MISSING
        if hand_in is None or hand_in.bot.deleted_at is not None:
            return StudentStatus.NOTHING
        return StudentStatus.HANDED_IN if hand_in.bot.current_id else StudentStatus.CHECKING
    if marking.published_at is not None:
        return StudentStatus.PUBLISHED
    if is_marking_complete(marking):
        return StudentStatus.MARKED
    waits = any(mark_outcome_of(mark) == MarkOutcome.WAITING for mark in marking.marks.all())
    return StudentStatus.MARKING if waits else StudentStatus.UNDECIDED


def _with_marks(
    row: StudentRow, assignment: Assignment, markings: Sequence[Marking], references: Sequence[AssignmentReference]
) -> StudentRow:
    marking = markings[-1] if markings else None
    before = _outcomes(markings[-2]) if len(markings) > 1 else {}
    marks = {one.reference_id: one for one in marking.marks.all()} if marking else {}
    cells = []
    for reference in references:
        mark = marks.get(reference.pk)
        outcome = mark_outcome_of(mark).value if mark else ""
        was = before.get(reference.pk, "")
        shown = mark_share_of(mark.match if mark else None)
        cells.append(MarkCell(reference, mark, outcome, shown, was if was != outcome else ""))
    points = marking_points_of(marking, assignment.late_penalty) if marking else None
    return replace(row, marking=marking, cells=cells, points=points)


def _outcomes(marking: Marking) -> dict[int, str]:
    return {one.reference_id: mark_outcome_of(one).value for one in marking.marks.all()}


_NOTHING = DueVersion()
