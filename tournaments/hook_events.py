"""Events of tournaments, as webhooks and notices.

They are for the organiser, the arbiters, the authors of the bots, members of the group, and followers. One event tells
the organiser that a tournament does not continue automatically.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.core.cache import caches
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from contests.audience import audience_group_data, audience_members_of, people_who_may_see_contest
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.following import all_followers
from notices.models import EmailRate
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from teams.selectors import team_people_behind, team_people_by_account
from tournaments.models import Entry, Publication, Tournament, TournamentState
from web.email import email_link_to
from web.errors import Refusal

STARTED: Final = "tournament.started"
ROUND: Final = "tournament.round"
RULING: Final = "tournament.ruling"
FINISHED: Final = "tournament.finished"
ENTRIES_OPEN: Final = "tournament.entries_open"
ENTRIES_CLOSE: Final = "tournament.entries_close"
STOPPED: Final = "tournament.stopped"
EVENTS: Final = UUID("b1a0a3d3-2f4e-4f6b-9a1f-53d8f7a4f0c2")
STOP_EVENTS: Final = UUID("0d0f7c3e-6b1b-4d77-9b52-6a0b8a5c2a41")
DAY: Final = 86_400  # seconds


class TournamentDataSerializer(serializers.Serializer[Any]):
    """A tournament and its current state."""

    tournament = serializers.SlugField()
    group = serializers.SlugField(
        required=False, help_text="The group whose tournament it is; left out if there is none."
    )
    name = serializers.CharField()
    state = serializers.ChoiceField(choices=TournamentState.choices)
    url = serializers.CharField(help_text="The tournament in the API.")
    page = serializers.CharField()


class EndDataSerializer(TournamentDataSerializer):
    """A tournament that has finished or was cancelled."""

    cancelled_reason = serializers.CharField(
        required=False,
        allow_blank=True,
        help_text="Why it was cancelled; empty if no reason was given, or if it has finished.",
    )


class RoundDataSerializer(TournamentDataSerializer):
    """A published round of a tournament; `url` is the round in the API."""

    round = serializers.IntegerField()


class PlaceMovedSerializer(serializers.Serializer[Any]):
    """The place of a bot before and after a ruling."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()


class RulingDataSerializer(TournamentDataSerializer):
    """A ruling; `url` is the log of rulings in the API."""

    ruling = serializers.IntegerField(help_text="Its number in the log.")
    places = PlaceMovedSerializer(
        many=True,
        required=False,
        help_text="Your bots whose place it changes; left out if there are none, or if you may not see the standings.",
    )


class EntriesDataSerializer(TournamentDataSerializer):
    """A tournament that takes entries."""

    entries_close_at = serializers.DateTimeField(allow_null=True)


def tournament_events_register() -> None:
    """Register the event kinds for everybody who takes part."""
    opened = gettext_lazy("a tournament of a group of mine, or of a series that I follow, takes entries")
    closing = gettext_lazy(
        "entries of a tournament of a group of mine, or that I follow, close in 24 hours and I have not entered"
    )
    started = gettext_lazy("a tournament I run, entered or follow has started")
    published = gettext_lazy("a round has been published in a tournament I run or entered")
    ruled = gettext_lazy("there is a ruling in a tournament I run or entered")
    finished = gettext_lazy("a tournament I run, entered or follow has finished or been cancelled")
    hook_kind_register(ENTRIES_OPEN, opened, EntriesDataSerializer, _entries_open, section=KindSection.TOURNAMENTS)
    hook_kind_register(ENTRIES_CLOSE, closing, EntriesDataSerializer, _entries_close, section=KindSection.TOURNAMENTS)
    hook_kind_register(STARTED, started, TournamentDataSerializer, _sentence, section=KindSection.TOURNAMENTS)
    hook_kind_register(ROUND, published, RoundDataSerializer, _sentence, section=KindSection.TOURNAMENTS)
    hook_kind_register(RULING, ruled, RulingDataSerializer, _ruling_sentence, section=KindSection.TOURNAMENTS)
    hook_kind_register(FINISHED, finished, EndDataSerializer, _sentence, section=KindSection.TOURNAMENTS)


