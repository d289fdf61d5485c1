"""Matches of assignments: those of the existing queue, on the organiser's account."""

from collections.abc import Mapping
from typing import Any, Final

from django.db import transaction

from assignments.models import Assignment, AssignmentReference
from bots.models import BotVersion
from games.catalogue import UnknownRuleset
from games.ruleset import OptionError, SeatError
from matches.errors import MatchError
from matches.models import Audience, Match
from matches.referee import AboveThreshold
from matches.services import MatchTerms, match_create

EFFECT: Final = 0.1  # of the score, above or below the threshold, that must not be missed
ERROR: Final = 0.05


def practice_match(reference: AssignmentReference, version: BotVersion) -> Match | None:
    """Create a practice match of ``version`` on public seeds; None if the reference cannot play any more."""
    assignment = reference.assignment
    secret = assignment.practice_secret(reference.pk)
    return _match(reference, version, secret, assignment.practice_blocks, {}, Audience.AUTHORS)


def marking_match(reference: AssignmentReference, version: BotVersion, student_id: int, number: int) -> Match | None:
    """Create the match of a marking: until it is shown whether ``version`` is above the threshold. None if it cannot be
    played."""
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
