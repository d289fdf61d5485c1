"""Tournaments as cards of a list: who won, and when the next round begins."""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Min

from bots.models import Bot
from tournaments.models import (
    PLAYING,
    ChainLink,
    Entry,
    Publication,
    Round,
    Tournament,
    TournamentState,
)
from tournaments.selectors.standings.ranking import PODIUM

TOLD_AT_THE_END = ("stage_end", "standings")  # links with the standings of a stage, or of all


@dataclass(frozen=True, slots=True)
class CardShown:
    """``podium``: rank and bot of the first three, several of a shared rank; nobody before the end, or where results
    are not everyone's. ``next_at``: when a round begins that waits for its time."""

    tournament: Tournament
    podium: Sequence[tuple[int, Bot]]
    next_at: datetime | None


def cards_of(tournaments: Collection[Tournament]) -> list[CardShown]:
    """Return these tournaments with what their cards tell; at most three queries, however many there are."""
    podiums, times = podiums_of(tournaments), _next_rounds(tournaments)
    return [CardShown(one, podiums.get(one.pk, ())[:PODIUM], times.get(one.pk)) for one in tournaments]


def podiums_of(tournaments: Collection[Tournament], *, to_rank: int = PODIUM) -> dict[int, list[tuple[int, Bot]]]:
    """Return rank and bot of the first, by tournament, as the chains tell them; two queries, however many there
    are."""
    over = [
        one.pk
        for one in tournaments
        if one.state == TournamentState.FINISHED and one.publication == Publication.EVERYONE
    ]
    ranks: dict[int, dict[int, int]] = {}
    links = ChainLink.objects.filter(tournament__in=over, kind__in=TOLD_AT_THE_END).order_by("number") if over else ()
    for link in links:
        told = json.loads(link.content)
        rows = (told["stages"][-1] if "stages" in told else told)["standings"]
        first = [row for row in rows if row["rank"] <= to_rank and not row["disqualified"]]
        ranks[link.tournament_id] = {row["entrant"]: row["rank"] for row in first}
    entries = [entry for ranked in ranks.values() for entry in ranked]
    found = defaultdict[int, list[tuple[int, Bot]]](list)
    for entry in Entry.objects.filter(pk__in=entries).select_related("bot__owner") if entries else ():
        found[entry.tournament_id].append((ranks[entry.tournament_id][entry.pk], entry.bot))
    return {pk: sorted(placed, key=lambda one: one[0]) for pk, placed in found.items()}


def _next_rounds(tournaments: Collection[Tournament]) -> dict[int, datetime]:
    timed = [one.pk for one in tournaments if one.state in PLAYING and one.round_minutes and not one.has_round_review]
    if not timed:
        return {}
    waiting = Round.objects.filter(tournament__in=timed, started_at__isnull=True, starts_at__isnull=False)
    return dict(waiting.order_by().values_list("tournament").annotate(Min("starts_at")))
