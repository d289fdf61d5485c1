"""The announcements of groups: by their owners and staff, for their members; and the questions of members to them."""

from typing import Any

from django.db.models import Q
from django.urls import reverse

from announcements.selectors import announcement_entries, panel_of
from announcements.subjects import Subject, subject_register
from groups.models import Group, GroupMember, GroupRole
from groups.selectors import may_manage, may_see
from web.feeds import feed_register
from web.panels import panel_register


def register() -> None:
    """Let groups have announcements."""
    subject_register("group", _found, _people, _runners, has_topic=False)
    panel_register("group.announcements", "announcements/panel.html", panel_of("group"))
    feed_register("group", lambda _reader, group: announcement_entries("group", [group]))


def _found(user: Any, which: Q) -> Subject | None:
    group = Group.objects.filter(which).first()
    if group is None or (user is not None and not may_see(user, group)):
        return None
    may_write = user is not None and may_manage(user, group)
    page = reverse("groups:detail", args=[group.slug])
    return Subject("group", group.pk, group.slug, group.name, page, may_write, shows_askers=may_write)


def _people(pk: int) -> set[int]:
    return set(GroupMember.objects.filter(group=pk).values_list("person", flat=True))


def _runners(pk: int) -> set[int]:
    members = GroupMember.objects.filter(group=pk).exclude(role=GroupRole.MEMBER)
    return set(members.values_list("person", flat=True))
