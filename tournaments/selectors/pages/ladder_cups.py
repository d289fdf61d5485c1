"""The cups of a league's ladders: which there were, who won, and who was passed over."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from bots.models import Bot
from leagues.models import League
from tournaments.models import (
    LadderCup,
    PassedOver,
    Tournament,
    TournamentState,
    WeeklyCup,
)
from tournaments.selectors.entering.ladder import LadderPlace
from tournaments.selectors.pages.cards import podiums_of


@dataclass(frozen=True, slots=True)
class CupShown:
    """``winners``: several share a first place; nobody before the end, or where results are not everyone's."""

    cup: LadderCup
    winners: tuple[Bot, ...]

    @property
    def tournament(self) -> Tournament:
        return self.cup.tournament


def cups_of(league: League) -> QuerySet[LadderCup]:
    """Return the cups of all seasons of a league, the newest first."""
    found = LadderCup.objects.filter(season__league=league).exclude(tournament__state=TournamentState.DRAFT)
    return found.select_related("tournament", "season").order_by("-pk")


def weekly_of(league: League) -> WeeklyCup | None:
    """Return the plan by which a cup of the league is made every week; None if there is none that goes on."""
    return WeeklyCup.objects.filter(season__league=league, ended_at__isnull=True).select_related("season").first()


def cups_shown(cups: Iterable[LadderCup]) -> list[CupShown]:
    """Return these cups with their winners, as their chains tell them; three queries, however many there are."""
    found = list(cups)
    first = podiums_of([one.tournament for one in found], to_rank=1)
    return [CupShown(one, tuple(bot for _rank, bot in first.get(one.tournament_id, ()))) for one in found]


def passed_over_of(cup: LadderCup) -> list[LadderPlace]:
    """Return who was not entered in the cup, in the order in which that was kept."""
    kept = cup.passed_over
    bots = Bot.objects.select_related("owner").in_bulk([bot for bot, _place, _why in kept]) if kept else {}
    return [LadderPlace(place, bots[bot], PassedOver(why)) for bot, place, why in kept if bot in bots]
