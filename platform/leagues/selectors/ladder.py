"""The ladder for pages: the rows of the last refit, followed by the entries that were added since.

If an author switches back to an earlier version, this version has its old rating and place until the next refit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import Any, Final

from django.core.cache import caches
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet, Subquery, Value

from leagues.models import STANDING, Membership, Rating, RatingSnapshot, Season, SeasonEntry, SeasonEntryState
from leagues.selectors.entry_ratings import (
    latest_season_entry_ratings,
    returned_season_entry_ratings,
    season_entry_rating,
    unrated_season_entries,
)
from leagues.selectors.fitting import SeasonGame
from ratings import rating_displayed
from ratings.ranks import Bar, rank_bars
from ratings.scale import PER_LOGIT, Z_95
from web.boards import Paged
from web.optional import optional

SPARK_REFITS: Final = 40
SPARK_WIDTH: Final = 80
CACHE_SECONDS: Final = 600  # not longer, because a changed name of a bot does not change the revision
SPARK_HEIGHT: Final = 22
LEADERS: Final = 3  # bots on the card of a league
COUNTED: Final = ("standing", "benched", "newest", "back")  # counts of a season's entries, see ``ladder_revision``


@dataclass(frozen=True, slots=True)
class LuckAdjustedRating:
    """A luck-adjusted rating. ``points`` is on the displayed scale, ``within`` is half of the 95 % interval."""

    points: float
    within: float

    @property
    def floor(self) -> float:
        return self.points - self.within

    @property
    def ceiling(self) -> float:
        return self.points + self.within


@dataclass(frozen=True, slots=True)
class LadderRow:
    """A place on the ladder. ``points`` is on the displayed scale, ``within`` is half of the 95 % interval.

    ``rank`` is the rank in the division; bots that cannot be distinguished share it. ``number`` is the place in the
    order of ``Ladder.by_rating``; it is None if the caller did not ask for this order. Both are None for a bot that has
    not played. ``less_luck`` does not affect the order.
    """

    entry: SeasonEntry
    points: float
    within: float
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    is_provisional: bool = True
    played: SeasonGame = field(default_factory=SeasonGame)
    less_luck: LuckAdjustedRating | None = None
    number: int | None = field(default=None, compare=False)

    @property
    def low(self) -> float:
        return self.points - self.within

    @property
    def high(self) -> float:
        return self.points + self.within

    @property
    def settled(self) -> bool:
        return not self.is_provisional

    @property
    def is_benched(self) -> bool:
        return self.entry.state == SeasonEntryState.BENCHED

    @property
    def share(self) -> float | None:
        """The share of opponents beaten."""
        return self.played.score / self.played.games if self.played.games else None


@dataclass(frozen=True, slots=True)
class Ladder:
    season: Season
    snapshot: RatingSnapshot | None
    rows: tuple[LadderRow, ...]

    @property
    def settled(self) -> bool:
        """Whether every playing bot is rated with the required certainty."""
        return self.snapshot is not None and all(row.settled or row.is_benched for row in self.rows)

    @property
    def by_rating(self) -> list[int]:
        """Return the places of the rows, by division and in the order of the displayed ratings.

        Settled bots come first, then provisional ones. Bots that have not played come last, in the order in which they
        arrived. The order of ``rows`` is another one: there, provisional bots are ordered by the lower end of their
        interval.
        """

        def order(place: int) -> tuple[int, bool, bool, float]:
            row = self.rows[place]
            return row.entry.division, row.rank is None, row.is_provisional, 0.0 if row.rank is None else -row.points

        return sorted(range(len(self.rows)), key=order)

    def drawn(self, places: Sequence[int] | None = None) -> list[tuple[LadderRow, Bar, str]]:
        """Return each row with the bar of its interval, and with the points of its sparkline.

        All bars have the same scale. ``places``, from 0, selects rows; by default all are returned.
        """
        chosen = range(len(self.rows)) if places is None else places
        drawn = rank_bars(self.rows)
        courses = _courses(self.season, [self.rows[place].entry.membership_id for place in chosen])
        return [
            (row := self.rows[place], drawn[place], ladder_sparkline(courses.get(row.entry.membership_id, ())))
            for place in chosen
        ]


def ladder_of(season: Season, *, people: bool = True) -> Ladder:
    """Return the ladder of the last refit. In a running season, newer entries come last, in the order of arrival.

    Without ``people``, bots and members of the entries are not read; see ``league_ladder_people_read``.
    """
    snapshot = _refits(season).first()
    standing = _standing(season, snapshot, people=people)
    return Ladder(season, snapshot, (*map(_ladder_row, standing.rated()), *_newcomer_rows(season, standing.newcomers)))


def ladder_authorships(season: Season) -> set[str]:
    """Return the authorships that are declared for versions in the season, without ""."""
    entries = SeasonEntry.objects.filter(season=season).exclude(version__authorship="")
    return set(entries.values_list("version__authorship", flat=True).distinct())


def league_ladder_people_read(rows: Iterable[LadderRow]) -> None:
    """Read the bots, authors and members of ``rows`` with one query."""
    entries = [row.entry for row in rows]
    read = SeasonEntry.objects.select_related("version__bot__owner", "membership")
    found = read.in_bulk([entry.pk for entry in entries])
    for entry in entries:
        entry.version, entry.membership = found[entry.pk].version, found[entry.pk].membership


def ladder_paged(season: Season, division: int | None = None, *, by_rating: bool = False) -> Paged[int, LadderRow]:
    """Return the rows of ``ladder_of``. A row is read when it is accessed. Without ``division``, all are included.

    With ``by_rating``, the rows are in the order of ``Ladder.by_rating`` and have numbers, as on the league's page.
    """
    standing = _standing(season, _refits(season).first()).of(division)
    numbers: dict[int, int] = {}

    def show(keys: Sequence[int]) -> list[LadderRow]:
        ratings = _with_people(Rating.objects.filter(pk__in=[key for key in keys if key > 0]))
        rows = {rating.pk: _ladder_row(rating) for rating in ratings}
        new = standing.newcomers.filter(pk__in=[-key for key in keys if key < 0])
        rows |= {-row.entry.pk: row for row in _newcomer_rows(season, new)}
        return [replace(rows[key], number=numbers.get(key)) for key in keys]

    fields = ("place", "pk", "entry__division", "matches", "is_provisional", "mean")
    both = sorted(
        (line for one in (standing.back, standing.last) for line in one.values_list(*fields)), key=itemgetter(0)
    )
    new = list(standing.newcomers.values_list("pk", "division"))
    if not by_rating:
        return Paged([*(key for _place, key, *_rest in both), *(-key for key, _division in new)], show)
    order = [
        (of, 0, not_sure, -mean, pk) if games else (of, 1, True, 0.0, pk) for _, pk, of, games, not_sure, mean in both
    ]
    order = sorted([*order, *((of, 1, True, 0.0, -pk) for pk, of in new)], key=itemgetter(0, 1, 2, 3))
    for _division, placed in groupby((one for one in order if not one[1]), key=itemgetter(0)):
        numbers |= {key: number for number, (*_order, key) in enumerate(placed, start=1)}
    return Paged([key for *_order, key in order], show)


def ladder_line(season: Season, membership: Membership) -> LadderRow | None:
    """Return the row of a member with its number, or None. See ``Ladder.by_rating``."""
    standing = _standing(season, _refits(season)[:1])
    for ratings in (standing.last, standing.back):
        rating = ratings.filter(entry__membership=membership).annotate(above=_above(standing)).first()
        if rating is not None:
            return replace(_ladder_row(rating), number=(rating.above or 0) + 1 if rating.matches else None)
    return next(iter(_newcomer_rows(season, standing.newcomers.filter(membership=membership))), None)


def _above(standing: "_LadderEntries") -> Subquery:
    """Return a subquery that counts the ratings above an outer rating in its division; NULL if there are none."""
    alike = Q(is_provisional=OuterRef("is_provisional"))
    ahead = Q(mean__gt=OuterRef("mean")) | Q(mean=OuterRef("mean"), place__lt=OuterRef("place"))
    is_current = Q(pk__in=standing.last.order_by().values("pk")) | Q(pk__in=standing.back.order_by().values("pk"))
    found = Rating.objects.filter(
        is_current,
        Q(is_provisional__lt=OuterRef("is_provisional")) | alike & ahead,
        matches__gt=0,
        entry__division=OuterRef("entry__division"),
    )
    return Subquery(found.order_by().annotate(one=Value(1)).values("one").annotate(number=Count("pk")).values("number"))


def ladder_revision(season: Season) -> str:
    """Return a string that changes with the ladder: after a refit, and when a version is added, removed or benched."""
    counted: dict[str, Any] = {name: getattr(season, name, None) for name in COUNTED}
    if counted["standing"] is None:
        counted = SeasonEntry.objects.filter(season=season).aggregate(**_counted())
    return f"{season.refits}/{season.less_luck_matches}/{season.state}/{counted}"


def with_ladder_revision_counts(seasons: QuerySet[Season]) -> QuerySet[Season]:
    """Annotate ``seasons`` with the counts for ``ladder_revision``, so that it needs no query."""
    return seasons.annotate(**_counted("season_entries__"))


def _counted(path: str = "") -> dict[str, Any]:
    is_current, benched = Q((f"{path}state__in", STANDING)), Q((f"{path}state", SeasonEntryState.BENCHED))
    return {
        "standing": Count(f"{path}pk", filter=is_current),
        "benched": Count(f"{path}pk", filter=benched),
        "newest": Max(f"{path}pk", filter=is_current),
        "back": Max(f"{path}returned_at", filter=is_current),
    }


def ladder_top(season: Season, rows: int) -> list[tuple[LadderRow, Bar, str]]:
    """Return the first ``rows`` rows of the first division, ready to draw.

    The result is cached until the ladder changes.
    """
    key = f"ladder-top/2/{season.pk}/{season.starts_at.timestamp()}/{rows}"
    revision, cache = ladder_revision(season), caches["optional"]
    cached: tuple[str, list[tuple[LadderRow, Bar, str]]] | None = cache.get(key)
    if cached is not None and cached[0] == revision:
        return cached[1]
    standing = _standing(season, _refits(season)[:1])
    found = [_ladder_row(rating) for rating in standing.last]
    if len(found) != getattr(season, "standing", None):
        found = [*map(_ladder_row, standing.rated()), *_newcomer_rows(season, standing.newcomers)]
    ladder = Ladder(season, None, tuple(row for row in found if row.entry.division == 1))
    drawn = ladder.drawn(ladder.by_rating[:rows])
    cache.set(key, (revision, drawn), CACHE_SECONDS)
    return drawn


@optional("leaders of leagues", lambda _seasons: {})
def ladder_leaders_of(seasons: Iterable[Season]) -> dict[int, list[Rating]]:
    """Return the first ``LEADERS`` ratings of each ladder by season, if any bot has played. One query."""
    seasons = list(seasons)
    running = [season.pk for season in seasons if season.is_running]
    last = Rating.objects.filter(
        Q(entry__state__in=STANDING) | ~Q(snapshot__season__in=running),
        snapshot__season__in=[season.pk for season in seasons],
        snapshot__number=F("snapshot__season__refits"),
        matches__gt=0,
        place__lt=4 * LEADERS,  # more than needed, because bots may have left, or may not have played
    )
    found: dict[int, list[Rating]] = {}
    for rating in last.select_related("snapshot", "entry__version__bot").order_by("place"):
        top = found.setdefault(rating.snapshot.season_id, [])
        if len(top) < LEADERS:
            top.append(rating)
    return found


def ladder_sparkline(history: Sequence[float]) -> str:
    """Return the ``points`` of an SVG polyline; "" for fewer than two values."""
    if len(history) < 2:
        return ""
    low, high = min(history), max(history)
    step, scale = SPARK_WIDTH / (len(history) - 1), (SPARK_HEIGHT - 4) / max(high - low, 1.0)
    return " ".join(
        f"{number * step:.1f},{SPARK_HEIGHT - 2 - (value - low) * scale:.1f}" for number, value in enumerate(history)
    )


def _refits(season: Season) -> QuerySet[RatingSnapshot]:
    """Return the snapshots of the season's refits, newest first."""
    return RatingSnapshot.objects.filter(season=season).order_by("-number")


