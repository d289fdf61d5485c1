"""Pairs of bots for the organiser: pairs with unexpected results, and near copies by one author."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import combinations, groupby
from time import time
from typing import Any, Final

import numpy as np
from django.core.cache import caches
from django.db.models import Count
from numpy.typing import NDArray

from bots.models import Bot
from bots.similarity import NEAR, similarity_of
from leagues.models import STANDING, Membership, Season, SeasonEntry
from leagues.selectors.entry_ratings import latest_season_entry_ratings
from leagues.selectors.fitting import fitted_season
from ratings.residuals import LEVEL, Residual, residuals
from web.boards import Paged

CACHE_SECONDS: Final = 3600
REST: Final = 20  # a result is cached for so many times the time that its computation took
FIELDS: Final = 7  # fields of a residual
PROGRAMS_MOST: Final = 2000  # programs that are compared, each with the others of its author
SHOWN_MOST: Final = 100


@dataclass(frozen=True, slots=True)
class PairRow:
    """A pair of bots. ``one`` won more than expected."""

    one: Bot
    other: Bot
    games: int
    expected: float
    observed: float
    z: float
    p: float
    stands_out: bool


@dataclass(frozen=True, slots=True)
class SeasonPairs:
    """The pairs of bots that met, largest deviation first. The results of all versions of a bot count.

    ``standing_out`` is the number of pairs whose deviation luck cannot explain.
    """

    rows: Sequence[PairRow]
    standing_out: int


def season_pairs_of(season: Season) -> SeasonPairs:
    """Return the pairs as of a recent refit.

    To fit a large season takes seconds, so the result is cached. It stays for ``REST`` times the time that the fit
    took.
    """
    cache, key = caches["optional"], f"league-pairs/1/{season.pk}"
    cached: tuple[int, float, NDArray[Any]] | None = cache.get(key)
    if cached is None or (cached[0] != season.refits and time() >= cached[1]):
        begun = time()
        found = np.array([astuple(row) for row in _residuals_of(season)]).reshape(-1, FIELDS)
        cached = season.refits, begun + REST * (time() - begun), found
        cache.set(key, cached, CACHE_SECONDS)
    lines = cached[2]
    return SeasonPairs(
        Paged(range(len(lines)), lambda places: _pair_rows(lines[list(places)])), int((lines[:, -1] < LEVEL).sum())
    )


def _residuals_of(season: Season) -> Sequence[Residual]:
    fitted = fitted_season(season, {entry: mean for entry, (mean, _se) in latest_season_entry_ratings(season).items()})
    return residuals(fitted.games, fitted.ratings, fitted.sides.bot)


def _pair_rows(lines: NDArray[Any]) -> list[PairRow]:
    found = [_residual(line) for line in lines]
    members = {one for row in found for one in (row.one, row.other)}
    bots = {one.pk: one.bot for one in Membership.objects.filter(pk__in=members).select_related("bot__owner")}
    return [_pair_row(row, bots[row.one], bots[row.other]) for row in found]


def _residual(line: NDArray[Any]) -> Residual:
    one, other, *rest = line.tolist()
    return Residual(int(one), int(other), *rest)


def _pair_row(row: Residual, one: Bot, other: Bot) -> PairRow:
    won_more = row.z >= 0
    return PairRow(
        one=one if won_more else other,
        other=other if won_more else one,
        games=round(row.games),
        expected=row.expected if won_more else row.games - row.expected,
        observed=row.observed if won_more else row.games - row.observed,
        z=abs(row.z),
        p=row.p,
        stands_out=row.stands_out,
    )


@dataclass(frozen=True, slots=True)
class NearCopy:
    """Two bots of one author. The share is the part of their programs that is equal, from 0 to 1."""

    one: Bot
    other: Bot
    share: float

    @property
    def percent(self) -> int:
        """The share in whole percent, rounded down, so that different programs are never shown as equal."""
        return int(self.share * 100)


def season_near_copy_pairs_of(season: Season) -> list[NearCopy]:
    """Return pairs of bots on the ladder with a resemblance of at least ``NEAR``, most similar first. Two queries."""
    standing = SeasonEntry.objects.filter(
        season=season, state__in=STANDING, membership__bot__is_house=False, version__package__sketch__isnull=False
    )
    several = standing.values("membership__bot__owner").annotate(bots=Count("pk")).filter(bots__gt=1)
    rows = standing.filter(membership__bot__owner__in=several.values("membership__bot__owner"))
    rows = rows.order_by("membership__bot__owner", "membership__bot")[:PROGRAMS_MOST]
    found = [
        (similarity_of(bytes(first or b""), bytes(second or b"")), one, other)
        for _, own in groupby(
            rows.values_list("membership__bot__owner", "membership__bot", "version__package__sketch"),
            key=lambda row: row[0],
        )
        for (_, one, first), (_, other, second) in combinations(own, 2)
    ]
    near = sorted((row for row in found if row[0] >= NEAR), key=lambda row: (-row[0], row[1:]))[:SHOWN_MOST]
    bots = Bot.objects.select_related("owner").in_bulk({bot for _, *pair in near for bot in pair})
    return [NearCopy(bots[one], bots[other], share) for share, one, other in near]
