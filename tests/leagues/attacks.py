"""Attacks on a ladder, carried out on the services: only the outcomes of games are drawn instead of played."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from bots.models import Bot, BotVersion
from bots.services import version_make_current
from leagues import services
from leagues.models import League, Rating, Season
from matches.models import Seat
from ratings.scale import PER_LOGIT, Z_95
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import member_of, open_league, play, season_of, worker_up

REFIT_EVERY: Final = 10  # matches
SPREAD: Final = 0.7  # logits by which honest bots differ


@dataclass
class Arena:
    """A season with honest bots; ``truth``: the strength of each bot in logits, those of attackers too."""

    league: League
    rng: random.Random
    truth: dict[int, float]
    servants: Mapping[int, int] = field(default_factory=lambda: MappingProxyType({}))
    matches: int = 0

    @property
    def season(self) -> Season:
        return season_of(self.league)

    def joins(self, truth: float) -> Bot:
        """Another bot, of another author."""
        bot = member_of(self.league).bot
        self.truth[bot.pk] = truth
        return bot

    def goes_on(self, matches: int) -> None:
        """So many matches more, chosen one or two at a time, with a refit now and then."""
        aim = self.matches + matches
        while self.matches < aim:
            if not services.season_schedule(season_id=self.season.pk):
                services.season_refit(season_id=self.season.pk)
                if not services.season_schedule(season_id=self.season.pk):
                    return  # the league rests
            played = len(play(self.season, self.truth, self.rng, servants=self.servants))
            if self.matches // REFIT_EVERY != (self.matches + played) // REFIT_EVERY:
                services.season_refit(season_id=self.season.pk)
            self.matches += played

    def uploads(self, bot: Bot) -> BotVersion:
        """The same program once more, with another comment in it, accepted at once."""
        version: BotVersion = BotVersionFactory(bot=bot, number=bot.versions.count() + 1)
        services.season_entries_sync(season_id=self.season.pk)
        return version

    def goes_back(self, version: BotVersion) -> None:
        """Its author makes an older version current."""
        assert version_make_current(version=version)
        services.season_entries_sync(season_id=self.season.pk)

    def gain(self, bot: Bot) -> float:
        """The points by which a bot stands above the truth on the ladder, both counted from the mean of the rest of the
        field. Where it stands by the lower end of its interval, that counts."""
        return self.shown(bot) - PER_LOGIT * self._above(self.truth, bot)

    def shown(self, bot: Bot) -> float:
        """By what the ladder orders a bot, in points above the mean rating of the honest others."""
        services.season_refit(season_id=self.season.pk)
        rows = Rating.objects.filter(snapshot__season=self.season, snapshot__number=self.season.refits)
        rated = dict(rows.values_list("entry__version__bot", "mean"))
        own = rows.get(entry__version__bot=bot)
        return PER_LOGIT * (self._above(rated, bot) - (Z_95 * own.se if own.is_provisional else 0))

    def _above(self, strengths: Mapping[int, float], bot: Bot) -> float:
        others = [strengths[one] for one in strengths if one != bot.pk and one not in self.servants]
        return strengths[bot.pk] - sum(others) / len(others)

    def share(self, bot: Bot, since: int = 0) -> float:
        """The seats of the bot as a multiple of the fair share, in the matches after number ``since``."""
        seats = Seat.objects.filter(match__league_match__number__gt=since, match__state="finished")
        members = self.league.memberships.count()
        return seats.filter(version__bot=bot).count() * members / seats.count()


def arena_of(honest: int, seed: int, **fields: object) -> Arena:
    """With the same luck for the same ``seed``."""
    league = open_league(bots=honest, **{"blocks": 2, **fields})
    Season.objects.filter(league=league).update(secret=bytes([seed % 256]) * 32)
    rng = random.Random(seed)
    worker_up()
    truth = {member.bot_id: rng.gauss(0, SPREAD) for member in league.memberships.order_by("pk")}
    return Arena(league, rng, truth)


def uploads_all_day(arena: Arena, *, every: int, matches: int) -> float:
    """An author uploads a version every so many matches; the multiple of the fair share of seats that this gets."""
    bot = arena.joins(0.0)
    arena.goes_on(3 * arena.league.memberships.count())
    begin = arena.season.scheduled
    for _ in range(matches // every):
        arena.uploads(bot)
        arena.goes_on(every)
    return arena.share(bot, since=begin)


def takes_the_luckiest(arena: Arena, *, versions: int, each: int, after: int) -> float:
    """One program is uploaded so many times, each version plays until it has ``each`` matches; then the one with the
    best rating is made current, and ``after`` matches more are played in the league. The points gained."""
    bot = arena.joins(0.0)
    best: dict[int, float] = {}
    version = bot.current
    assert version is not None
    arena.goes_on(3 * arena.league.memberships.count())
    for number in range(versions):
        version = arena.uploads(bot) if number else version
        for _ in range(40 * each):
            if Seat.objects.filter(version=version, match__state="finished").count() >= each:
                break
            arena.goes_on(2)
        services.season_refit(season_id=arena.season.pk)
        best[version.pk] = Rating.objects.filter(entry__version=version).order_by("-pk")[0].mean
    luckiest = BotVersion.objects.get(pk=max(best, key=lambda one: best[one]))
    arena.goes_back(luckiest)
    arena.goes_on(after)
    return arena.gain(bot)


def is_served(arena: Arena, *, servants: int, matches: int) -> tuple[float, Bot]:
    """Clones of a bot under second accounts lose to it on purpose; the points gained, and the bot."""
    bot = arena.joins(0.0)
    clones = [arena.joins(0.0) for _ in range(servants)]
    arena.servants = {clone.pk: bot.pk for clone in clones}
    arena.goes_on(matches)
    return arena.gain(bot), bot


def arrives(arena: Arena, *, before: int, matches: int) -> list[int]:
    """The opponents, in order, of the first matches of a bot that joins a league after ``before`` matches."""
    arena.goes_on(before)
    bot = arena.joins(0.0)
    while Seat.objects.filter(version__bot=bot).count() < matches:
        arena.goes_on(2)
    own = Seat.objects.filter(version__bot=bot).values("match")
    opponents = Seat.objects.filter(match__in=own).exclude(version__bot=bot).order_by("match__league_match__number")
    return list(opponents.values_list("version__bot", flat=True))[:matches]