@dataclass(frozen=True, slots=True)
class _LadderEntries:
    """The entries on the ladder: the ratings of the last refit by place, and the entries without a rating.

    If an author switched back to an entry after the last refit, ``back`` has the entry's rating from an earlier refit.
    """

    last: QuerySet[Rating]
    back: QuerySet[Rating]
    newcomers: QuerySet[SeasonEntry]

    def of(self, division: int | None) -> "_LadderEntries":
        """Return the entries of a division; all if it is None."""
        if division is None:
            return self
        last, back = (ratings.filter(entry__division=division) for ratings in (self.last, self.back))
        return _LadderEntries(last, back, self.newcomers.filter(division=division))

    def rated(self) -> list[Rating]:
        """Return all ratings by place. Entries in ``back`` have their old places."""
        return sorted([*self.back, *self.last], key=attrgetter("place"))


def _standing(
    season: Season, snapshot: RatingSnapshot | QuerySet[RatingSnapshot] | None, *, people: bool = True
) -> _LadderEntries:
    """Return the entries on the ladder. ``snapshot`` may be an unevaluated query of one row."""
    last = Rating.objects.none() if snapshot is None else Rating.objects.filter(snapshot=snapshot)  # type: ignore[misc]
    if not season.is_running:
        return _LadderEntries(_with_people(last, people=people), Rating.objects.none(), SeasonEntry.objects.none())
    back = returned_season_entry_ratings(season, last)
    newcomers = unrated_season_entries(season, last).exclude(ratings__isnull=False)
    return _LadderEntries(
        _with_people(last.filter(entry__state__in=STANDING), people=people),
        _with_people(back, people=people),
        newcomers.select_related("version__bot__owner", "membership", "parent").order_by("pk"),
    )


