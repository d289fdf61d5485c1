"""The event that a series is over, for webhooks and notices: for its participants and followers."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from contests.audience import audience_group_data
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.services import notice_events_publish
from series.models import TournamentSeries
from series.selectors.visible import people_in_series
from web.email import email_link_to

FINISHED: Final = "series.finished"
EVENTS: Final = UUID("9d8f2b64-0f0a-4c53-8a53-7b2f6c1f4e70")


class SeriesDataSerializer(serializers.Serializer[Any]):
    """A series that is over."""

    series = serializers.SlugField()
    group = serializers.SlugField(required=False, help_text="Of whose members it is; only where it is a group's.")
    name = serializers.CharField()
    url = serializers.CharField(help_text="The series in the API.")
    page = serializers.CharField()


def series_events_register() -> None:
    """Register the kind of event."""
    label = gettext_lazy("a series that I took part in or follow is over")
    hook_kind_register(FINISHED, label, SeriesDataSerializer, _sentence, section=KindSection.TOURNAMENTS)


def series_finished_event_publish(series: TournamentSeries) -> None:
    """Notify participants and followers that a series is over, in the transaction that ends it.

    The event is sent once, even if the series is reopened and ends again.
    """
    data = {
        "series": series.slug,
        **audience_group_data(series),
        "name": series.name,
        "url": email_link_to("api-series:detail", series.slug),
        "page": email_link_to("series:detail", series.slug),
    }
    notice_events_publish(events=[Event(FINISHED, people_in_series(series), data, uuid5(EVENTS, str(series.pk)))])


def _sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s is over: its table is final.") % data
