"""Cups of a league: the bots of the ladder that a cup takes, the existing cups, and the plan of the weekly cup."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q, QuerySet

from bots.models import Bot, VersionState
from contests.audience import audience_listed_to, audience_shown_to
from leagues.models import League, MembershipState, Season, SeasonEntryState
from leagues.selectors.ladder import LadderRow, ladder_paged
from tournaments.models import LadderCup, PassedOver, Tournament, TournamentState, WeeklyCup
from tournaments.selectors.pages.honours import honours_podiums_of

LOOKED_AT: Final = 500  # bots are entered only from the first so many places of a ladder


@dataclass(frozen=True, slots=True)
class LadderPlace:
    """A bot at a ``place`` of the ladder, from 1.

    ``why`` is the reason for which a cup passes it over; None if the cup enters it.
    """

    place: int
    bot: Bot
    why: PassedOver | None = None


@dataclass(frozen=True, slots=True)
class LadderField:
    """The bots that a cup takes, and the bots that it passes over, in the order of the ladder.

    Of the bots below the last one that is taken, ``passed_over`` has only those with the same rank as this one.
    """

    taken: tuple[LadderPlace, ...]
    passed_over: tuple[LadderPlace, ...]


def ladder_cup_field(season: Season, best: int) -> LadderField:
    """Return the ``best`` bots of a season's ladder that its organiser may enter.

    Bots that share a rank are taken in the order of the ladder. Bots after ``LOOKED_AT`` places are not taken.
    """
    rows = list(ladder_paged(season)[:LOOKED_AT])
    bots = [row.entry.version.bot_id for row in rows]
    ready = Bot.objects.filter(pk__in=bots, current__state=VersionState.ACCEPTED, deleted_at__isnull=True)
    able = frozenset(ready.values_list("pk", flat=True))
    taken: list[LadderPlace] = []
    passed_over: list[LadderPlace] = []
    edge: tuple[int, int | None] | None = None  # the division and the rank of the last bot taken
    tied: list[LadderPlace] = []
    for place, row in enumerate(rows, start=1):
        one = LadderPlace(place, row.entry.version.bot, _passed_over_reason(season, row, able))
        if len(taken) < best:
            (passed_over if one.why else taken).append(one)
            edge = row.entry.division, row.rank
        elif row.rank is None or (row.entry.division, row.rank) != edge or len(tied) == best:
            break
        elif one.why is None:
            tied.append(replace(one, why=PassedOver.TIED))
    return LadderField(tuple(taken), (*passed_over, *tied))


def _passed_over_reason(season: Season, row: LadderRow, able: Collection[int]) -> PassedOver | None:
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


@dataclass(frozen=True, slots=True)
class CupShown:
    """A cup with its winners.

    It has several winners if they share the first place. It has none before the end, and if the results are not public.
    """

    cup: LadderCup
    winners: tuple[Bot, ...]

    @property
    def tournament(self) -> Tournament:
        return self.cup.tournament


def ladder_cups_of(league: League, user: AbstractBaseUser | AnonymousUser) -> QuerySet[LadderCup]:
    """Return the cups of all seasons of a league that ``user`` may see, the newest first.

    If the league is listed, only listed cups are returned.
    """
    shown = (audience_shown_to if league.is_unlisted else audience_listed_to)(user, "tournament__")
    found = LadderCup.objects.filter(shown | Q(tournament__organiser=user.pk), season__league=league)
    found = found.exclude(tournament__state=TournamentState.DRAFT)
    return found.select_related("tournament", "season").order_by("-pk")


def weekly_cup_of(league: League) -> WeeklyCup | None:
    """Return the plan of the league's weekly cup; None if there is none, or if it has ended."""
    return WeeklyCup.objects.filter(season__league=league, ended_at__isnull=True).select_related("season").first()


def ladder_cups_shown(cups: Iterable[LadderCup]) -> list[CupShown]:
    """Return these cups with their winners, as recorded in their chains.

    Takes three queries, however many cups there are.
    """
    found = list(cups)
    first = honours_podiums_of([one.tournament for one in found], to_rank=1)
    return [CupShown(one, tuple(bot for _rank, bot in first.get(one.tournament_id, ()))) for one in found]


def ladder_cup_passed_over(cup: LadderCup) -> list[LadderPlace]:
    """Return the bots that were passed over when the cup was created, in the stored order."""
    passed_over = cup.passed_over
    bots = (
        Bot.objects.select_related("owner").in_bulk([bot for bot, _place, _why in passed_over]) if passed_over else {}
    )
    return [LadderPlace(place, bots[bot], PassedOver(why)) for bot, place, why in passed_over if bot in bots]
