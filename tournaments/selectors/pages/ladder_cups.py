"""The cups of a league's ladders: which there were, who won, and who was passed over."""

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import QuerySet

from bots.models import Bot
from leagues.models import League
from tournaments.models import (
    ChainLink,
    Entry,
    LadderCup,
    PassedOver,
    Publication,
    Tournament,
    TournamentState,
    WeeklyCup,
)
from tournaments.selectors.entering.ladder import LadderPlace

TOLD_AT_THE_END = ("stage_end", "standings")  # links with the standings of a stage, or of all


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
    over = [
        one.tournament_id
        for one in found
        if one.tournament.state == TournamentState.FINISHED and one.tournament.publication == Publication.EVERYONE
    ]
    first: dict[int, list[int]] = {}
    links = ChainLink.objects.filter(tournament__in=over, kind__in=TOLD_AT_THE_END).order_by("number") if over else ()
    for link in links:
        told = json.loads(link.content)
        rows = (told["stages"][-1] if "stages" in told else told)["standings"]
        first[link.tournament_id] = [row["entrant"] for row in rows if row["rank"] == 1 and not row["disqualified"]]
    entries = [entry for winners in first.values() for entry in winners]
    won: defaultdict[int, list[Bot]] = defaultdict(list)
    for entry in Entry.objects.filter(pk__in=entries).select_related("bot__owner") if entries else ():
        won[entry.tournament_id].append(entry.bot)
    return [CupShown(one, tuple(won[one.tournament_id])) for one in found]


def passed_over_of(cup: LadderCup) -> list[LadderPlace]:
    """Return who was not entered in the cup, in the order in which that was kept."""
    kept = cup.passed_over
    bots = Bot.objects.select_related("owner").in_bulk([bot for bot, _place, _why in kept]) if kept else {}
    return [LadderPlace(place, bots[bot], PassedOver(why)) for bot, place, why in kept if bot in bots]
