"""The events of matches for webhooks and notices: a bot's match is finished, or the bot has forfeited it.

Quiet contests, such as seasons of leagues, send none: each of their bots plays hundreds of matches a day.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import hook_kind_register
from hooks.services import Event
from matches.challenges.hook_events import challenge_finished_event_publish
from matches.models import Audience, Match, Seat
from matches.visibility import visibility_recipients
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from web.email import email_link_to

FINISHED: Final = "match.finished"
FAULT: Final = "bot.fault"


class MatchDataSerializer(serializers.Serializer[Any]):
    """A match is finished. `url` shows the result to everyone who may see the match."""

    match = serializers.IntegerField()
    ruleset = serializers.CharField()
    bots = serializers.ListField(child=serializers.SlugField(), help_text="The bots at the table, by seat.")
    names = serializers.ListField(child=serializers.CharField(), help_text="Their names.")
    url = serializers.CharField(help_text="The match in the API.")
    page = serializers.CharField()


class FaultDataSerializer(serializers.Serializer[Any]):
    """A bot has forfeited a match because of its faults. The page of the match lists them."""

    match = serializers.IntegerField()
    bot = serializers.SlugField()
    name = serializers.CharField(help_text="The name of the bot.")
    version = serializers.IntegerField()
    url = serializers.CharField(help_text="The match in the API.")
    page = serializers.CharField()


def register() -> None:
    """Register the kinds of events."""
    label = gettext_lazy("a match of one of my bots has finished (except in leagues)")
    hook_kind_register(FINISHED, label, MatchDataSerializer, _finished_sentence, is_quiet=True)
    fault = gettext_lazy("one of my bots forfeits a match by its faults (except in leagues)")
    hook_kind_register(FAULT, fault, FaultDataSerializer, _fault_sentence, is_quiet=True)


def match_finished_event_publish(*, matches: Collection[Match]) -> None:
    """Notify the owners of the bots of finished ``matches``, in the transaction that stores the results.

    Only people who may see a match are notified.
    """
    challenged = challenge_finished_event_publish(matches=[match.pk for match in matches if match.contest_id is None])
    quiet = {match.pk for match in matches if match.contest is not None and match.contest.is_quiet}
    reported = {match.pk: match for match in matches if match.pk not in challenged | quiet}
    if not reported or not has_notice_readers(FINISHED, FAULT):
        return
    seats: dict[int, list[Seat]] = defaultdict(list)
    for seat in Seat.objects.filter(match__in=reported).select_related("version__bot").order_by("match", "index"):
        seats[seat.match_id].append(seat)
    events = [_event(reported[pk], seated) for pk, seated in seats.items()]
    faults = {
        (seat.match_id, seat.version_id): seat for seated in seats.values() for seat in seated if seat.has_forfeited
    }
    notice_events_publish(events=[*events, *(_fault(reported[seat.match_id], seat) for seat in faults.values())])


def _event(match: Match, seated: list[Seat]) -> Event:
    bots = [seat.version.bot for seat in seated]
    data = {
        "match": match.pk,
        "ruleset": match.ruleset,
        "bots": [bot.slug for bot in bots],
        "names": [bot.name for bot in bots],
        "url": email_link_to("api-matches:detail", match.pk),
        "page": email_link_to("matches:detail", match.pk),
    }
    return Event(FINISHED, _owners(match, {bot.owner_id for bot in bots}), data)


def _fault(match: Match, seat: Seat) -> Event:
    bot = seat.version.bot
    data = {
        "match": match.pk,
        "bot": bot.slug,
        "name": bot.name,
        "version": seat.version.number,
        "url": email_link_to("api-matches:detail", match.pk),
        "page": email_link_to("matches:detail", match.pk),
    }
    return Event(FAULT, _owners(match, {bot.owner_id}), data)


def _owners(match: Match, owners: set[int]) -> set[int]:
    hidden = match.audience == Audience.ORGANISER
    return visibility_recipients({owner for owner in owners if not hidden or owner == match.organiser_id}, match)


def _finished_sentence(data: Mapping[str, Any]) -> str:
    return _("A match has finished: %(bots)s.") % {"bots": " - ".join(data["names"])}


def _fault_sentence(data: Mapping[str, Any]) -> str:
    return _("%(name)s, version %(version)d, has forfeited a match by its faults.") % data
