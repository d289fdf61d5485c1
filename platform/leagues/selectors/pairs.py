"""Which pairs of a season played otherwise than their ratings expect: for its organiser."""

from collections.abc import Mapping
from dataclasses import dataclass

from bots.models import Bot
from leagues.models import Membership, Season
from leagues.selectors.fitted import fitted_season
from ratings.residuals import Residual, residuals


@dataclass(frozen=True, slots=True)
class PairRow:
    """The bot that won more than expected first."""

    one: Bot
    other: Bot
    games: int
    expected: float
    observed: float
    z: float
    p: float
    stands_out: bool


def pairs_of(season: Season) -> list[PairRow]:
    """Return every two bots that met, whichever their versions, the farthest from the expectation first."""
    fitted = fitted_season(season)
    found = residuals(fitted.games, fitted.ratings, fitted.sides.bot)
    members = {one for row in found for one in (row.one, row.other)}
    bots = {one.pk: one.bot for one in Membership.objects.filter(pk__in=members).select_related("bot__owner")}
    return [_row(row, bots) for row in found]


def _row(row: Residual, bots: Mapping[int, Bot]) -> PairRow:
    won_more = row.z >= 0
    one, other = (row.one, row.other) if won_more else (row.other, row.one)
    return PairRow(
        one=bots[one],
        other=bots[other],
        games=round(row.games),
        expected=row.expected if won_more else row.games - row.expected,
        observed=row.observed if won_more else row.games - row.observed,
        z=abs(row.z),
        p=row.p,
        stands_out=row.stands_out,
    )
