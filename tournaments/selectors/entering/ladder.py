"""Who of a ladder would be entered in a cup of its best."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from bots.models import Bot, VersionState
from leagues.models import MembershipState, Season, SeasonEntryState
from leagues.selectors.ladder import LadderRow, ladder_paged
from tournaments.models import PassedOver

LOOKED_AT: Final = 500  # places of a ladder, from the top


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A bot at a ``place`` of the ladder, from 1. ``why``: it is passed over; None: it is entered."""

    place: int
    bot: Bot
    why: PassedOver | None = None


@dataclass(frozen=True, slots=True)
class LadderField:
    """``taken`` and ``passed_over`` in the order of the ladder; nobody is looked at below the last one taken, but those
    who share its rank."""

    taken: tuple[LadderPlace, ...]
    passed_over: tuple[LadderPlace, ...]


def ladder_field(season: Season, best: int) -> LadderField:
    """Return the ``best`` bots of a season's ladder that its organiser may enter. Of bots that share a
    rank those come first that stand higher; of places after ``LOOKED_AT`` nobody is entered."""
    rows = list(ladder_paged(season)[:LOOKED_AT])
    bots = [row.entry.version.bot_id for row in rows]
    ready = Bot.objects.filter(pk__in=bots, current__state=VersionState.ACCEPTED, deleted_at__isnull=True)
    able = frozenset(ready.values_list("pk", flat=True))
    taken: list[LadderPlace] = []
    passed_over: list[LadderPlace] = []
    edge: int | None = None
    tied: list[LadderPlace] = []
    for place, row in enumerate(rows, start=1):
        one = LadderPlace(place, row.entry.version.bot, _why_not(season, row, able))
        if len(taken) < best:
            (passed_over if one.why else taken).append(one)
            edge = row.rank
        elif row.rank is None or row.rank != edge or len(tied) == best:
            break
        elif one.why is None:
            tied.append(replace(one, why=PassedOver.TIED))
    return LadderField(tuple(taken), (*passed_over, *tied))


def _why_not(season: Season, row: LadderRow, able: Collection[int]) -> PassedOver | None:
    entry = row.entry
    bot = entry.version.bot
    if entry.membership.state != MembershipState.ACTIVE or bot.deleted_at is not None:
        return PassedOver.LEFT
    if entry.state == SeasonEntryState.BENCHED:
        return PassedOver.BENCHED
    if bot.pk not in able:
        return PassedOver.NO_VERSION
    agreed = bot.is_house or bot.organisers_may_enter or season.league.enters_cups
    return None if agreed else PassedOver.NOT_AGREED
