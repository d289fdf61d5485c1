"""The events of assignments, for webhooks and notices: an assignment is due soon, marks are published."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from assignments.models import Assignment
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.services import notice_events_publish
from web.email import email_link_to
from web.zones import zone_clock_text

DUE: Final = "assignment.due"
PUBLISHED: Final = "assignment.published"


class AssignmentDataSerializer(serializers.Serializer[Any]):
    """An assignment of one of my groups; `url` is the assignment in the API."""

    assignment = serializers.IntegerField()
    title = serializers.CharField()
    group = serializers.SlugField()
    url = serializers.CharField()
    page = serializers.CharField()


class AssignmentDueDataSerializer(AssignmentDataSerializer):
    """An assignment that is due within a day, for students who have handed nothing in."""

    due_at = serializers.DateTimeField()
    zone = serializers.CharField(help_text="The time zone of the assignment.")


def assignment_events_register() -> None:
    """Register the event kinds."""
    due = gettext_lazy("an assignment is due in 24 hours and I have not handed in")
    published = gettext_lazy("my marks of an assignment are published")
    hook_kind_register(DUE, due, AssignmentDueDataSerializer, _due_sentence, section=KindSection.GROUPS)
    hook_kind_register(PUBLISHED, published, AssignmentDataSerializer, _published_sentence, section=KindSection.GROUPS)


def assignment_due_event_publish(assignment: Assignment, people: Collection[int], due_at: datetime) -> None:
    """Remind ``people``. Call it in the transaction that records the reminder."""
    if people:
        data = _data(assignment) | {"due_at": due_at.isoformat(), "zone": assignment.zone}
        notice_events_publish(events=[Event(DUE, people, data)])


def assignment_marks_event_publish(assignment: Assignment, people: Collection[int]) -> None:
    """Notify ``people`` of their marks. Call it in the transaction that publishes them."""
    if people:
        notice_events_publish(events=[Event(PUBLISHED, people, _data(assignment))])


def _data(assignment: Assignment) -> dict[str, Any]:
    slug = assignment.group.slug
    return {
        "assignment": assignment.pk,
        "title": assignment.title,
        "group": slug,
        "url": email_link_to("api-assignments:assignment", assignment.pk),
        "page": email_link_to("assignments:detail", slug, assignment.pk),
    }


def _due_sentence(data: Mapping[str, Any]) -> str:
    when = zone_clock_text(datetime.fromisoformat(data["due_at"]), data["zone"])
    return _("%(title)s is due on %(when)s, and you have not handed in yet.") % {"title": data["title"], "when": when}


def _published_sentence(data: Mapping[str, Any]) -> str:
    return _("Your marks of %(title)s are published.") % data
