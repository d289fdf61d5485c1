"""Beside the ladder: ratings less luck, kept for as many matches as have been analysed."""

from django.db import transaction

from leagues.models import Season, SeasonEntry
from leagues.selectors.less_luck import NEWEST, fitted_less_luck, matches_to_analyse, matches_with_luck
from leagues.services.announcing import announce_later
from matches.analysis.kept import analyses_order

BATCH = 500


def season_less_luck_refit(*, season_id: int) -> bool:
    """Order analyses that finished matches lack, a few hundred at a time, and fit again if more matches are analysed
    than the last time; False, and no change, otherwise, and for a season without a value.

    The fit is outside of the transaction. Of several callers at once one writes: the number of matches so far is part
    of the condition.
    """
    season = Season.objects.get(pk=season_id)
    if not season.luck_value:
        return False
    analyses_order(matches=matches_to_analyse(season), value=season.luck_value)
    analysed = matches_with_luck(season).count()
    if not analysed or analysed == season.less_luck_matches < NEWEST:
        return False
    found = fitted_less_luck(season)
    with transaction.atomic():
        mine = Season.objects.filter(pk=season.pk, less_luck_matches=season.less_luck_matches)
        if not mine.update(less_luck_matches=found.matches):
            return False
        entries = list(SeasonEntry.objects.filter(season=season))
        for one in entries:
            one.less_luck_mean, one.less_luck_se = found.by_entry.get(one.pk, (None, None))
        SeasonEntry.objects.bulk_update(entries, ["less_luck_mean", "less_luck_se"], batch_size=BATCH)
        announce_later(season.league_id)
    return True
