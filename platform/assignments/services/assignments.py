"""Create, change and delete assignments."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from assignments.errors import AlreadyMarked, AssignmentRefused
from assignments.models import Assignment, AssignmentReference, Marking
from assignments.selectors.hand_ins import assignment_time_now, is_own_hand_in_bot
from bots.models import BotVersion, VersionState
from contests.caps import contest_blocks_cap
from games.catalogue import current
from groups.models import Group


def assignment_locked(assignment_id: int) -> Assignment:
    """Lock the assignment until the end of the transaction. Return its current row."""
    return Assignment.objects.select_for_update(no_key=True).get(pk=assignment_id)


SECRET_BYTES: Final = 32
REFERENCES_MOST: Final = 10
ASSIGNMENTS_MOST: Final = 100  # assignments of one group
CHANGED: Final = ("title", "text", "due_at", "grace_minutes", "late_days", "late_penalty", "attempts_a_day")


@dataclass(frozen=True, slots=True)
class ReferenceChosen:
    """A version to beat with more than ``threshold`` percent of the score, for this number of points."""

    version: BotVersion
    threshold: int
    points: int = 1


def assignment_create(
    *,
    by: AbstractUser,
    group: Group,
    title: str,
    game: str,
    references: Sequence[ReferenceChosen],
    opens_at: datetime,
    due_at: datetime,
    **more: Any,
) -> Assignment:
    """Create an assignment with its secret. The digest of the secret is public from now on. ``more`` has other fields
    of the assignment.

    Raises:
        AssignmentRefused: no or too many references, a version that may not be a reference, or invalid times.
    """
    _check_references(by, game, references)
    if due_at <= opens_at or due_at <= assignment_time_now():
        raise AssignmentRefused("invalid", _("The due time must be in the future and after the opening."), "due_at")
    more["blocks_most"] = min(more.get("blocks_most", 200), contest_blocks_cap())
    with transaction.atomic():
        Group.objects.select_for_update(no_key=True).get(pk=group.pk)
        if Assignment.objects.filter(group=group).count() >= ASSIGNMENTS_MOST:
            sentence = ngettext(
                "This group has %(most)d assignment, the most allowed.",
                "This group has %(most)d assignments, the most allowed.",
                ASSIGNMENTS_MOST,
            )
            raise AssignmentRefused("limit", sentence % {"most": ASSIGNMENTS_MOST})
        assignment = Assignment.objects.create(
            group=group,
            organiser=by,  # type: ignore[misc]
            title=title,
            game=game,
            ruleset=current(game).id,
            opens_at=opens_at,
            due_at=due_at,
            secret=secrets.token_bytes(SECRET_BYTES),
            **more,
        )
        AssignmentReference.objects.bulk_create(
            AssignmentReference(assignment=assignment, version=one.version, threshold=one.threshold, points=one.points)
            for one in references
        )
    return assignment


def assignment_update(*, assignment: Assignment, **fields: Any) -> Assignment:
    """Change some of the fields ``CHANGED``. After the first marking, only the title and the text may change.

    Raises:
        AlreadyMarked: another field would change.
        AssignmentRefused: the due time would be in the past, or before the opening.
    """
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        changed = {name: fields[name] for name in CHANGED if name in fields and fields[name] != getattr(now, name)}
        marked = Marking.objects.filter(assignment=now).exists() or now.revealed_at is not None
        if marked and changed.keys() - {"title", "text"}:
            raise AlreadyMarked(_("Somebody has been marked already, so times and limits can no longer be changed."))
        due_at = changed.get("due_at", now.due_at)
        if "due_at" in changed and due_at <= max(assignment_time_now(), now.opens_at):
            raise AssignmentRefused("invalid", _("The due time must be in the future and after the opening."), "due_at")
        if changed:
            Assignment.objects.filter(pk=now.pk).update(**changed)
        now.refresh_from_db()
    return now


def assignment_delete(*, assignment: Assignment) -> None:
    """Delete an assignment with its hand-ins. Bots and their matches stay.

    Raises:
        AlreadyMarked: a student has been marked.
    """
    with transaction.atomic():
        now = assignment_locked(assignment.pk)
        if Marking.objects.filter(assignment=now).exists():
            raise AlreadyMarked(_("Somebody has been marked already, so the assignment stays."))
        now.delete()


def _check_references(by: AbstractUser, game: str, references: Sequence[ReferenceChosen]) -> None:
    if not references:
        raise AssignmentRefused("invalid", _("Choose at least one reference bot."), "references")
    if len(references) > REFERENCES_MOST:
        sentence = ngettext(
            "Choose %(most)d reference bot at most.", "Choose %(most)d reference bots at most.", REFERENCES_MOST
        )
        raise AssignmentRefused("invalid", sentence % {"most": REFERENCES_MOST}, "references")
    if len({one.version.pk for one in references}) < len(references):
        raise AssignmentRefused("invalid", _("Each reference bot can be chosen once."), "references")
    for one in references:
        bot = one.version.bot
        if not (bot.is_house or is_own_hand_in_bot(by, bot)):
            raise AssignmentRefused(
                "not_yours", _("Only house bots and your own bots can be references."), "references"
            )
        if one.version.state != VersionState.ACCEPTED or bot.game != game:
            sentence = _("%(bot)s cannot play here: it plays another game, or this version is not accepted.")
            raise AssignmentRefused("invalid", sentence % {"bot": bot.name}, "references")
        if not 5 <= one.threshold <= 95:
            raise AssignmentRefused("invalid", _("A threshold is a number from 5 to 95."), "references")
