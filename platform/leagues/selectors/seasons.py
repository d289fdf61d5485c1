"""Seasons for pages and services: versions of a bot, podiums, feed entries, divisions of the next one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext as _

from bots.models import Bot, BotVersion, VersionState
from bots.selectors import bot_versions_of
from contests.audience import audience_shown_beside
from leagues.divisions import DivisionsFormed, DivisionStanding, DivisionTerms, league_divisions_formed
from leagues.models import (
    STANDING,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Rating,
    Season,
    SeasonEntry,
    SeasonEntryState,
    SeasonState,
)
from leagues.selectors.ladder import LadderRow, ladder_of
from web.feeds import ENTRIES_MOST, FeedEntry, feed_podium_html


def season_entries_benched(season: Season, bot_id: int) -> QuerySet[SeasonEntry]:
    """Return the bot's versions that were benched in the season. They do not play again in it."""
    return SeasonEntry.objects.filter(season=season, membership__bot=bot_id, benched_at__isnull=False)


def season_copies_of(version: BotVersion, league: League, season: Season | None) -> QuerySet[Membership]:
    """Return other members of the same author that have the same program.

    A member has the program if any of its versions in the season, or its current version, has it. House bots are not
    compared.
    """
    bot = version.bot
    others = Membership.objects.filter(league=league, bot__owner=bot.owner_id, bot__is_house=False).exclude(bot=bot)
    if bot.is_house:
        return others.none()
    now = others.filter(_same(version, "bot__current__"), state=MembershipState.ACTIVE)
    in_season = SeasonEntry.objects.filter(_same(version, "version__"), season=season)
    return others.filter(Q(pk__in=now.values("pk")) | Q(pk__in=in_season.values("membership"))) if season else now


def _same(version: BotVersion, path: str) -> Q:
    same = Q((f"{path}sha256", version.sha256))
    return same | Q((f"{path}content_key", version.content_key)) if version.content_key else same


