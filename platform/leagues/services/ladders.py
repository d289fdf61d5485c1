"""Fit the ladders and the luck-adjusted ratings of seasons, and compare ladders with fits from scratch."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from math import ceil, log2
from typing import Final

from django.core.cache import caches
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from leagues.hook_events import ladder_event_places, ladder_overtaken_event_publish
from leagues.models import STANDING, Rating, RatingSnapshot, Season, SeasonEntry
from leagues.selectors.entry_ratings import latest_season_entry_ratings
from leagues.selectors.fitting import (
    NEWEST,
    Agreement,
    fitted_ladder,
    fitted_ladder_agreement_of,
    fitted_ladder_luck_adjusted,
    season_fit_matches_to_analyse,
    season_fit_matches_with_luck,
)
from leagues.selectors.matches import season_matches_finished
from leagues.selectors.shares import season_shares_part
from leagues.selectors.weeks import league_week_monday_of
from leagues.services.leagues import league_announce_later
from matches.analysis.services import analyses_order

logger = logging.getLogger(__name__)
HISTORY_MOST: Final = 240  # stored refits of a season; if there are more, about half of them are deleted
BATCH: Final = 500  # entries written at once
TRIES: Final = 3  # a comparison is repeated if results have come since the refit
LARGE: Final = 1000  # entries, including replaced versions; the fit of a larger ladder takes many seconds
LOCK_SECONDS: Final = 20.0  # if a process is killed, another one can take over after so many seconds
LOCK_SECONDS_PER_ENTRY: Final = 0.05  # seconds that are added to ``LOCK_SECONDS`` for each entry


def season_refit(*, season_id: int) -> bool:
    """Fit the ladder if results or entries changed since the last fit. Return whether it was written.

    The fit runs outside the transaction. The ladder is written only if the number of refits is still the one that was
    read. So only one of several concurrent callers writes.
    """
    season = Season.objects.get(pk=season_id)
    matches = season_matches_finished(season)
    if not is_season_refit_due(season, matches):
        return False
    near = {entry: mean for entry, (mean, _se) in latest_season_entry_ratings(season).items()}
    lines = fitted_ladder(season, near)
    before = ladder_event_places(season, season.refits)
    with transaction.atomic():
        if not Season.objects.filter(pk=season.pk, refits=season.refits).update(refits=F("refits") + 1):
            return False
        snapshot = RatingSnapshot.objects.create(season=season, number=season.refits + 1, matches=matches)
        Rating.objects.bulk_create(
            Rating(snapshot=snapshot, place=place, entry_id=line.entry, **asdict(line.standing), **asdict(line.played))
            for place, line in enumerate(lines, start=1)
        )
        if before:
            ladder_overtaken_event_publish(season, before)
        _thin_history(season.pk)
        league_announce_later(season.league_id)
    return True


def is_season_refit_due(season: Season, matches: int) -> bool:
    """Return whether the number of finished ``matches``, or the entries, changed since the last fit."""
    last = RatingSnapshot.objects.filter(season=season, number=season.refits).first()
    if last is None:
        return SeasonEntry.objects.filter(season=season, state__in=STANDING).exists()
    if last.matches != matches:
        return True
    standing = SeasonEntry.objects.filter(season=season, state__in=STANDING)
    if standing.filter(returned_at__gt=last.created_at).exists():
        return True
    return set(standing.values_list("pk", flat=True)) != set(last.ratings.values_list("entry", flat=True))


def _thin_history(season_id: int) -> None:
    """Limit the number of stored refits, evenly over the season.

    The season is divided into at most ``HISTORY_MOST // 2`` equal periods. These refits are kept: the first one, the
    last one of each period, and the last one of each week, which ``weeks.league_week`` reads.
    """
    found = RatingSnapshot.objects.filter(season=season_id).order_by("number").values_list("pk", "created_at")
    refits = list(found)
    if len(refits) <= HISTORY_MOST:
        return
    first, last = refits[0][1], refits[-1][1]
    seconds = max((last - first).total_seconds() / (HISTORY_MOST // 2), 1)
    period = timedelta(
        seconds=2 ** ceil(log2(seconds))
    )  # a power of two, so that two periods become one as the season grows
    of_periods = {(at - first) // period: pk for pk, at in refits}
    of_weeks = {league_week_monday_of(at): pk for pk, at in refits}
    staying = {refits[0][0], *of_periods.values(), *of_weeks.values()}
    RatingSnapshot.objects.filter(pk__in=[pk for pk, _at in refits if pk not in staying]).delete()


def season_luck_adjusted_refit(*, season_id: int) -> bool:
    """Request missing analyses, and fit the luck-adjusted ratings if more matches are analysed than at the last fit.

    Return whether the ratings were written; False for a season without a value function.

    The fit runs outside the transaction. The ratings are written only if the number of matches is still the one that
    was read. So only one of several concurrent callers writes.
    """
    season = Season.objects.get(pk=season_id)
    if not season.luck_value:
        return False
    analyses_order(matches=season_fit_matches_to_analyse(season), value=season.luck_value)
    analysed = season_fit_matches_with_luck(season).count()
    if not analysed or analysed == season.less_luck_matches < NEWEST:
        return False
    found = fitted_ladder_luck_adjusted(season)
    with transaction.atomic():
        mine = Season.objects.filter(pk=season.pk, less_luck_matches=season.less_luck_matches)
        if not mine.update(less_luck_matches=found.matches):
            return False
        entries = list(SeasonEntry.objects.filter(season=season))
        for one in entries:
            one.less_luck_mean, one.less_luck_se = found.by_entry.get(one.pk, (None, None))
        SeasonEntry.objects.bulk_update(entries, ["less_luck_mean", "less_luck_se"], batch_size=BATCH)
        league_announce_later(season.league_id)
    return True


def season_check(*, season_id: int) -> Agreement:
    """Compare the ladder with a fit from scratch and store for operators whether it differs.

    Nothing is stored if results keep arriving between the refit and the comparison.
    """
    agreement = Agreement.BEHIND
    for _ in range(TRIES):
        season = Season.objects.select_related("league").get(pk=season_id)
        agreement = fitted_ladder_agreement_of(season)
        if agreement is not Agreement.BEHIND:
            break
        season_refit(season_id=season_id)
    if agreement in (Agreement.AGREES, Agreement.DIFFERS):
        is_wrong = agreement is Agreement.DIFFERS
        Season.objects.filter(pk=season_id).update(checked_at=timezone.now(), is_wrong=is_wrong)
        if is_wrong:
            logger.error("the ladder of season %d does not follow from its results", season_id)
    return agreement


def season_shares_refresh(*, season_id: int) -> None:
    """Compute and store the shares that the bots of a season won of each other. Do nothing if the season is deleted."""
    if Season.objects.filter(pk=season_id).exists():
        season_shares_part(season_id).refresh()


def is_ladder_large(entries: int) -> bool:
    """Return whether a ladder of this many ``entries`` takes too long to fit while a user waits."""
    return entries > LARGE


@contextmanager
def ladder_fit_lock(*, season_id: int, entries: int) -> Iterator[bool]:
    """Yield whether this process holds the lock to fit a ladder of ``entries`` entries.

    Each small ladder has its own lock. All large ladders share one lock, so that their fits never occupy all results
    workers. A lock expires after some time. So a slow fit may run twice, but only one of the two is written.
    """
    key = f"ladder-turn/{'large' if is_ladder_large(entries) else season_id}"
    is_ours = caches["optional"].add(key, 1, LOCK_SECONDS + LOCK_SECONDS_PER_ENTRY * entries)
    try:
        yield is_ours
    finally:
        if is_ours:
            caches["optional"].delete(key)
