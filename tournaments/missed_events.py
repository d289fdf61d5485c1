"""Events for what does not happen as planned, as webhooks and notices: a tournament has too few bots to start, a week
has no cup, or a tournament does not continue automatically.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID, uuid5

from django.core.cache import caches
from django.db import models, transaction
from django.utils import timezone
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
from web.errors import Refusal
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
    """Notify the organiser and the owners of the entered bots that these are too few, in the same transaction."""
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
    return zone_clock_text(datetime.fromisoformat(data[name]), data["time_zone"])


STOPPED: Final = "tournament.stopped"
EVENTS: Final = UUID("0d0f7c3e-6b1b-4d77-9b52-6a0b8a5c2a41")
DAY: Final = 86_400  # seconds


class Stop(models.TextChoices):
    """Why a tournament does not continue automatically.

    The detail of the event is the reason in words, the number of the round for ``REVIEW``, and empty for ``HELD``.
    """

    GAME = "game", gettext_lazy("paused: its game cannot be played")
    REFUSED = "refused", gettext_lazy("an automatic step was refused")
    REVIEW = "review", gettext_lazy("a round waits for approval")
    HELD = "held", gettext_lazy("matches are on hold after errors of the platform")


class StoppedDataSerializer(TournamentDataSerializer):
    """A tournament that does not continue automatically, and why."""

    stopped_because = serializers.ChoiceField(choices=Stop.choices)
    detail = serializers.CharField(
        allow_blank=True, help_text="The reason in words; for `review` the number of the round, for `held` empty."
    )


def tournament_stop_events_register() -> None:
    """Register the event kind for tournaments that do not continue automatically."""
    label = gettext_lazy("a tournament I run has stopped and waits for me")
    hook_kind_register(
        STOPPED, label, StoppedDataSerializer, _sentence, email=EmailRate.NOW, section=KindSection.ORGANISING
    )


def tournament_stop_event_publish(tournament: Tournament, why: Stop, detail: str, code: str = "") -> None:
    """Notify the organiser that the tournament does not continue automatically, in the same transaction.

    Nobody is notified twice a day of the same reason, however often this is called. Reasons with the same ``code`` are
    the same, even if numbers in the ``detail`` change. Without a ``code``, the ``detail`` is compared.
    """
    today = timezone.now().date().isoformat()
    data = tournament_event_data(tournament) | {"stopped_because": why.value, "detail": detail}
    event_id = uuid5(EVENTS, f"{tournament.pk} {why} {code or detail} {today}")
    notice_events_publish(events=[Event(STOPPED, {tournament.organiser_id}, data, event_id)])


def tournament_refusal_event_publish(tournament: Tournament, error: Refusal) -> None:
    """Notify the organiser that an automatic step was refused, and will be tried again."""
    tournament_stop_notify_again(tournament, Stop.REFUSED, str(error), error.code)


def tournament_stop_notify_again(tournament: Tournament, why: Stop, detail: str = "", code: str = "") -> None:
    """Notify the organiser of a reason that lasts. Each sweep may call this: the cache saves the repeated queries."""
    key = f"tournament-stopped/{tournament.pk}/{why}/{code}"
    if caches["optional"].get(key):
        return
    with transaction.atomic():
        tournament_stop_event_publish(tournament, why, detail, code)
    caches["optional"].set(key, True, DAY)


def _sentence(data: Mapping[str, Any]) -> str:
    if data["stopped_because"] == Stop.GAME:
        return _("%(name)s is paused because of its game: %(detail)s") % data
    if data["stopped_because"] == Stop.REVIEW:
        return _("%(name)s: round %(detail)s waits for your approval.") % data
    if data["stopped_because"] == Stop.HELD:
        return _("%(name)s: matches are on hold after errors of the platform. Replay them to continue.") % data
    return _("%(name)s cannot continue: %(detail)s") % data
