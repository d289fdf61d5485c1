"""Groups as subjects of announcements and questions: owners and staff announce and answer, members read and ask."""

from typing import Any

from django.db.models import Q
from django.urls import reverse

from announcements.selectors import announcement_entries, announcement_panel_of
from announcements.subjects import Subject, announcement_subject_register
from groups.models import Group, GroupMember, GroupRole
from groups.selectors import may_manage_group, may_see_group
from web.feeds import feed_register
from web.panels import panel_register


def group_announcements_register() -> None:
    """Register groups as subjects."""
    announcement_subject_register("group", _group_subject, _group_readers, _group_announcers, has_topic=False)
    panel_register("group.announcements", "announcements/panel.html", announcement_panel_of("group"))
    feed_register("group", lambda _reader, group: announcement_entries("group", [group]))


def _group_subject(user: Any, which: Q) -> Subject | None:
    group = Group.objects.filter(which).first()
    if group is None or (user is not None and not may_see_group(user, group)):
        return None
    may_write = user is not None and may_manage_group(user, group)
    page = reverse("groups:detail", args=[group.slug])
    return Subject("group", group.pk, group.slug, group.name, page, may_write, shows_askers=may_write)


def _group_readers(pk: int) -> set[int]:
    return set(GroupMember.objects.filter(group=pk).values_list("person", flat=True))


def _group_announcers(pk: int) -> set[int]:
    members = GroupMember.objects.filter(group=pk).exclude(role=GroupRole.MEMBER)
    return set(members.values_list("person", flat=True))
