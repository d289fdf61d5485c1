"""The ladder is fitted again to all results of the season, from where it stood, and kept with its predecessors."""

from dataclasses import asdict
from typing import Final

from django.db import transaction
from django.db.models import F

from leagues.models import STANDING, Rating, RatingSnapshot, Season, SeasonEntry
from leagues.selectors.candidates import latest_ratings
from leagues.selectors.fitted import fitted_ladder
from leagues.selectors.results import matches_finished
from leagues.services.announcing import announce_later

HISTORY_MOST: Final = 240  # refits kept of a season; beyond that, every second one is forgotten


def season_refit(*, season_id: int) -> bool:
    """Fit the ladder if results or entries came or went since the last time; False, and no change, otherwise.

    The fit itself is outside of the transaction. Of several callers at once one writes: the number of refits so far is
    part of the condition.
    """
    season = Season.objects.get(pk=season_id)
    matches = matches_finished(season)
    if not has_news(season, matches):
        return False
    near = {entry: mean for entry, (mean, _se) in latest_ratings(season).items()}
    lines = fitted_ladder(season, near)
    with transaction.atomic():
        if not Season.objects.filter(pk=season.pk, refits=season.refits).update(refits=F("refits") + 1):
            return False
        snapshot = RatingSnapshot.objects.create(season=season, number=season.refits + 1, matches=matches)
        Rating.objects.bulk_create(
            Rating(snapshot=snapshot, place=place, entry_id=line.entry, **asdict(line.standing), **asdict(line.played))
            for place, line in enumerate(lines, start=1)
        )
        _thin_history(season.pk)
        announce_later(season.league_id)
    return True


def has_news(season: Season, matches: int) -> bool:
    """Tell whether results, of which there are now so many ``matches``, or entries came or went since the last fit."""
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
    """Keep a drawn history in bounds, however long the season: its last refit and its first always stay."""
    kept = list(RatingSnapshot.objects.filter(season=season_id).order_by("number").values_list("pk", flat=True))
    if len(kept) > HISTORY_MOST:
        RatingSnapshot.objects.filter(pk__in=kept[1:-1:2]).delete()
