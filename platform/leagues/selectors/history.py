"""How a bot's rating went through a season, as the coordinates of a graph."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from leagues.models import Membership, Rating, Season, SeasonEntry
from ratings import displayed
from ratings.scale import PER_LOGIT, Z_95

WIDTH: Final = 720
HEIGHT: Final = 260
LEFT: Final = 60  # room for the scale
BOTTOM: Final = 30
TOP: Final = 28
STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)  # between two lines of the scale, in points
LINES_MOST: Final = 6
CROWDED: Final = 30  # units between two versions' names


@dataclass(frozen=True, slots=True)
class Point:
    when: datetime
    points: float
    within: float
    version: int


@dataclass(frozen=True, slots=True)
class RatingMark:
    """A line of the scale, or the beginning of a version: where it is, and what is written beside it, if anything."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Graph:
    """In the units of an SVG of ``WIDTH`` by ``HEIGHT``: ``line`` and ``band`` (the 95 % interval) as the points of a
    polyline and a polygon, ``scale`` by height, ``versions`` from the left."""

    line: str
    band: str
    scale: tuple[RatingMark, ...]
    versions: tuple[RatingMark, ...]
    first: datetime
    last: datetime

    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    floor: int = HEIGHT - BOTTOM


def history_of(season: Season, membership: Membership) -> list[Point]:
    """Return the points after each refit that was kept, in order, whichever version stood on the ladder."""
    entries = SeasonEntry.objects.filter(season=season, membership=membership).values("pk")  # not a join: read first
    rows = Rating.objects.filter(snapshot__season=season, entry__in=entries).order_by("snapshot__number")
    fields = ("snapshot__created_at", "mean", "se", "entry__version__number")
    return [
        Point(when, displayed(mean), Z_95 * PER_LOGIT * se, version)
        for when, mean, se, version in rows.values_list(*fields)
    ]


def graph_of(points: Sequence[Point]) -> Graph | None:
    """Return the graph of a course; None as long as there is none to draw."""
    if len(points) < 2:
        return None
    low, high = min(one.points - one.within for one in points), max(one.points + one.within for one in points)
    first, last = points[0].when, points[-1].when
    span = (last - first).total_seconds() or 1.0

    def across(when: datetime) -> float:
        return round(LEFT + (WIDTH - LEFT - 8) * (when - first).total_seconds() / span, 1)

    def up(value: float) -> float:
        return round(TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / ((high - low) or 1.0), 1)

    upper = [f"{across(one.when)},{up(one.points + one.within)}" for one in points]
    lower = [f"{across(one.when)},{up(one.points - one.within)}" for one in points]
    return Graph(
        line=" ".join(f"{across(one.when)},{up(one.points)}" for one in points),
        band=" ".join([*upper, *reversed(lower)]),
        scale=tuple(RatingMark(up(value), str(value)) for value in _scale(low, high)),
        versions=_marks([(across(one.when), one.version) for one in points]),
        first=first,
        last=last,
    )


def versions_of(season: Season, membership: Membership) -> list[SeasonEntry]:
    """Return the bot's versions of the season, in the order of their arrival."""
    found = SeasonEntry.objects.filter(season=season, membership=membership).select_related("version")
    return list(found.order_by("joined_at", "pk"))


def _scale(low: float, high: float) -> range:
    step = next((step for step in STEPS if (high - low) / step <= LINES_MOST), STEPS[-1])
    return range(int(-(-low // step) * step), int(high // step * step) + 1, step)


def _marks(places: Sequence[tuple[float, int]]) -> tuple[RatingMark, ...]:
    """Return where the version changes; a name that would run into the last one is left out."""
    marks: list[RatingMark] = []
    named = float("-inf")
    for number, (at, version) in enumerate(places):
        if number and places[number - 1][1] == version:
            continue
        room = at - named >= CROWDED
        marks.append(RatingMark(at, f"v{version}" if room else ""))
        named = at if room else named
    return tuple(marks)