@dataclass(frozen=True, slots=True)
class MemberStanding:
    """The version of a bot on the ladder of a running season, for its author."""

    entry: SeasonEntry
    current: BotVersion | None

    @property
    def is_benched(self) -> bool:
        """Whether the version is benched, and stays so until its author acts."""
        return self.entry.state == SeasonEntryState.BENCHED and not self.plays_again

    @property
    def plays_again(self) -> bool:
        """Whether the version is benched, and another one is about to replace it."""
        benched = self.entry.state == SeasonEntryState.BENCHED
        return benched and self.switches and self.current is not None and self._may_play(self.current)

    @property
    def remedy(self) -> BotVersion | None:
        """The newest version that may replace a benched one, if its author makes it current."""
        accepted = bot_versions_of(self.entry.membership.bot).filter(state=VersionState.ACCEPTED)
        return next((one for one in accepted if self._may_play(one)), None) if self.switches else None

    def _may_play(self, version: BotVersion) -> bool:
        benched = season_entries_benched(self.entry.season, version.bot_id)
        return not benched.filter(version=version).exists()

    @property
    def switches(self) -> bool:
        """Whether another version may replace this one."""
        return self.entry.season.switches

    @property
    def is_copy(self) -> bool:
        """Whether the bot's current version cannot replace this one because another bot of the author is the same."""
        if self.current is None or self.current.pk == self.entry.version_id:
            return False
        return season_copies_of(self.current, self.entry.season.league, self.entry.season).exists()

    @property
    def waiting(self) -> BotVersion | None:
        """The bot's current version, if it is another one and has to wait for the next season."""
        other = self.current is not None and self.current.pk != self.entry.version_id
        return self.current if other and not self.switches else None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A member that is not in a running season, because another bot of its author plays the same program there.

    ``other`` is that other bot.
    """

    season: Season
    other: Bot


def season_copies_left_out(bot: Bot, leagues: Collection[League]) -> list[LeftOut]:
    """Return the running seasons of ``leagues`` that the bot did not enter because it is a copy of another bot.

    The bot is a member of these leagues and not on the ladder.
    """
    if bot.current is None or bot.is_house or not leagues:
        return []
    running = Season.objects.filter(state=SeasonState.RUNNING, league__in=leagues)
    without = running.exclude(season_entries__membership__bot=bot).select_related("league").order_by("pk")
    found = (
        (season, season_copies_of(bot.current, season.league, season).select_related("bot").first())
        for season in without
    )
    return [LeftOut(season, other.bot) for season, other in found if other is not None]


def season_entries_shown(bot: Bot, user: AbstractBaseUser | AnonymousUser) -> list[SeasonEntry]:
    """Return the bot's versions in running seasons and in its last season, in the order in which they were entered.

    Only leagues that ``user`` may see beside the bot are included.
    """
    own = SeasonEntry.objects.filter(audience_shown_beside(user, bot.owner_id, "season__league__"), membership__bot=bot)
    own = own.exclude(season__league__state=LeagueState.DRAFT)
    last = own.order_by("-pk")
    in_last = Q(season=last.values("season")[:1], membership=last.values("membership")[:1])
    found = own.filter(Q(season__state=SeasonState.RUNNING) | in_last).order_by("joined_at", "pk")
    return list(found.select_related("season__league", "version", "membership__bot__current"))


def season_standing_among(entries: Iterable[SeasonEntry]) -> dict[int, MemberStanding]:
    """Return those of ``season_entries_shown`` that are on the ladder of a running season, by membership."""
    return {
        one.membership_id: MemberStanding(one, one.membership.bot.current)
        for one in entries
        if one.season.state == SeasonState.RUNNING and one.state in STANDING
    }


PODIUM: Final = 3  # ranks
NAMED: Final = 20  # bots of a season; more would be too many, as on a new ladder hundreds may share the first rank


def season_podium_ratings() -> QuerySet[Rating]:
    """Return the ratings at the first ranks of the last ladder of each season.

    Only bots in the first division that have played are included.
    """
    last = Rating.objects.filter(snapshot__number=F("snapshot__season__refits"), entry__division=1)
    return last.filter(matches__gt=0, rank__lte=PODIUM)


def season_podiums(seasons: Collection[int]) -> dict[int, list[tuple[int, Bot]]]:
    """Return the ranks and bots at the first ranks, by primary key of the season. One query, or none without seasons.

    Bots that cannot be distinguished share a rank. At most the best ``NAMED`` bots are returned.
    """
    found = defaultdict[int, list[tuple[int, Bot]]](list)
    placed = season_podium_ratings().filter(place__lte=NAMED)
    ratings = placed.filter(snapshot__season__in=seasons) if seasons else Rating.objects.none()
    for one in ratings.select_related("snapshot", "entry__version__bot__owner").order_by("place"):
        found[one.snapshot.season_id].append((one.rank, one.entry.version.bot))
    return dict(found)


def season_feed_entries(leagues: Iterable[League], *, names: bool = False) -> Iterator[FeedEntry]:
    """Yield feed entries for the beginning and the end of the newest seasons of ``leagues``. Three queries.

    With ``names``, the entries include the names of the leagues, for feeds of several leagues.
    """
    of_leagues = Season.objects.filter(league__in=[one.pk for one in leagues]).select_related("league")
    seasons = list(of_leagues.order_by("-starts_at", "-pk")[:ENTRIES_MOST])
    podiums = season_podiums([one.pk for one in seasons if not one.is_running])
    for one in seasons:
        page, number = reverse("leagues:season", args=[one.league.slug, one.number]), {"number": one.number}
        of, name = (f"{one.league.name}: ", f"league-{one.league_id}-") if names else ("", "")
        title, name = of + _("Season %(number)d has begun") % number, f"{name}season-{one.number}"
        yield FeedEntry(name, title, page, one.starts_at)
        if one.finished_at is not None:
            first = feed_podium_html((rank, bot.name) for rank, bot in podiums.get(one.pk, ()))
            title = of + _("Season %(number)d has ended") % number
            yield FeedEntry(f"{name}-result", title, page, one.finished_at, html=first)


def next_season_divisions_of(league: League, last: Season, rows: Iterable[LadderRow] | None = None) -> DivisionsFormed:
    """Return the divisions of the members of ``league`` after the season ``last``.

    ``rows`` is the ladder of ``last``, if it is already read. The number of moves is the one that was announced with
    ``last``. The number and the size of divisions are the current settings of the league.
    """
    active = Membership.objects.filter(
        league=league, state=MembershipState.ACTIVE, bot__current__state=VersionState.ACCEPTED
    )
    there = dict.fromkeys(active.order_by("joined_at", "pk").values_list("pk", flat=True))
    if rows is None:
        rows = ladder_of(last, people=False).rows
    ladder = [
        DivisionStanding(row.entry.membership_id, row.entry.division, row.rank, row.is_benched)
        for row in rows
        if row.entry.membership_id in there
    ]
    known = {one.member for one in ladder}
    moves = min(last.division_moves, league.division_size // 2)
    terms = DivisionTerms(league.divisions, league.division_size, moves)
    return league_divisions_formed(ladder, [one for one in there if one not in known], terms)


def season_division_moves_of(season: Season, rows: Iterable[LadderRow]) -> dict[int, int]:
    """Return -1 for members that are promoted after ``season``, and 1 for those that are relegated.

    For a running season, this is a forecast. Members that stay in their division are left out. ``rows`` is the ladder
    of the season. Takes no query for a season without divisions.
    """
    if season.divisions == 1:
        return {}
    went: dict[int, tuple[int | None, int]] = {}
    if not season.is_running:
        later = SeasonEntry.objects.filter(season__league=season.league_id, season__number=season.number + 1)
        found = later.values_list("membership", "division_before", "division")
        went = {member: (before, now) for member, before, now in found}
    if not went and season.league.takes_bots:
        formed = next_season_divisions_of(season.league, season, rows)
        went = {member: (before, formed.division[member]) for member, before in formed.before.items()}
    moved = ((member, before, now) for member, (before, now) in went.items() if before is not None)
    return {member: (now > before) - (now < before) for member, before, now in moved if now != before}


def current_seasons(leagues: Iterable[League]) -> dict[int, Season]:
    """Return the running season, or else the last one, by league. Leagues without seasons are left out."""
    return {one.league_id: one for one in Season.objects.filter(league__in=list(leagues)).order_by("number")}


def current_season(league: League) -> Season | None:
    """Return the running season, or the last one."""
    return current_seasons([league]).get(league.pk)


def last_season_entry_of(season: Season, member: Membership) -> SeasonEntry | None:
    """Return the bot's version that is on the season's ladder, or that was there last."""
    found = SeasonEntry.objects.filter(season=season, membership=member)
    return found.order_by(Coalesce("returned_at", "joined_at").desc(), "-pk").first()
