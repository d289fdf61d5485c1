"""The events of leagues for who follows them: a season has begun or ended; and of bots: a new version plays."""

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
from leagues.hook_events import BotInLeagueDataSerializer, bot_data
from leagues.models import League, Season, SeasonEntry, SeasonState
from notices.following import all_followers
from notices.services import events_publish
from teams.selectors import people_behind
from web.email import link_to

SEASON: Final = "league.season"
VERSION: Final = "bot.version"
EVENTS: Final = UUID("c7f0a6b2-4c0f-4a8e-9d2b-6a3f0c9d7e15")


class SeasonDataSerializer(serializers.Serializer[Any]):
    """A season of a league, and the state it is in now; `url` is the league in the API."""

    league = serializers.SlugField()
    league_name = serializers.CharField()
    season = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SeasonState.choices)
    url = serializers.CharField()
    page = serializers.CharField()


def follow_events_register() -> None:
    """Offer these kinds."""
    season = gettext_lazy("a season of a league I follow has begun or ended")
    kind_register(SEASON, season, SeasonDataSerializer, _season, section=KindSection.FOLLOWING)
    version = gettext_lazy("a bot I follow plays with a new version in a league")
    kind_register(VERSION, version, BotInLeagueDataSerializer, _version, section=KindSection.FOLLOWING)


def season_notify(league: League, season: Season, state: SeasonState) -> None:
    """Tell who follows a league that a season has begun or ended, in the transaction of that."""
    people = people_who_know(all_followers("league", league), league)
    data = {
        "league": league.slug,
        "league_name": league.name,
        "season": season.number,
        "state": state.value,
        "url": link_to("api-leagues:detail", league.slug),
        "page": link_to("leagues:season", league.slug, season.number),
    }
    if people:
        events_publish(events=[Event(SEASON, people, data, uuid5(EVENTS, f"season {season.pk} {state}"))])


def version_notify(entry: SeasonEntry) -> None:
    """Tell who follows a bot that a new version of it plays, in the transaction of that; once of each version, in
    however many leagues. Of an unlisted league nobody is told, for to follow a bot gives no link to it."""
    league, bot = entry.season.league, entry.version.bot
    if league.is_unlisted:
        return
    followers = bot_followers([bot])[bot.pk]
    if followers and (people := people_who_know(followers - people_behind({bot.owner_id}), league)):
        data = bot_data(league, entry)
        events_publish(events=[Event(VERSION, people, data, uuid5(EVENTS, f"version {entry.version_id}"))])


def _season(data: Mapping[str, Any]) -> str:
    if data["state"] == SeasonState.RUNNING:
        return _("%(league_name)s: season %(season)d has begun.") % data
    return _("%(league_name)s: season %(season)d is over.") % data


def _version(data: Mapping[str, Any]) -> str:
    return _("%(name)s plays with its new version %(version)d in %(league_name)s.") % data