def _with_people(ratings: QuerySet[Rating], *, people: bool = True) -> QuerySet[Rating]:
    related = ("entry__version__bot__owner", "entry__membership") if people else ("entry",)
    return ratings.select_related(*related).order_by("place")


def _newcomer_rows(season: Season, entries: QuerySet[SeasonEntry]) -> list[LadderRow]:
    found = list(entries)
    rated = latest_season_entry_ratings(season) if found else {}
    return [_newcomer(entry, rated) for entry in found]


def _ladder_row(rating: Rating) -> LadderRow:
    ranked = rating.matches > 0  # otherwise its rank comes from its prior
    return LadderRow(
        entry=rating.entry,
        points=rating_displayed(rating.mean),
        within=Z_95 * PER_LOGIT * rating.se,
        rank=rating.rank if ranked else None,
        rank_low=rating.rank_low if ranked else None,
        rank_high=rating.rank_high if ranked else None,
        is_provisional=rating.is_provisional,
        played=SeasonGame(
            matches=rating.matches,
            games=rating.games,
            score=rating.score,
            forfeits=rating.forfeits,
            faulty_games=rating.faulty_games,
            slowest_ms=rating.slowest_ms,
        ),
        less_luck=_less_luck(rating.entry),
    )


def _less_luck(entry: SeasonEntry) -> LuckAdjustedRating | None:
    mean, se = entry.less_luck_mean, entry.less_luck_se
    return None if mean is None or se is None else LuckAdjustedRating(rating_displayed(mean), Z_95 * PER_LOGIT * se)


def _newcomer(entry: SeasonEntry, rated: Mapping[int, tuple[float, float]]) -> LadderRow:
    mean, se = season_entry_rating(entry, rated)
    return LadderRow(entry=entry, points=rating_displayed(mean), within=Z_95 * PER_LOGIT * se)


@optional("courses of ratings", lambda _season, _members: {})
def _courses(season: Season, members: Sequence[int]) -> dict[int, list[float]]:
    """Return the displayed ratings of ``members`` after each of the last refits. All versions of a bot count."""
    rows = Rating.objects.filter(
        snapshot__season=season,
        snapshot__number__gt=season.refits - SPARK_REFITS,
        entry__in=SeasonEntry.objects.filter(season=season, membership__in=members).values("pk"),
    )
    courses: defaultdict[int, list[float]] = defaultdict(list)
    for member, mean in rows.order_by("snapshot__number").values_list(F("entry__membership"), "mean"):
        courses[member].append(rating_displayed(mean))
    return courses
