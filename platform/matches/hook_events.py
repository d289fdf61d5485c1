"""The webhook events of matches: a match of a bot has finished.

Quiet contests, which are a league's seasons, send none: each of their bots plays hundreds of matches a day.
"""

from collections import defaultdict
from collections.abc import Collection
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from hooks.kinds import kind_register
from hooks.selectors import has_active_hooks
from hooks.services import Event, deliveries_write
from matches.models import Audience, Match, Seat
from web.email import link_to

FINISHED: Final = "match.finished"


class MatchDataSerializer(serializers.Serializer[Any]):
    """A match is over; `url` shows how it ended to those who may see it."""

    match = serializers.IntegerField()
    ruleset = serializers.CharField()
    bots = serializers.ListField(child=serializers.SlugField(), help_text="Those at the table, by seat.")
    url = serializers.CharField(help_text="The match in the API.")
    page = serializers.CharField()


def register() -> None:
    """Offer these kinds to webhooks."""
    label = _("a match of one of my bots has finished (except in leagues)")
    kind_register(FINISHED, label, MatchDataSerializer)


def finished_notify(*, matches: Collection[Match]) -> None:
    """Notify the authors' webhooks of matches that have just got their results, in the transaction that writes them.
    Only people who may see a match are notified of it.
    """
    reported = {match.pk: match for match in matches if match.contest is None or not match.contest.is_quiet}
    if not reported or not has_active_hooks():
        return
    seats: dict[int, list[tuple[str, int]]] = defaultdict(list)
    rows = Seat.objects.filter(match__in=reported).order_by("match", "index")
    for match, bot, owner in rows.values_list("match", "version__bot__slug", "version__bot__owner"):
        seats[match].append((bot, owner))
    deliveries_write(events=[_event(reported[pk], seated) for pk, seated in seats.items()])


def _event(match: Match, seated: list[tuple[str, int]]) -> Event:
    hidden = match.audience == Audience.ORGANISER
    people = {owner for _bot, owner in seated if not hidden or owner == match.organiser_id}
    data = {
        "match": match.pk,
        "ruleset": match.ruleset,
        "bots": [bot for bot, _owner in seated],
        "url": link_to("api-matches:detail", match.pk),
        "page": link_to("matches:detail", match.pk),
    }
    return Event(FINISHED, people, data)
