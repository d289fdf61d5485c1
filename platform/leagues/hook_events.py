"""Events of leagues, for webhooks and notices.

Owners learn that their bot is benched, overtaken on the ladder, promoted or relegated. Organisers learn that their
league is paused. Followers learn that a season has begun or ended, or that a bot plays with a new version.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from bots.selectors import bot_followers_of
from contests.audience import audience_group_data, people_who_may_see_contest
from hooks.kinds import KindSection, hook_kind_register
from hooks.services import Event
from leagues.models import League, Rating, Season, SeasonEntry, SeasonState
from notices.following import all_followers
from notices.models import EmailRate
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from teams.selectors import team_people_behind
from web.email import email_link_to

BENCHED: Final = "bot.benched"
OVERTAKEN: Final = "league.overtaken"
PAUSED: Final = "league.paused"
MOVED: Final = "league.moved"
EVENTS: Final = UUID("5d1c37d4-3d0f-4a70-8f64-8f0e6f1f6a0e")


class LeagueDataSerializer(serializers.Serializer[Any]):
    """A league."""

    league = serializers.SlugField()
    group = serializers.SlugField(required=False, help_text="Of whose members it is; only where it is a group's.")
    league_name = serializers.CharField()
    url = serializers.CharField()
    page = serializers.CharField()


class BotInLeagueDataSerializer(LeagueDataSerializer):
    """A bot in a league; `url` is its membership in the API."""

    bot = serializers.SlugField()
    name = serializers.CharField(help_text="The name of the bot.")
    version = serializers.IntegerField()


class OvertakenDataSerializer(BotInLeagueDataSerializer):
    """The same, and which bot is above it now that was below."""

    by = serializers.SlugField()
    by_name = serializers.CharField()


class MovedDataSerializer(BotInLeagueDataSerializer):
    """The same, and the division that it plays in now and the one it came from; 1 is the strongest."""

    season = serializers.IntegerField(help_text="The season that has begun.")
    division = serializers.IntegerField()
    division_before = serializers.IntegerField()


class PausedDataSerializer(LeagueDataSerializer):
    """A league that is paused because of its game; `url` is the league in the API."""

    detail = serializers.CharField(help_text="Why, in words.")


def league_events_register() -> None:
    """Register the event kinds for owners and organisers."""
    benched = gettext_lazy("one of my bots is benched in a league")
    overtaken = gettext_lazy("one of my bots is overtaken in a league (once a day at most)")
    hook_kind_register(
        BENCHED, benched, BotInLeagueDataSerializer, _benched, email=EmailRate.NOW, section=KindSection.LEAGUES
    )
    paused = gettext_lazy("a league I run is paused because of its game")
    hook_kind_register(
        PAUSED, paused, PausedDataSerializer, _paused, email=EmailRate.NOW, section=KindSection.ORGANISING
    )
    moved = gettext_lazy("one of my bots is promoted or relegated in a league")
    hook_kind_register(MOVED, moved, MovedDataSerializer, _moved, section=KindSection.LEAGUES)
    hook_kind_register(
        OVERTAKEN, overtaken, OvertakenDataSerializer, _overtaken, is_quiet=True, section=KindSection.LEAGUES
    )


def league_paused_event_publish(league: League, because: str) -> None:
    """Notify the organiser that the site paused the league because of its game, at most once a day for each reason.

    Call it in the transaction that pauses the league.
    """
    data = league_event_data(league) | {"detail": because}
    event_id = uuid5(EVENTS, f"{PAUSED} {league.pk} {because} {timezone.now().date().isoformat()}")
    notice_events_publish(events=[Event(PAUSED, {league.organiser_id}, data, event_id)])


def league_benched_event_publish(entry: SeasonEntry) -> None:
    """Notify the owner of a benched bot. Call it in the transaction that benches it."""
    league = entry.season.league
    notice_events_publish(events=[Event(BENCHED, _owners(league, entry), league_bot_event_data(league, entry))])


def division_moves_event_publish(season: Season) -> None:
    """Notify the owners of bots that begin the season in another division.

    Call it in the transaction that begins the season.
    """
    entries = SeasonEntry.objects.filter(season=season).select_related("version__bot", "season__league__group")
    moved = entries.exclude(division_before=None).exclude(division=F("division_before"))
    events = []
    for entry in moved.order_by("pk"):
        league = entry.season.league
        data = league_bot_event_data(league, entry) | {"season": season.number}
        data |= {"division": entry.division, "division_before": entry.division_before}
        event_id = uuid5(EVENTS, f"{MOVED} {season.pk} {entry.version.bot_id}")
        events.append(Event(MOVED, _owners(league, entry), data, event_id))
    notice_events_publish(events=events)


def ladder_overtaken_event_publish(season: Season, before: Mapping[int, tuple[int, int]]) -> None:
    """Notify the owners of bots that were overtaken since an earlier ladder.

    ``before`` has the places on the earlier ladder, see ``ladder_event_places``. Call it in the transaction that writes
    the next ladder. An owner gets at most one such notice a day for each bot and league.
    """
    found = ladder_event_overtakings(before, ladder_event_places(season, season.refits + 1))
    if not found:
        return
    entries = SeasonEntry.objects.select_related("version__bot", "season__league__group").in_bulk(
        {one for pair in found for one in pair}
    )
    today = timezone.now().date().isoformat()
    events = []
    for over, by in found:
        entry, bot = entries[over], entries[by].version.bot
        league = entry.season.league
        data = league_bot_event_data(league, entry) | {"by": bot.slug, "by_name": bot.name}
        event_id = uuid5(EVENTS, f"{league.pk} {entry.version.bot_id} {today}")
        events.append(Event(OVERTAKEN, _owners(league, entry), data, event_id))
    notice_events_publish(events=events)


def ladder_event_places(season: Season, number: int) -> dict[int, tuple[int, int]]:
    """Return the place and the rank of each entry after refit ``number``; empty if nobody gets notices about them."""
    if not has_notice_readers(OVERTAKEN):
        return {}
    rows = Rating.objects.filter(snapshot__season=season, snapshot__number=number)
    return {entry: (place, rank) for entry, place, rank in rows.values_list("entry", "place", "rank")}


def ladder_event_overtakings(
    before: Mapping[int, tuple[int, int]], after: Mapping[int, tuple[int, int]]
) -> Iterable[tuple[int, int]]:
    """Return pairs of entries, of which the second has overtaken the first.

    The first is an entry whose rank got worse. The second is the nearest entry that was ranked below the first, and is
    now ranked above. Entries that share a rank cannot be distinguished, so they do not overtake each other when they
    change places.

    >>> list(ladder_event_overtakings({1: (1, 1), 2: (2, 2), 3: (3, 3)}, {2: (1, 1), 1: (2, 2), 3: (3, 2)}))
    [(1, 2)]
    """
    order = sorted((one for one in after if one in before), key=lambda one: after[one])
    found = []
    for index, one in enumerate(order):
        if after[one][1] <= before[one][1]:
            continue
        above = (by for by in reversed(order[:index]) if before[by] > before[one] and after[by][1] < after[one][1])
        if (by := next(above, None)) is not None:
            found.append((one, by))
    return found


def _owners(league: League, entry: SeasonEntry) -> set[int]:
    return people_who_may_see_contest(team_people_behind({entry.version.bot.owner_id}), league)


def league_event_data(league: League) -> dict[str, Any]:
    """Return the data of every event of a league, see ``LeagueDataSerializer``."""
    return {
        "league": league.slug,
        **audience_group_data(league),
        "league_name": league.name,
        "url": email_link_to("api-leagues:detail", league.slug),
        "page": email_link_to("leagues:detail", league.slug),
    }


def league_bot_event_data(league: League, entry: SeasonEntry) -> dict[str, Any]:
    """Return the data of events of a bot in a league, see ``BotInLeagueDataSerializer``."""
    bot = entry.version.bot
    return league_event_data(league) | {
        "bot": bot.slug,
        "name": bot.name,
        "version": entry.version.number,
        "url": email_link_to("api-leagues:member", league.slug, bot.slug),
        "page": email_link_to("leagues:bot", league.slug, bot.slug),
    }


def _paused(data: Mapping[str, Any]) -> str:
    return _("%(league_name)s is paused because of its game: %(detail)s") % data


def _benched(data: Mapping[str, Any]) -> str:
    return (
        _(
            "%(name)s, version %(version)d, is benched in %(league_name)s: it forfeits too many matches by its faults."
            " It plays again as soon as another version is current."
        )
        % data
    )


def _moved(data: Mapping[str, Any]) -> str:
    if data["division"] < data["division_before"]:
        return _("%(name)s is promoted to division %(division)s of %(league_name)s.") % data
    return _("%(name)s is relegated to division %(division)s of %(league_name)s.") % data


def _overtaken(data: Mapping[str, Any]) -> str:
    return _("%(by_name)s has overtaken %(name)s in %(league_name)s.") % data


SEASON: Final = "league.season"
VERSION: Final = "bot.version"
FOLLOW_EVENTS: Final = UUID("c7f0a6b2-4c0f-4a8e-9d2b-6a3f0c9d7e15")


class SeasonDataSerializer(LeagueDataSerializer):
    """A season of a league, and the state it is in now; `url` is the league in the API."""

    season = serializers.IntegerField()
    state = serializers.ChoiceField(choices=SeasonState.choices)


def league_follow_events_register() -> None:
    """Register the event kinds for followers."""
    season = gettext_lazy("a season of a league I follow has begun or ended")
    hook_kind_register(SEASON, season, SeasonDataSerializer, _season, section=KindSection.FOLLOWING)
    version = gettext_lazy("a bot I follow plays with a new version in a league")
    hook_kind_register(VERSION, version, BotInLeagueDataSerializer, _version, section=KindSection.FOLLOWING)


def season_event_publish(league: League, season: Season, state: SeasonState) -> None:
    """Notify the followers of a league that a season has begun or ended. Call it in the transaction of the change."""
    people = people_who_may_see_contest(all_followers("league", league), league)
    data = league_event_data(league) | {
        "season": season.number,
        "state": state.value,
        "page": email_link_to("leagues:season", league.slug, season.number),
    }
    if people:
        notice_events_publish(events=[Event(SEASON, people, data, uuid5(FOLLOW_EVENTS, f"season {season.pk} {state}"))])


def league_version_event_publish(entry: SeasonEntry) -> None:
    """Notify the followers of a bot that a new version of it plays.

    They are notified once for each version, even if it plays in several leagues. Call it in the transaction that enters
    the version. Nobody is notified for an unlisted league, because followers of a bot need not know its address.
    """
    league, bot = entry.season.league, entry.version.bot
    if league.is_unlisted:
        return
    followers = bot_followers_of([bot])[bot.pk]
    if followers and (people := people_who_may_see_contest(followers - team_people_behind({bot.owner_id}), league)):
        data = league_bot_event_data(league, entry)
        notice_events_publish(
            events=[Event(VERSION, people, data, uuid5(FOLLOW_EVENTS, f"version {entry.version_id}"))]
        )


def _season(data: Mapping[str, Any]) -> str:
    if data["state"] == SeasonState.RUNNING:
        return _("%(league_name)s: season %(season)d has begun.") % data
    return _("%(league_name)s: season %(season)d is over.") % data


def _version(data: Mapping[str, Any]) -> str:
    return _("%(name)s plays with its new version %(version)d in %(league_name)s.") % data