def tournament_state_event_publish(tournament_id: int, kind: str) -> None:
    """Notify everybody who takes part or follows the tournament of its start or end, in the same transaction."""
    if not has_notice_readers(kind):
        return
    tournament = Tournament.objects.get(pk=tournament_id)
    people = tournament_event_people(tournament, with_authors=True) | _followers(tournament)
    _notify(kind, tournament, people, {"cancelled_reason": tournament.cancelled_reason} if kind == FINISHED else {})


def tournament_entries_event_publish(tournament: Tournament, kind: str) -> bool:
    """Notify people that entries open or will close. Return whether there is anybody to notify.

    They are the members of the tournament's group, and the followers of the tournament or its series. The organiser and
    people who have entered are left out. For the same closing time, nobody is notified twice, however often this is
    called.
    """
    people = set() if tournament.is_open else set(audience_members_of(tournament).values_list("person", flat=True))
    people |= _followers(tournament)
    closes = tournament.entries_close_at
    if people := people - {tournament.organiser_id}:
        entered = Entry.objects.filter(tournament=tournament, is_withdrawn=False)
        people -= team_people_behind(set(entered.values_list("bot__owner", flat=True)))
    data = tournament_event_data(tournament) | {"entries_close_at": closes.isoformat() if closes else None}
    event_id = uuid5(EVENTS, f"{kind} {tournament.pk} {closes if kind == ENTRIES_CLOSE else ''}")
    notice_events_publish(events=[Event(kind, people, data, event_id)])
    return bool(people)


def tournament_rounds_event_publish(tournament_id: int, numbers: Iterable[int]) -> None:
    """Notify people who take part of published rounds, in the same transaction.

    Authors are notified only if they may see the rounds.
    """
    if not has_notice_readers(ROUND):
        return
    tournament = Tournament.objects.get(pk=tournament_id)
    data = [
        {"round": number, "url": email_link_to("api-tournaments:round", tournament.slug, number)} for number in numbers
    ]
    people = tournament_event_people(tournament, with_authors=tournament.publication != Publication.HIDDEN)
    _notify(ROUND, tournament, people, *data)


def tournament_ruling_event_publish(tournament_id: int, number: int, moved: Mapping[int, tuple[int, int]]) -> None:
    """Notify people who take part of a ruling, in the same transaction. Authors must be allowed to read the log.

    For each entry whose place changes, ``moved`` has the place before and the place after the ruling. Only the author
    of a bot learns its places.
    """
    if not has_notice_readers(RULING):
        return
    tournament = Tournament.objects.get(pk=tournament_id)
    url = email_link_to("api-tournaments:rulings", tournament.slug)
    is_shown = tournament.publication != Publication.HIDDEN
    people = tournament_event_people(tournament, with_authors=is_shown)
    entries = Entry.objects.filter(pk__in=moved if is_shown else (), bot__is_house=False).select_related("bot")
    behind = team_people_by_account({entry.bot.owner_id for entry in entries})
    places: dict[int, dict[str, Any]] = {}
    own: dict[int, tuple[int, ...]] = dict.fromkeys(people, ())
    for entry in entries.order_by("pk"):
        before, after = moved[entry.pk]
        places[entry.pk] = {"bot": entry.bot.slug, "bot_name": entry.bot.name, "before": before, "after": after}
        for person in behind[entry.bot.owner_id] & people:
            own[person] += (entry.pk,)
    for moved_entries in dict.fromkeys(own.values()):
        to = {person for person in people if own[person] == moved_entries}
        data = {"ruling": number, "url": url} | (
            {"places": [places[entry] for entry in moved_entries]} if moved_entries else {}
        )
        _notify(RULING, tournament, to, data)


def tournament_event_people(tournament: Tournament, *, with_authors: bool) -> set[int]:
    """Return the ids of the organiser and the arbiters. With ``with_authors``, add the authors of the bots.

    People who may not see the tournament are left out.
    """
    people = {tournament.organiser_id, *tournament.arbiters.values_list("pk", flat=True)}
    if with_authors:
        people.update(Entry.objects.filter(tournament=tournament).values_list("bot__owner", flat=True))
    return people_who_may_see_contest(team_people_behind(people), tournament)


