"""Every night each ladder is fitted from scratch: it is kept from refit to refit, and must be what its results give."""

import logging
from typing import Final

from django.utils import timezone

from leagues.models import Season
from leagues.selectors.consistency import Agreement, agreement_of
from leagues.services.refitting import season_refit

logger = logging.getLogger(__name__)
TRIES: Final = 3  # results may come between a refit and the comparison


def season_check(*, season_id: int) -> Agreement:
    """Compare the ladder with one that is fitted from scratch, and keep for operators whether it is wrong. What comes
    in faster than it can be compared leaves what was known.
    """
    agreement = Agreement.BEHIND
    for _ in range(TRIES):
        season = Season.objects.select_related("league").get(pk=season_id)
        agreement = agreement_of(season)
        if agreement is not Agreement.BEHIND:
            break
        season_refit(season_id=season_id)
    if agreement in (Agreement.AGREES, Agreement.DIFFERS):
        is_wrong = agreement is Agreement.DIFFERS
        Season.objects.filter(pk=season_id).update(checked_at=timezone.now(), is_wrong=is_wrong)
        if is_wrong:
            logger.error("the ladder of season %d does not follow from its results", season_id)
    return agreement
