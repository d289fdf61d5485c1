"""Honours: the bots that came first, second and third in finished tournaments and league seasons.

``honours_tournaments`` and ``honours_seasons`` alone decide which results count. An event counts if it is over, is
listed for everyone, and everyone may see its results. So pages, feeds and profiles never include results that are
sealed, hidden, unlisted or restricted to a group.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec
from django.core.cache import caches
from django.db.models import Exists, F, OuterRef, QuerySet, Value
from django.urls import reverse

from bots.models import Bot
from contests.audience import audience_public
from contests.game_settings_form import game_settings_colour, game_title
from leagues.models import LeagueState, Season, SeasonState
from leagues.selectors.seasons import season_podium_ratings, season_podiums
from tournaments.models import ChainLink, Entry, Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import tournaments_public_for_everyone
from tournaments.selectors.standings.ranking import PODIUM, FinalRank, final_ranking_of
from web.boards import Paged, RowsCounted
from web.page_cache import OVER_SECONDS, SITE
from web.topics import topic_states

OF_TOURNAMENT, OF_SEASON = "tournament", "season"
PLACES_MOST: Final = 6  # places of an event; there may be more than three, because bots share ranks
EVENTS_MOST: Final = 50  # for a bot or an author, only so many of the last events count

Key = tuple[datetime, str, int]  # when an event ended, its kind, its primary key


class PodiumPlace(NamedTuple):
    """A bot with a ``rank`` from 1 to 3. Several bots may share a rank."""

    rank: int
    bot: Bot


@dataclass(frozen=True, slots=True)
class HonouredEvent:
    """An event that is over. ``season`` is the number of the season, 0 for a tournament."""

    pk: int
    name: str
    address: str
    game: str
    ended_at: datetime
    podium: Sequence[PodiumPlace]
    season: int = 0

    @property
    def kind(self) -> str:
        return OF_SEASON if self.season else OF_TOURNAMENT

    @property
    def game_title(self) -> str:
        return game_title(self.game)

    @property
    def colour(self) -> str:
        return game_settings_colour(self.game)


@dataclass(frozen=True, slots=True)
class Trophies:
    """The trophies of bots.

    ``won`` has the rank, the bot and the event of each trophy, newest event first. ``counts`` has the number of
    trophies for each rank, best rank first.
    """

    won: Sequence[tuple[int, Bot, HonouredEvent]]

    @property
    def counts(self) -> list[tuple[int, int]]:
        return sorted(Counter(rank for rank, _bot, _event in self.won).items())


def honours_tournaments(game: str = "") -> QuerySet[Tournament]:
    """Return the tournaments whose results count; with ``game``, only those of that game."""
    links = ChainLink.objects.filter(tournament=OuterRef("pk"), kind__in=_STANDINGS_LINKS)
    found = tournaments_public_for_everyone().filter(Exists(links), state=TournamentState.FINISHED)
    return found.filter(ruleset__startswith=f"{game}/") if game else found


def honours_seasons(game: str = "") -> QuerySet[Season]:
    """Return the seasons whose ladders count; with ``game``, only those of that game."""
    found = Season.objects.filter(audience_public("league__"), state=SeasonState.FINISHED)
    found = found.exclude(league__state=LeagueState.DRAFT)
    found = found.filter(Exists(season_podium_ratings().filter(snapshot__season=OuterRef("pk"))))
    return found.filter(league__ruleset__startswith=f"{game}/") if game else found


def honours(game: str = "") -> Paged[Key, HonouredEvent]:
    """Return the events whose results count, sorted by their end, newest first. A page takes six queries."""
    keys = _keys(honours_tournaments(game), honours_seasons(game))
    return Paged(RowsCounted(keys, keys.count()), honours_of)


def honours_of(keys: Iterable[Key]) -> list[HonouredEvent]:
    """Return the events with these keys, in the order of the keys."""
    numbers = defaultdict[str, list[int]](list)
    for _at, kind, pk in (keys := list(keys)):
        numbers[kind].append(pk)
    events = {(OF_TOURNAMENT, pk): one for pk, one in _of_tournaments(numbers[OF_TOURNAMENT]).items()}
    events |= {(OF_SEASON, pk): one for pk, one in _of_seasons(numbers[OF_SEASON]).items()}
    return [events[kind, pk] for _at, kind, pk in keys if (kind, pk) in events]


def honours_trophies(bots: Collection[Bot]) -> Trophies:
    """Return the trophies that these bots have won in the last ``EVENTS_MOST`` events in which they took part.

    The trophies are cached for ``OVER_SECONDS``, or until something on the site is hidden or deleted. Takes few
    queries, and none without bots.
    """
    if not bots:
        return Trophies(())
    named, states = {one.pk: one for one in bots}, topic_states([SITE])
    if not states:
        won = _won(named)
    else:
        names = ",".join(sorted(f"{one.pk}/{one.created_at.timestamp()}" for one in bots))
        key, cache = f"trophies/2/{sha256(f'{states[SITE]}/{names}'.encode()).hexdigest()}", caches["optional"]
        won = cache.get(key)
        if won is None:
            won = _won(named)
            cache.set(key, won, OVER_SECONDS)
    return Trophies([(rank, named[bot], event) for rank, bot, event in won])


def _won(bots: Collection[int]) -> list[tuple[int, int, HonouredEvent]]:
    """Return the rank, the bot and the event of each trophy.

    The result is cached, so it must contain nothing that a bot or its author can change. Therefore the events have no
    podiums.
    """
    entered = Entry.objects.filter(tournament=OuterRef("pk"), bot__in=bots, version__isnull=False)
    placed = season_podium_ratings().filter(snapshot__season=OuterRef("pk"), entry__version__bot__in=bots)
    keys = _keys(honours_tournaments().filter(Exists(entered)), honours_seasons().filter(Exists(placed)))
    events = [(event, replace(event, podium=())) for event in honours_of(keys[:EVENTS_MOST])]
    return [(rank, bot.pk, bare) for event, bare in events for rank, bot in event.podium if bot.pk in bots]


def _keys(tournaments: QuerySet[Tournament], seasons: QuerySet[Season]) -> QuerySet:  # type: ignore[type-arg]
    ended = tournaments.order_by().annotate(at=F("finished_at"), kind=Value(OF_TOURNAMENT))
    seasoned = seasons.order_by().annotate(at=F("finished_at"), kind=Value(OF_SEASON))
    both = ended.values_list("at", "kind", "pk").union(seasoned.values_list("at", "kind", "pk"), all=True)
    return both.order_by("-at", "kind", "-pk")


def _of_tournaments(numbers: Collection[int]) -> dict[int, HonouredEvent]:
    found = list(Tournament.objects.filter(pk__in=numbers)) if numbers else []
    podiums = honours_podiums_of(found)
    return {
        one.pk: HonouredEvent(
            pk=one.pk,
            name=one.name,
            address=reverse("tournaments:detail", args=[one.slug]),
            game=one.game,
            ended_at=one.finished_at,
            podium=[PodiumPlace(*placed) for placed in podiums.get(one.pk, ())],
        )
        for one in found
        if one.finished_at is not None
    }


def _of_seasons(numbers: Collection[int]) -> dict[int, HonouredEvent]:
    if not numbers:
        return {}
    podiums = season_podiums(numbers)
    return {
        one.pk: HonouredEvent(
            pk=one.pk,
            name=one.league.name,
            address=reverse("leagues:season", args=[one.league.slug, one.number]),
            game=one.league.game,
            ended_at=one.finished_at,
            podium=[PodiumPlace(*placed) for placed in podiums.get(one.pk, ())],
            season=one.number,
        )
        for one in Season.objects.filter(pk__in=numbers).select_related("league")
        if one.finished_at is not None
    }


_STANDINGS_LINKS = ("stage_end", "standings")  # a link with the standings of one stage, or of all stages


class _ChainPlace(msgspec.Struct):
    """A row of standings in the chain. It has only the fields that a podium needs."""

    entrant: int
    rank: int
    disqualified: bool


class _ChainStandings(msgspec.Struct):
    """The content of a link in ``_STANDINGS_LINKS``: the standings of one stage, or of each stage."""

    standings: list[_ChainPlace] = []
    stages: list["_ChainStandings"] = []


def honours_podiums_of(
    tournaments: Collection[Tournament], *, to_rank: int = PODIUM
) -> dict[int, list[tuple[int, Bot]]]:
    """Return the bots at the ranks up to ``to_rank``, each with its rank, by tournament.

    The ranks are those in the chains. Only finished tournaments with public results have a podium. Takes two queries,
    however many tournaments there are.
    """
    over = [
        one.pk
        for one in tournaments
        if one.state == TournamentState.FINISHED and one.publication == Publication.EVERYONE
    ]
    ranks: dict[int, dict[int, int]] = {}
    links = ChainLink.objects.filter(tournament__in=over, kind__in=_STANDINGS_LINKS).order_by("number") if over else ()
    for link in links:
        told = msgspec.json.decode(link.content, type=_ChainStandings)
        rows = (told.stages[-1] if told.stages else told).standings
        first = [row for row in rows if row.rank <= to_rank and not row.disqualified]
        ranks[link.tournament_id] = {row.entrant: row.rank for row in first}
    entries = [entry for ranked in ranks.values() for entry in ranked]
    found = defaultdict[int, list[tuple[int, Bot]]](list)
    for entry in Entry.objects.filter(pk__in=entries).select_related("bot__owner") if entries else ():
        found[entry.tournament_id].append((ranks[entry.tournament_id][entry.pk], entry.bot))
    return {pk: sorted(placed, key=lambda one: one[0]) for pk, placed in found.items()}


def honours_podium_of(tournament: Tournament) -> list[FinalRank]:
    """Return the first three ranks of a tournament that is over, without disqualified bots."""
    ranked = final_ranking_of(tournament, to_rank=PODIUM)
    return [one for one in ranked if not one.placed.row.disqualified]
