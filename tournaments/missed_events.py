"""Events for what does not take place as planned, as webhooks and notices.

Either a tournament has too few bots to start, or a week has no cup.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from rest_framework import serializers

from contests.audience import people_who_may_see_contest
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from leagues.hook_events import LeagueDataSerializer, league_event_data
from notices.models import EmailRate
from notices.services import notice_events_publish
from teams.selectors import team_people_behind
from tournaments.hook_events import TournamentDataSerializer, tournament_event_data
from tournaments.models import Entry, NoCup, Tournament, WeeklyCup
from web.zones import zone_clock_text

START_MISSED: Final = "tournament.start_missed"
CUP_MISSED: Final = "league.cup_missed"


class StartMissedDataSerializer(TournamentDataSerializer):
    """A tournament that did not start. The first time it is postponed, the second time it waits for its organiser."""

    times = serializers.IntegerField(help_text="How many starts it has missed: 1 or 2.")
    bots = serializers.IntegerField(help_text="The number of bots that had entered.")
    least = serializers.IntegerField(help_text="The number of bots that it needs.")
    first_round_at = serializers.DateTimeField()
    time_zone = serializers.CharField(help_text="The IANA name of the tournament's time zone.")


class CupMissedDataSerializer(LeagueDataSerializer):
    """A week without a cup of a league; `url` is the league in the API."""

    cup = serializers.CharField(help_text="The name of the weekly cup.")
    missed_at = serializers.DateTimeField(help_text="When it would have started.")
    missed_because = serializers.ChoiceField(choices=NoCup.choices)
    detail = serializers.CharField(allow_blank=True, help_text="The reason in words, if there is more to say.")
    next_at = serializers.DateTimeField(help_text="When the next cup starts.")
    time_zone = serializers.CharField(help_text="The IANA name of the cup's time zone.")
    url = serializers.CharField()
    page = serializers.CharField()


def tournament_missed_events_register() -> None:
    """Register the event kinds for missed starts and cups."""
    start = gettext_lazy("a tournament I run or entered has not started: too few bots")
    cup = gettext_lazy("a week has no cup of a league I run")
    hook_kind_register(
        START_MISSED,
        start,
        StartMissedDataSerializer,
        _start_missed,
        email=EmailRate.NOW,
        section=KindSection.TOURNAMENTS,
    )
    hook_kind_register(
        CUP_MISSED, cup, CupMissedDataSerializer, _cup_missed, email=EmailRate.NOW, section=KindSection.ORGANISING
    )


def tournament_start_missed_event_publish(tournament: Tournament) -> None:
    """Notify the organiser and the owners of the entered bots that too few bots have entered.

    Call it in the transaction in which the tournament misses its start.
    """
    entered = Entry.objects.filter(tournament=tournament, is_withdrawn=False).values_list("bot__owner", flat=True)
    first = tournament.first_round_at
    data = tournament_event_data(tournament) | {
        "times": tournament.starts_missed,
        "bots": tournament.entries_missed,
        "least": tournament.stage.smallest_field,
        "first_round_at": first.isoformat() if first else None,
        "time_zone": tournament.time_zone,
    }
    people = people_who_may_see_contest(team_people_behind({tournament.organiser_id, *entered}), tournament)
    notice_events_publish(events=[Event(START_MISSED, people, data)])


def cup_missed_event_publish(weekly: WeeklyCup, why: str) -> None:
    """Notify the organiser that a week has no cup, in the same transaction. ``why`` is the reason in words."""
    league, missed = weekly.season.league, weekly.missed_at
    assert missed is not None  # noqa: S101  set with the reason
    data = league_event_data(league) | {
        "cup": weekly.name,
        "missed_at": missed.isoformat(),
        "missed_because": weekly.missed_because,
        "detail": why,
        "next_at": weekly.next_at.isoformat(),
        "time_zone": weekly.time_zone,
    }
    notice_events_publish(events=[Event(CUP_MISSED, {league.organiser_id}, data)])


def _start_missed(data: Mapping[str, Any]) -> str:
    if data["times"] == 1:
        sentence = ngettext(
            "%(name)s is postponed to %(when)s: only %(bots)d bot has entered, and at least %(least)d are needed. "
            "Bots may enter until then.",
            "%(name)s is postponed to %(when)s: only %(bots)d bots have entered, and at least %(least)d are needed. "
            "Bots may enter until then.",
            data["bots"],
        )
        return sentence % {**data, "when": _at(data, "first_round_at")}
    sentence = ngettext(
        "%(name)s has not started: again only %(bots)d bot has entered, and at least %(least)d are needed. The "
        "organiser decides what happens next.",
        "%(name)s has not started: again only %(bots)d bots have entered, and at least %(least)d are needed. The "
        "organiser decides what happens next.",
        data["bots"],
    )
    return sentence % data


def _cup_missed(data: Mapping[str, Any]) -> str:
    times = {"missed": _at(data, "missed_at"), "next": _at(data, "next_at")}
    why = data["detail"] or f"{NoCup(data['missed_because']).label}."
    sentence = _("There is no %(cup)s of %(league_name)s on %(missed)s: %(why)s The next one is on %(next)s.")
    return sentence % {**data, **times, "why": why}


def _at(data: Mapping[str, Any], name: str) -> str:
    return zone_clock_text(datetime.fromisoformat(data[name]), data["time_zone"])
