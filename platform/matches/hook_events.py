"""The events of matches for webhooks and notices: a match of a bot has finished.

Quiet contests, which are a league's seasons, send none: each of their bots plays hundreds of matches a day.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import kind_register
from hooks.services import Event
from matches.models import Audience, Match, Seat
from matches.visibility import people_in_group
from notices.selectors import has_readers
from notices.services import events_publish
from web.email import link_to

FINISHED: Final = "match.finished"


class MatchDataSerializer(serializers.Serializer[Any]):
    """A match is over; `url` shows how it ended to those who may see it."""

    match = serializers.IntegerField()
    ruleset = serializers.CharField()
    bots = serializers.ListField(child=serializers.SlugField(), help_text="Those at the table, by seat.")
    names = serializers.ListField(child=serializers.CharField(), help_text="Their names.")
    url = serializers.CharField(help_text="The match in the API.")
    page = serializers.CharField()


def register() -> None:
    """Offer these kinds."""
    label = gettext_lazy("a match of one of my bots has finished (except in leagues)")
    kind_register(FINISHED, label, MatchDataSerializer, _finished_sentence, is_quiet=True)


def finished_notify(*, matches: Collection[Match]) -> None:
    """Notify the authors of matches that have just got their results, in the transaction that writes them.
    Only people who may see a match are notified of it.
    """
    reported = {match.pk: match for match in matches if match.contest is None or not match.contest.is_quiet}
    if not reported or not has_readers(FINISHED):
        return
    seats: dict[int, list[tuple[str, str, int]]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=reported).order_by("match", "index")
    names = ("version__bot__slug", "version__bot__name", "version__bot__owner")
    for match, *seat in rows.values_list("match", *names):
        seats[match].append(tuple(seat))
    events_publish(events=[_event(reported[pk], seated) for pk, seated in seats.items()])


def _event(match: Match, seated: list[tuple[str, str, int]]) -> Event:
    hidden = match.audience == Audience.ORGANISER
    people = {owner for _bot, _name, owner in seated if not hidden or owner == match.organiser_id}
    people = people_in_group(people, match)
    data = {
        "match": match.pk,
        "ruleset": match.ruleset,
        "bots": [bot for bot, _name, _owner in seated],
        "names": [name for _bot, name, _owner in seated],
        "url": link_to("api-matches:detail", match.pk),
        "page": link_to("matches:detail", match.pk),
    }
    return Event(FINISHED, people, data)


def _finished_sentence(data: Mapping[str, Any]) -> str:
    return _("A match has finished: %(bots)s.") % {"bots": " - ".join(data["names"])}
