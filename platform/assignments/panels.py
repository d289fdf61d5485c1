"""Panels of assignments on pages of groups and matches, and the entries in the feed of a group; see ``web.panels``."""

from typing import Any

from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import linebreaks
from django.utils.translation import gettext as _

from assignments.models import ASSIGNMENT, Assignment
from assignments.selectors.visible import assignments_in
from groups.models import Group
from groups.selectors import may_manage_group
from matches.models import Match
from web.feeds import ENTRIES_MOST, FeedEntry, feed_register
from web.panels import panel_register


def group_assignments_panel(context: Context, group: Group) -> dict[str, Any]:
    """Return the assignments of a group that the user may see."""
    manages = context["manages"] if "manages" in context else may_manage_group(context["user"], group)
    return {"group": group, "assignments": assignments_in(group, context["user"]), "manages": manages}


def group_deadline_panel(context: Context, group: Group) -> dict[str, Any]:
    """Return the assignment of a group for which the user must hand in a bot next; none for owners and staff."""
    coming = assignments_in(group, context["user"]).filter(due_at__gt=timezone.now())
    manages = context["manages"] if "manages" in context else may_manage_group(context["user"], group)
    return {"group": group, "next": None if manages else coming.first()}


def assignment_group_entries(reader: Any, group: Group) -> list[FeedEntry]:
    """Return the feed entries of a group about assignments that have opened."""
    opened = assignments_in(group, reader).filter(opens_at__lte=timezone.now())
    return [
        FeedEntry(
            f"assignment-{one.pk}",
            f"{_('New assignment')}: {one.title}",
            reverse("assignments:detail", args=[group.slug, one.pk]),
            one.opens_at,
            html=linebreaks(one.text, autoescape=True),
        )
        for one in opened.order_by("-opens_at", "-pk")[:ENTRIES_MOST]
    ]


def match_assignment_panel(context: Context, match: Match) -> dict[str, Any]:
    """Return the assignment of a match."""
    number = ASSIGNMENT.number_of(match)
    found = Assignment.objects.filter(pk=number).select_related("group").first() if number is not None else None
    return {"assignment": found}


def assignment_panels_register() -> None:
    """Register the panels."""
    feed_register("group", assignment_group_entries)
    panel_register("group.next", "assignments/next_of_group.html", group_deadline_panel)
    panel_register("group.contests", "assignments/of_group.html", group_assignments_panel)
    panel_register("match.contest", "assignments/of_match.html", match_assignment_panel)