def _followers(tournament: Tournament) -> set[int]:
    return people_who_may_see_contest(all_followers("tournament", tournament), tournament)


def _notify(kind: str, tournament: Tournament, people: set[int], *data: dict[str, Any]) -> None:
    common = tournament_event_data(tournament)
    notice_events_publish(events=[Event(kind, people, common | one) for one in data])


def tournament_event_data(tournament: Tournament) -> dict[str, Any]:
    """Return the data of every event of a tournament, see ``TournamentDataSerializer``."""
    return {
        "tournament": tournament.slug,
        **audience_group_data(tournament),
        "name": tournament.name,
        "state": tournament.state,
        "url": email_link_to("api-tournaments:detail", tournament.slug),
        "page": email_link_to("tournaments:detail", tournament.slug),
    }


def _ruling_sentence(data: Mapping[str, Any]) -> str:
    moved = _("%(bot_name)s moves from place %(before)d to place %(after)d.")
    sentence = _("%(name)s: there is a ruling, number %(ruling)d.") % data
    return " ".join([sentence, *(moved % one for one in data.get("places", ()))])


def _sentence(data: Mapping[str, Any]) -> str:
    """Return the sentence for a round, or the state of the tournament."""
    if "round" in data:
        return _("%(name)s: round %(round)d is published.") % data
    if data["state"] == TournamentState.CANCELLED:
        if data.get("cancelled_reason"):
            return _("%(name)s was cancelled: %(cancelled_reason)s") % data
        return _("%(name)s was cancelled.") % data
    if data["state"] == TournamentState.FINISHED:
        return _("%(name)s has finished.") % data
    return _("%(name)s has started.") % data


def _entries_open(data: Mapping[str, Any]) -> str:
    return _("%(name)s takes entries.") % data


def _entries_close(data: Mapping[str, Any]) -> str:
    return _("Entries of %(name)s close within a day, and you have not entered.") % data


class Stop(models.TextChoices):
    """Why a tournament does not continue automatically.

    The event has a detail: the number of the round for ``REVIEW``, "" for ``HELD``, and otherwise the reason in words.
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
        STOPPED, label, StoppedDataSerializer, _stop_sentence, email=EmailRate.NOW, section=KindSection.ORGANISING
    )


def tournament_stop_event_publish(tournament: Tournament, why: Stop, detail: str, code: str = "") -> None:
    """Notify the organiser that the tournament does not continue automatically, in the same transaction.

    Nobody is notified of the same reason twice on a day, however often this is called. Reasons with the same ``code``
    count as the same, even if their ``detail`` has other numbers. Without a ``code``, the ``detail`` is compared.
    """
    today = timezone.now().date().isoformat()
    data = tournament_event_data(tournament) | {"stopped_because": why.value, "detail": detail}
    event_id = uuid5(STOP_EVENTS, f"{tournament.pk} {why} {code or detail} {today}")
    notice_events_publish(events=[Event(STOPPED, {tournament.organiser_id}, data, event_id)])


def tournament_refusal_event_publish(tournament: Tournament, error: Refusal) -> None:
    """Notify the organiser that an automatic step was refused, and will be tried again."""
    tournament_stop_notify_again(tournament, Stop.REFUSED, str(error), error.code)


def tournament_stop_notify_again(tournament: Tournament, why: Stop, detail: str = "", code: str = "") -> None:
    """Notify the organiser of a reason that lasts. Each sweep may call this, because a cache saves the queries."""
    key = f"tournament-stopped/{tournament.pk}/{why}/{code}"
    if caches["optional"].get(key):
        return
    with transaction.atomic():
        tournament_stop_event_publish(tournament, why, detail, code)
    caches["optional"].set(key, True, DAY)


def _stop_sentence(data: Mapping[str, Any]) -> str:
    if data["stopped_because"] == Stop.GAME:
        return _("%(name)s is paused because of its game: %(detail)s") % data
    if data["stopped_because"] == Stop.REVIEW:
        return _("%(name)s: round %(detail)s waits for your approval.") % data
    if data["stopped_because"] == Stop.HELD:
        return _("%(name)s: matches are on hold after errors of the platform. Replay them to continue.") % data
    return _("%(name)s cannot continue: %(detail)s") % data
