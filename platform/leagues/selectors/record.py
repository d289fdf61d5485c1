"""A bot's record in a season: against each opponent, and from each place at the table."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django.db.models import Q, QuerySet

from bots.models import Bot
from leagues.models import LeagueMatch, Season
from matches.models import MatchState
from matches.models import Seat as MatchSeat


@dataclass(slots=True)
class OpponentTally:
    """Games of one bot against others, a game at a larger table counting once for each opponent."""

    won: int = 0
    level: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.level + self.lost

    @property
    def share(self) -> float:
        """The part of opponents beaten, ties half."""
        return (self.won + self.level / 2) / self.games if self.games else 0.0

    def add(self, mine: int, theirs: int) -> None:
        """Add a game in which the bot finished in place ``mine``."""
        if mine < theirs:
            self.won += 1
        elif mine == theirs:
            self.level += 1
        else:
            self.lost += 1


@dataclass(frozen=True, slots=True)
class BotRecord:
    """``opponents`` by name; ``seats`` by position at the table, 0 moving first."""

    opponents: list[tuple[Bot, OpponentTally]]
    seats: list[tuple[int, OpponentTally]]


@dataclass(slots=True)
class _Tallies:
    opponents: defaultdict[Bot, OpponentTally] = field(default_factory=lambda: defaultdict(OpponentTally))
    seats: defaultdict[int, OpponentTally] = field(default_factory=lambda: defaultdict(OpponentTally))

    def add(self, bot: Bot, table: Sequence[MatchSeat]) -> None:
        [own] = [seat for seat in table if seat.version.bot_id == bot.pk]
        for other in table:
            if other is own:
                continue
            for game, (mine, theirs) in enumerate(zip(own.places, other.places, strict=True)):
                self.opponents[other.version.bot].add(mine, theirs)
                self.seats[(own.index - game) % len(table)].add(mine, theirs)  # see matches.models.Game


def record_of(season: Season, bot: Bot) -> BotRecord:
    """Return it over all versions of the bot, from the finished matches."""
    matches = matches_of(season, bot).filter(match__state=MatchState.FINISHED)
    seats = MatchSeat.objects.filter(match__in=matches.values("match")).select_related("version__bot")
    seats = seats.order_by("match", "index")
    tallies = _Tallies()
    for _, table in groupby(seats, key=lambda seat: seat.match_id):
        tallies.add(bot, list(table))
    return BotRecord(
        sorted(tallies.opponents.items(), key=lambda item: (item[0].name.casefold(), item[0].pk)),
        sorted(tallies.seats.items()),
    )


def matches_of(season: Season, bot: Bot, *, version: int | None = None, opponent: str = "") -> QuerySet[LeagueMatch]:
    """Return the bot's matches of the season that were not called off, the newest first."""
    own = MatchSeat.objects.filter(version__bot=bot)
    if version is not None:
        own = own.filter(version__number=version)
    found = LeagueMatch.objects.filter(Q(season=season), match__in=own.values("match"))
    if opponent:
        found = found.filter(match__in=MatchSeat.objects.filter(version__bot__slug=opponent).values("match"))
    return found.exclude(match__state=MatchState.CANCELLED).select_related("match").order_by("-number")


def opponents_of(season: Season, bot: Bot) -> Iterable[tuple[str, str]]:
    """Return (slug, name) of every bot that it was drawn to meet in the season."""
    tables = MatchSeat.objects.filter(match__in=matches_of(season, bot).order_by().values("match"))
    met = Bot.objects.filter(pk__in=tables.values("version__bot")).exclude(pk=bot.pk)
    return met.order_by("name", "slug").values_list("slug", "name")
