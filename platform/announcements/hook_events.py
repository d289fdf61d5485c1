"""The event of announcements for webhooks and notices."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from announcements.models import Announcement
from announcements.subjects import Subject
from hooks.kinds import KindSection, kind_register
from hooks.services import Event
from web.email import link_to

PUBLISHED: Final = "announcement.published"
EVENTS: Final = UUID("6f1f7f0c-5a0e-4a55-9a53-3c2f1f3f8f11")


class AnnouncementDataSerializer(serializers.Serializer[Any]):
    """An announcement of a tournament, a league or a group; the field of that name has its slug."""

    announcement = serializers.IntegerField()
    tournament = serializers.SlugField(required=False)
    league = serializers.SlugField(required=False)
    group = serializers.SlugField(required=False)
    name = serializers.CharField(help_text="Of the tournament, league or group.")
    title = serializers.CharField()
    url = serializers.CharField(help_text="The announcement in the API.")
    page = serializers.CharField()


def register() -> None:
    """Offer this kind."""
    label = gettext_lazy("there is an announcement of an event I take part in, or of a group of mine")
    kind_register(PUBLISHED, label, AnnouncementDataSerializer, _sentence, section=KindSection.GROUPS)


def event_id(announcement: Announcement) -> UUID:
    """Return the id of the event that an announcement was published: there is one."""
    return uuid5(EVENTS, str(announcement.pk))


def event_of(announcement: Announcement, subject: Subject, people: set[int]) -> Event:
    """Return the event that an announcement was published, for ``people`` but its author."""
    data = {
        "announcement": announcement.pk,
        subject.kind: subject.slug,
        "name": subject.name,
        "title": announcement.title,
        "url": link_to("api-announcements:detail", announcement.pk),
        "page": link_to("announcements:list", subject.kind, subject.slug) + f"#announcement-{announcement.pk}",
    }
    return Event(PUBLISHED, people - {announcement.author_id or 0}, data, event_id(announcement))


def _sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s announces: %(title)s") % data
