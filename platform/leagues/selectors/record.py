"""A bot's record in a season: against each opponent, and from each place at the table."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

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


class RecordOpponent(NamedTuple):
    """A bot that was met."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class BotRecord:
    """``opponents`` by name; ``seats`` by position at the table, 0 moving first. ``drawn``: whom it was drawn to meet,
    by name, played or not."""

    opponents: list[tuple[RecordOpponent, OpponentTally]]
    seats: list[tuple[int, OpponentTally]]
    drawn: list[RecordOpponent]


class _RecordSeat(NamedTuple):
    match: int
    state: str
    seat: int
    places: Sequence[int]
    slug: str
    name: str


@dataclass(slots=True)
class _Tallies:
    opponents: defaultdict[RecordOpponent, OpponentTally] = field(default_factory=lambda: defaultdict(OpponentTally))
    seats: defaultdict[int, OpponentTally] = field(default_factory=lambda: defaultdict(OpponentTally))

    def add(self, own: _RecordSeat, table: Sequence[_RecordSeat]) -> None:
        for other in table:
            if other is own:
                continue
            tally = self.opponents[RecordOpponent(other.slug, other.name)]
            for game, (mine, theirs) in enumerate(zip(own.places, other.places, strict=True)):
                tally.add(mine, theirs)
                self.seats[(own.seat - game) % len(table)].add(mine, theirs)  # see matches.models.Game


def record_of(season: Season, bot: Bot) -> BotRecord:
    """Return it over all versions of the bot, from the finished matches; one query."""
    seats = MatchSeat.objects.filter(match__in=matches_of(season, bot).order_by().values("match"))
    fields = ("match", "match__state", "index", "places", "version__bot__slug", "version__bot__name")
    rows = (_RecordSeat(*row) for row in seats.order_by("match", "index").values_list(*fields))
    tallies, drawn = _Tallies(), set[RecordOpponent]()
    for _, group in groupby(rows, key=attrgetter("match")):
        table = list(group)
        [own] = [seat for seat in table if seat.slug == bot.slug]
        drawn |= {RecordOpponent(seat.slug, seat.name) for seat in table if seat is not own}
        if own.state == MatchState.FINISHED:
            tallies.add(own, table)
    return BotRecord(
        sorted(tallies.opponents.items(), key=lambda item: _by_name(item[0])),
        sorted(tallies.seats.items()),
        sorted(drawn, key=_by_name),
    )


def _by_name(opponent: RecordOpponent) -> tuple[str, str]:
    return opponent.name.casefold(), opponent.slug


def matches_of(season: Season, bot: Bot, *, version: int | None = None, opponent: str = "") -> QuerySet[LeagueMatch]:
    """Return the bot's matches of the season that were not called off, the newest first."""
    own = MatchSeat.objects.filter(version__bot=bot)
    if version is not None:
        own = own.filter(version__number=version)
    found = LeagueMatch.objects.filter(Q(season=season), match__in=own.values("match"))
    if opponent:
        found = found.filter(match__in=MatchSeat.objects.filter(version__bot__slug=opponent).values("match"))
    return found.exclude(match__state=MatchState.CANCELLED).select_related("match").order_by("-number")
