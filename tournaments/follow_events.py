"""The event that a bot has come out of a tournament, for webhooks and notices of who follows the bot or its team."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from bots.selectors import bot_followers
from contests.audience import people_who_know
from hooks.kinds import KindSection, kind_register
from hooks.services import Event
from notices.following import all_followers
from notices.services import events_publish, notices_withdraw
from tournaments.hook_events import TournamentDataSerializer, people_in
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.selectors.pages.cards import podiums_of
from web.email import link_to

PLACED: Final = "bot.placed"
EVENTS: Final = UUID("4a0f5f53-6f5b-4f1c-8b54-0d2c5f9f3c11")
EVERY_RANK: Final = 1_000_000


class PlacedDataSerializer(TournamentDataSerializer):
    """A bot's place in the final ranking of a tournament; `url` is its entry in the API."""

    bot = serializers.SlugField()
    bot_name = serializers.CharField()
    place = serializers.IntegerField()
    of = serializers.IntegerField(help_text="How many bots are ranked.")


def follow_events_register() -> None:
    """Offer this kind."""
    label = gettext_lazy("a bot I follow has its place in a tournament that is over")
    kind_register(PLACED, label, PlacedDataSerializer, _sentence, section=KindSection.FOLLOWING)


def placed_notify(tournament: Tournament) -> None:
    """Tell who follows a bot of its place, in the transaction in which everybody may see it first; of several bots of
    the best. Who takes part, or follows the tournament, knows by its end. Of an unlisted tournament nobody is told, for
    to follow a bot gives no link to it.
    """
    if tournament.state != TournamentState.FINISHED or tournament.is_unlisted:
        return
    ranked = podiums_of([tournament], to_rank=EVERY_RANK).get(tournament.pk, [])  # none unless everybody may see it
    followers = bot_followers([bot for _rank, bot in ranked])
    known = people_in(tournament, with_authors=True) | all_followers("tournament", tournament)
    people = people_who_know(set[int]().union(*followers.values()) - known, tournament)
    events = []
    for rank, bot in ranked:
        if told := followers[bot.pk] & people:
            people -= told
            data = {
                "tournament": tournament.slug,
                "name": tournament.name,
                "state": tournament.state,
                "bot": bot.slug,
                "bot_name": bot.name,
                "place": rank,
                "of": len(ranked),
                "url": link_to("api-tournaments:entry", tournament.slug, bot.slug),
                "page": link_to("tournaments:detail", tournament.slug),
            }
            events.append(Event(PLACED, told, data, _event_id(tournament)))
    events_publish(events=events)


def places_withdraw(tournament: Tournament) -> None:
    """Delete these notices, because the results of the tournament are hidden again."""
    if tournament.finished_at is not None:
        notices_withdraw(event=_event_id(tournament), since=tournament.finished_at)


def published_notify(tournament: Tournament) -> None:
    """Tell of the places, or take that back, once it was changed who sees the results."""
    if tournament.publication == Publication.EVERYONE:
        placed_notify(tournament)
    else:
        places_withdraw(tournament)


def _event_id(tournament: Tournament) -> UUID:
    return uuid5(EVENTS, str(tournament.pk))


def _sentence(data: Mapping[str, Any]) -> str:
    return _("%(bot_name)s has finished %(name)s: place %(place)d of %(of)d.") % data
