"""Events about the progress of bots, as webhooks and notices.

Followers learn the final place of a bot. Owners learn whether their bot advances to the next round or stage, or is out.
"""

from collections.abc import Collection, Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from bots.selectors import bot_followers_of
from contests.audience import people_who_may_see_contest
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from notices.following import all_followers
from notices.services import notice_events_publish, notices_withdraw
from tournaments.entry_events import entry_owners_event_publish
from tournaments.hook_events import TournamentDataSerializer, tournament_event_data, tournament_event_people
from tournaments.models import Entry, Publication, Stage, Tournament, TournamentState
from tournaments.selectors.pages.honours import honours_podiums_of
from tournaments.selectors.rounds.stages import stage_bracket_for
from web.email import email_link_to

PLACED: Final = "bot.placed"
EVENTS: Final = UUID("4a0f5f53-6f5b-4f1c-8b54-0d2c5f9f3c11")
EVERY_RANK: Final = 1_000_000


class PlacedDataSerializer(TournamentDataSerializer):
    """A bot's place in the final ranking of a tournament; `url` is its entry in the API."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()
    place = serializers.IntegerField()
    of = serializers.IntegerField(help_text="How many bots are ranked.")


def tournament_follow_events_register() -> None:
    """Register the event kind for followers of a bot."""
    label = gettext_lazy("a bot I follow has finished a tournament")
    hook_kind_register(PLACED, label, PlacedDataSerializer, _sentence, section=KindSection.FOLLOWING)


def tournament_places_event_publish(tournament: Tournament) -> None:
    """Notify the followers of bots of the final places, in the transaction in which everybody may see them first.

    Somebody who follows several of the bots is notified of the best one. People who take part in the tournament or
    follow it are left out, because they are notified of its end. For an unlisted tournament nobody is notified, because
    following a bot does not give access to its address.
    """
    if tournament.state != TournamentState.FINISHED or tournament.is_unlisted:
        return
    ranked = honours_podiums_of([tournament], to_rank=EVERY_RANK).get(
        tournament.pk, []
    )  # empty unless everybody may see the results
    followers = bot_followers_of([bot for _rank, bot in ranked])
    known = tournament_event_people(tournament, with_authors=True) | all_followers("tournament", tournament)
    people = people_who_may_see_contest(set[int]().union(*followers.values()) - known, tournament)
    events = []
    for rank, bot in ranked:
        if told := followers[bot.pk] & people:
            people -= told
            data = tournament_event_data(tournament) | {
                "bot": bot.slug,
                "bot_name": bot.name,
                "place": rank,
                "of": len(ranked),
                "url": email_link_to("api-tournaments:entry", tournament.slug, bot.slug),
            }
            events.append(Event(PLACED, told, data, _event_id(tournament)))
    notice_events_publish(events=events)


def _places_withdraw(tournament: Tournament) -> None:
    """Delete the notices of the places, because the results are hidden again."""
    if tournament.finished_at is not None:
        notices_withdraw(event=_event_id(tournament), since=tournament.finished_at)


def tournament_published_event_publish(tournament: Tournament) -> None:
    """Publish or withdraw the notices of the places. Call it when the publication of the results changes."""
    if tournament.publication == Publication.EVERYONE:
        tournament_places_event_publish(tournament)
    else:
        _places_withdraw(tournament)


def _event_id(tournament: Tournament) -> UUID:
    return uuid5(EVENTS, str(tournament.pk))


def _sentence(data: Mapping[str, Any]) -> str:
    return _("%(bot_name)s has finished %(name)s: place %(place)d of %(of)d.") % data


ADVANCED: Final = "tournament.advanced"


class AdvancedDataSerializer(TournamentDataSerializer):
    """Whether a bot plays on in the next round of a bracket, or in the next stage; `url` is its entry in the API."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()
    is_through = serializers.BooleanField(help_text="False: it is out.")


def tournament_advance_events_register() -> None:
    """Register the event kind for owners of bots that advance or are out."""
    label = gettext_lazy("one of my bots is through to the next round or stage of a tournament, or out")
    hook_kind_register(ADVANCED, label, AdvancedDataSerializer, _advance_sentence, section=KindSection.TOURNAMENTS)


def stage_cut_event_publish(stage: Stage, going_on: Collection[int], present: Collection[int]) -> None:
    """Notify the owners of the ``present`` entries whether their bots are ``going_on`` to the next stage.

    Call it in the transaction in which the stage ends.
    """
    outcomes = {entry: entry in going_on for entry in present}
    _notify(stage, f"stage {stage.number}", outcomes)


def bracket_round_event_publish(stage: Stage, number: int, present: Collection[int], playing: Collection[int]) -> None:
    """Notify the owners of the bots that played in round ``number`` of a bracket whether their bots advance or are out.

    Call it before the next round is drawn. ``playing`` are the entries that play in the next round. If a bot has lost
    but plays for a place, its owner is not notified.
    """
    out = {one.entrant for one in stage_bracket_for(stage, present).placings if one.out is not None}
    fixtures = stage.played.get(number=number).fixtures
    played = set(fixtures.values_list("match__seats__version__bot__entries", flat=True))
    entries = Entry.objects.filter(tournament=stage.tournament_id, pk__in=played & set(present))
    told = {one: one not in out for one in entries.values_list("pk", flat=True) if one not in out & set(playing)}
    _notify(stage, f"round {number}", told)


def _notify(stage: Stage, cause: str, told: Mapping[int, bool]) -> None:
    entry_owners_event_publish(
        ADVANCED, stage.tournament, {entry: {"is_through": is_through} for entry, is_through in told.items()}, cause
    )


def _advance_sentence(data: Mapping[str, Any]) -> str:
    if data["is_through"]:
        return _("%(bot_name)s is through to the next round of %(name)s.") % data
    return _("%(bot_name)s is out of %(name)s.") % data
