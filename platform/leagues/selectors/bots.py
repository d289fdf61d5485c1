"""A bot in a season: the graph of its rating, its record against opponents, and its matches."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final, NamedTuple

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import F

from bots.models import Bot
from contests.audience import audience_listed_to, audience_shown_to
from leagues.models import (
    STANDING,
    League,
    LeagueState,
    Membership,
    MembershipState,
    Rating,
    Season,
    SeasonEntry,
    SeasonState,
)
from leagues.selectors.matches import league_bot_season_matches
from matches.models import MatchState
from matches.models import Seat as MatchSeat
from ratings import rating_displayed
from ratings.scale import PER_LOGIT, Z_95
from web.templatetags.numbers import minus

WIDTH: Final = 720
HEIGHT: Final = 260
LEFT: Final = 60  # SVG units; the space for the scale
BOTTOM: Final = 30
TOP: Final = 28
STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)  # distances between two lines of the scale, in points
LINES_MOST: Final = 6
CROWDED: Final = 30  # smallest distance of two versions' names, in SVG units


@dataclass(frozen=True, slots=True)
class Point:
    when: datetime
    points: float
    within: float
    version: int
    rank: int = 0
    rank_low: int = 0
    rank_high: int = 0
    is_provisional: bool = True


@dataclass(frozen=True, slots=True)
class RatingMark:
    """A mark of the graph: a line of the scale, or the start of a version. The label may be ""."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a rating in the units of an SVG of ``WIDTH`` by ``HEIGHT``.

    ``line`` is a polyline with the ratings. ``band`` is a polygon with the 95 % intervals. ``rival_line`` and
    ``rival_band`` are those of a second bot. The marks of ``scale`` have heights, and those of ``versions`` have
    distances from the left.

    ``points`` has a tuple for each refit: its two coordinates, its time in milliseconds since 1970, the rating, half of
    the 95 % interval, and the version.
    """

    line: str
    band: str
    scale: tuple[RatingMark, ...]
    versions: tuple[RatingMark, ...]
    first: datetime
    last: datetime
    points: tuple[tuple[float, float, int, int, int, int], ...]
    rival_line: str = ""
    rival_band: str = ""

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM


def bot_plays_in_league(bot: Bot, user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether the bot is in an open league that is listed for ``user``."""
    members = Membership.objects.filter(audience_listed_to(user, "league__"), bot=bot, state=MembershipState.ACTIVE)
    return members.filter(league__state=LeagueState.OPEN).exists()


def league_bot_history(season: Season, membership: Membership) -> list[Point]:
    """Return the rating of the bot after each stored refit, in order. All its versions are included."""
    entries = SeasonEntry.objects.filter(season=season, membership=membership).values(
        "pk"
    )  # a separate query, not a join
    rows = Rating.objects.filter(snapshot__season=season, entry__in=entries).order_by("snapshot__number")
    fields = ("snapshot__created_at", "mean", "se", "entry__version__number")
    placed = ("rank", "rank_low", "rank_high", "is_provisional")
    return [
        Point(when, rating_displayed(mean), Z_95 * PER_LOGIT * se, version, *place)
        for when, mean, se, version, *place in rows.values_list(*fields, *placed)
    ]


def league_bot_points_now(
    bots: Collection[Bot], user: AbstractBaseUser | AnonymousUser
) -> dict[int, tuple[League, Point]]:
    """Return the league and the current rating and rank of each of ``bots``, by primary key. One query.

    The league is the newest one with a running season that ``user`` may see.
    """
    rows = Rating.objects.filter(
        audience_shown_to(user, "snapshot__season__league__"),
        entry__membership__bot__in=bots,
        entry__state__in=STANDING,
        snapshot__season__state=SeasonState.RUNNING,
        snapshot__number=F("snapshot__season__refits"),
    )
    rows = rows.select_related("snapshot__season__league", "entry__membership", "entry__version").order_by("snapshot")
    return {one.entry.membership.bot_id: (one.snapshot.season.league, _point_of(one)) for one in rows}


