"""The events that what was planned did not take place, for webhooks and notices: a tournament did not start because too
few bots had entered, and a week has no cup of a league."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import serializers

from contests.audience import people_who_know
from hooks.kinds import KindSection, kind_register
from hooks.services import Event
from notices.models import EmailRate
from notices.services import events_publish
from teams.selectors import people_behind
from tournaments.hook_events import TournamentDataSerializer
from tournaments.models import Entry, NoCup, Tournament, WeeklyCup
from web.email import link_to
from web.zones import by_clock

START_MISSED: Final = "tournament.start_missed"
CUP_MISSED: Final = "league.cup_missed"


class StartMissedDataSerializer(TournamentDataSerializer):
    """A tournament that did not start: it is postponed the first time, and waits for its organiser the second."""

    times = serializers.IntegerField(help_text="How often its start was missed: 1 or 2.")
    bots = serializers.IntegerField(help_text="How many had entered.")
    least = serializers.IntegerField(help_text="How many it takes.")
    first_round_at = serializers.DateTimeField()
    time_zone = serializers.CharField(help_text="Of the tournament; an IANA name.")


class CupMissedDataSerializer(serializers.Serializer[Any]):
    """A week that has no cup of a league; `url` is the league in the API."""

    league = serializers.SlugField()
    league_name = serializers.CharField()
    cup = serializers.CharField(help_text="The name of the weekly cup.")
    missed_at = serializers.DateTimeField(help_text="When it would have started.")
    missed_because = serializers.ChoiceField(choices=NoCup.choices)
    detail = serializers.CharField(allow_blank=True, help_text="The reason in words, where there is more to say.")
    next_at = serializers.DateTimeField(help_text="When the next one starts.")
    time_zone = serializers.CharField(help_text="Of the cup; an IANA name.")
    url = serializers.CharField()
    page = serializers.CharField()


def missed_events_register() -> None:
    """Offer these kinds."""
    start = gettext_lazy("a tournament I run or entered has not started: too few bots")
    cup = gettext_lazy("a week has no cup of a league I run")
    kind_register(
        START_MISSED,
        start,
        StartMissedDataSerializer,
        _start_missed,
        email=EmailRate.NOW,
        section=KindSection.TOURNAMENTS,
    )
    kind_register(
        CUP_MISSED, cup, CupMissedDataSerializer, _cup_missed, email=EmailRate.NOW, section=KindSection.ORGANISING
    )


def start_missed_notify(tournament: Tournament) -> None:
    """Notify the organiser and the owners of the bots that are in, who are fewer than fill a table, in the transaction
    of that."""
    entered = Entry.objects.filter(tournament=tournament, is_withdrawn=False).values_list("bot__owner", flat=True)
    first = tournament.first_round_at
    data = {
        "tournament": tournament.slug,
        "name": tournament.name,
        "state": tournament.state,
        "times": tournament.starts_missed,
        "bots": tournament.entries_missed,
        "least": tournament.stage.smallest_field,
        "first_round_at": first.isoformat() if first else None,
        "time_zone": tournament.time_zone,
        "url": link_to("api-tournaments:detail", tournament.slug),
        "page": link_to("tournaments:detail", tournament.slug),
    }
    people = people_who_know(people_behind({tournament.organiser_id, *entered}), tournament)
    events_publish(events=[Event(START_MISSED, people, data)])


def cup_missed_notify(weekly: WeeklyCup, why: str) -> None:
    """Notify the organiser that a week has no cup, in the transaction of that. ``why``: the reason in words."""
    league, missed = weekly.season.league, weekly.missed_at
    assert missed is not None  # noqa: S101  set with the reason
    data = {
        "league": league.slug,
        "league_name": league.name,
        "cup": weekly.name,
        "missed_at": missed.isoformat(),
        "missed_because": weekly.missed_because,
        "detail": why,
        "next_at": weekly.next_at.isoformat(),
        "time_zone": weekly.time_zone,
        "url": link_to("api-leagues:detail", league.slug),
        "page": link_to("leagues:detail", league.slug),
    }
    events_publish(events=[Event(CUP_MISSED, {league.organiser_id}, data)])


def _start_missed(data: Mapping[str, Any]) -> str:
    if data["times"] == 1:
        sentence = ngettext(
            "%(name)s is postponed to %(when)s: %(bots)d bot has entered, and it takes %(least)d."
            " Bots may enter until then.",
            "%(name)s is postponed to %(when)s: %(bots)d bots have entered, and it takes %(least)d."
            " Bots may enter until then.",
            data["bots"],
        )
        return sentence % {**data, "when": _at(data, "first_round_at")}
    sentence = ngettext(
        "%(name)s has not started: again %(bots)d bot has entered, and it takes %(least)d. It waits for the organiser.",
        "%(name)s has not started: again %(bots)d bots have entered, and it takes %(least)d."
        " It waits for the organiser.",
        data["bots"],
    )
    return sentence % data


def _cup_missed(data: Mapping[str, Any]) -> str:
    times = {"missed": _at(data, "missed_at"), "next": _at(data, "next_at")}
    why = data["detail"] or f"{NoCup(data['missed_because']).label}."
    sentence = _("There is no %(cup)s of %(league_name)s on %(missed)s: %(why)s The next one is on %(next)s.")
    return sentence % {**data, **times, "why": why}


def _at(data: Mapping[str, Any], name: str) -> str:
    return by_clock(datetime.fromisoformat(data[name]), data["time_zone"])
