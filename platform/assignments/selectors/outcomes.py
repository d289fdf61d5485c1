"""What matches have shown: the outcome of a mark, the points of a marking, the share of a practice match."""

from dataclasses import dataclass

from django.db import models
from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext_lazy as _

from assignments.models import Marking, MarkRuling, PracticeRun, ReferenceMark
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
    """What a match has shown of the student's bot: its share of the score with a 95 % interval, 0 to 1; None before the
    end."""

    share: float | None = None
    low: float | None = None
    high: float | None = None
    blocks: int = 0


def markings_with_marks(markings: QuerySet[Marking]) -> QuerySet[Marking]:
    """Return ``markings`` with all that outcomes are read from."""
    marks = ReferenceMark.objects.select_related("reference", "match").prefetch_related("match__seats")
    return markings.prefetch_related(Prefetch("marks", marks))


def mark_outcome_of(mark: ReferenceMark) -> MarkOutcome:
    """Return how a mark stands. A student's bot that forfeits its match has missed; a match that was called off, or
    that the reference forfeited, shows nothing."""
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
    """Tell whether every mark of it is decided."""
    return all(mark_outcome_of(mark) in DECIDED for mark in marking.marks.all())


def marking_points_of(marking: Marking, penalty: int) -> float | None:
    """Return the points of a marking, less ``penalty`` percent for each late day; None while a mark is open."""
    if not is_marking_complete(marking):
        return None
    met = sum(one.reference.points for one in marking.marks.all() if mark_outcome_of(one) == MarkOutcome.MET)
    return round(met * max(0, 100 - penalty * marking.days_late) / 100, 2)


def mark_share_of(match: Match | None) -> ShareShown:
    """Return what a match has shown; its seats are at hand."""
    if match is None or match.state != MatchState.FINISHED:
        return ShareShown()
    found = sparring_verdict(match)
    return ShareShown(found.share, found.low, found.high, found.blocks)


def practice_runs_of(student_id: int, version_id: int, assignment_id: int) -> dict[int, PracticeRun]:
    """Return the practice matches of a version, by reference."""
    runs = PracticeRun.objects.filter(
        student=student_id, version=version_id, reference__assignment=assignment_id
    ).select_related("match")
    return {one.reference_id: one for one in runs.prefetch_related("match__seats")}