def _point_of(one: Rating) -> Point:
    return Point(
        one.snapshot.created_at,
        rating_displayed(one.mean),
        Z_95 * PER_LOGIT * one.se,
        one.entry.version.number,
        one.rank,
        one.rank_low,
        one.rank_high,
        one.is_provisional,
    )


def league_bot_graph(points: Sequence[Point], rival: Sequence[Point] = ()) -> Graph | None:
    """Return the graph of ``points``, with that of a ``rival``; None if there are fewer than two points."""
    if len(points) < 2:
        return None
    drawn = [*points, *rival]
    low, high = min(one.points - one.within for one in drawn), max(one.points + one.within for one in drawn)
    first, last = min(one.when for one in drawn), max(one.when for one in drawn)
    span = (last - first).total_seconds() or 1.0

    def across(when: datetime) -> float:
        return round(LEFT + (WIDTH - LEFT - 8) * (when - first).total_seconds() / span, 1)

    def up(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / ((high - low) or 1.0), 1)

    def line(course: Sequence[Point]) -> str:
        return " ".join(f"{across(one.when)},{up(one.points)}" for one in course)

    def band(course: Sequence[Point]) -> str:
        upper = [f"{across(one.when)},{up(one.points + one.within)}" for one in course]
        lower = [f"{across(one.when)},{up(one.points - one.within)}" for one in course]
        return " ".join([*upper, *reversed(lower)])

    return Graph(
        line=line(points),
        band=band(points),
        rival_line=line(rival),
        rival_band=band(rival),
        scale=tuple(RatingMark(up(value), minus(value)) for value in _graph_scale(low, high)),
        versions=_graph_version_marks([(across(one.when), one.version) for one in points]),
        first=first,
        last=last,
        points=tuple(
            (
                across(one.when),
                up(one.points),
                round(one.when.timestamp() * 1000),
                round(one.points),
                round(one.within),
                one.version,
            )
            for one in points
        ),
    )


def league_bot_versions(season: Season, membership: Membership) -> list[SeasonEntry]:
    """Return the bot's versions in the season, in the order in which they were entered."""
    found = SeasonEntry.objects.filter(season=season, membership=membership).select_related("version")
    return list(found.order_by("joined_at", "pk"))


def _graph_scale(low: float, high: float) -> range:
    step = next((step for step in STEPS if (high - low) / step <= LINES_MOST), STEPS[-1])
    return range(int(-(-low // step) * step), int(high // step * step) + 1, step)


def _graph_version_marks(places: Sequence[tuple[float, int]]) -> tuple[RatingMark, ...]:
    """Return the positions at which the version changes. If a label would overlap the one before, it is left out."""
    marks: list[RatingMark] = []
    named = float("-inf")
    for number, (at, version) in enumerate(places):
        if number and places[number - 1][1] == version:
            continue
        room = at - named >= CROWDED
        marks.append(RatingMark(at, f"v{version}" if room else ""))
        named = at if room else named
    return tuple(marks)


@dataclass(slots=True)
class OpponentTally:
    """The results of a bot against others. A game counts once for each opponent."""

    won: int = 0
    level: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        return self.won + self.level + self.lost

    @property
    def share(self) -> float:
        """The share of opponents beaten; a tie counts half."""
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
    """An opponent."""

    slug: str
    name: str


@dataclass(frozen=True, slots=True)
class BotRecord:
    """The results of a bot against each opponent, and in each seat.

    ``opponents`` are sorted by name. ``seats`` has the results by position at the table; position 0 moves first.
    ``drawn`` has the opponents of all matches of the bot, finished or not, sorted by name.
    """

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


def league_bot_record(season: Season, bot: Bot) -> BotRecord:
    """Return the record of the bot with all its versions, from finished matches. One query."""
    seats = MatchSeat.objects.filter(match__in=league_bot_season_matches(season, bot).order_by().values("match"))
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
        sorted(tallies.opponents.items(), key=lambda item: _opponent_sort_key(item[0])),
        sorted(tallies.seats.items()),
        sorted(drawn, key=_opponent_sort_key),
    )


def _opponent_sort_key(opponent: RecordOpponent) -> tuple[str, str]:
    return opponent.name.casefold(), opponent.slug
