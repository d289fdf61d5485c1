"""Compare the ladder that is shown with one fitted from scratch."""

from enum import StrEnum
from math import isclose
from typing import Final

from leagues.models import Rating, RatingSnapshot, Season
from leagues.selectors.fitted import FittedLine, fitted_ladder
from leagues.selectors.results import matches_finished

CLOSE: Final = 1e-6  # logits: another order of the same sums


class Agreement(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    BEHIND = "behind"  # results or entries came since the last refit: the next one will show them
    EMPTY = "empty"  # never fitted


def agreement_of(season: Season) -> Agreement:
    """Compare the last refit that was kept with a fit from scratch."""
    snapshot = RatingSnapshot.objects.filter(season=season).order_by("-number").first()
    if snapshot is None:
        return Agreement.EMPTY
    if snapshot.matches != matches_finished(season):
        return Agreement.BEHIND
    shown = list(snapshot.ratings.order_by("place"))
    fitted = fitted_ladder(season)
    if {rating.entry_id for rating in shown} != {line.entry for line in fitted}:
        return Agreement.BEHIND if season.is_running else Agreement.DIFFERS
    same = all(_same(rating, line) for rating, line in zip(shown, fitted, strict=True))
    return Agreement.AGREES if same else Agreement.DIFFERS


def _same(rating: Rating, line: FittedLine) -> bool:
    standing, played = line.standing, line.played
    return (
        rating.entry_id == line.entry
        and isclose(rating.mean, standing.mean, abs_tol=CLOSE)
        and isclose(rating.se, standing.se, abs_tol=CLOSE)
        and (rating.rank, rating.rank_low, rating.rank_high) == (standing.rank, standing.rank_low, standing.rank_high)
        and (rating.matches, rating.games, rating.forfeits) == (played.matches, played.games, played.forfeits)
        and isclose(rating.score, played.score, abs_tol=CLOSE)
    )
