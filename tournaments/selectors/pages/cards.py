"""Tournaments as cards in a list, with the podium, and the time when the next round begins or is shown."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

import msgspec
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.models import Bot
from contests.game_settings_form import game_colour, game_title
from tournaments.models import (
    PLAYING,
    ChainLink,
    Entry,
    Publication,
    Round,
    Tournament,
    TournamentState,
)
from tournaments.selectors.rounds.fixtures import Progress, tournament_progresses_of
from tournaments.selectors.standings.ranking import PODIUM

TOLD_AT_THE_END = ("stage_end", "standings")  # links with the standings of a stage, or of all
GROUPS: Final = (  # of a list, in its order
    (_("Running"), (TournamentState.RUNNING, TournamentState.PAUSED)),
    (_("Open for entries"), (TournamentState.OPEN, TournamentState.LOCKED)),
    (_("Drafts"), (TournamentState.DRAFT,)),
    (_("Finished"), (TournamentState.FINISHED,)),
    (_("Cancelled"), (TournamentState.CANCELLED,)),
)
GROUP_OF: Final = {state: number for number, (_label, states) in enumerate(GROUPS) for state in states}


class PlaceTold(msgspec.Struct):
    """What a podium needs of a row of standings in the chain, which has a dozen fields more."""

    entrant: int
    rank: int
    disqualified: bool


class StandingsTold(msgspec.Struct):
    """A link in ``TOLD_AT_THE_END``: the standings of a stage, or those of each."""

    standings: list[PlaceTold] = []
    stages: list["StandingsTold"] = []


@dataclass(frozen=True, slots=True)
class CardShown:
    """A tournament as a card.

    ``podium`` has rank and bot of the first three ranks, several bots for a shared rank. It is empty before the end, or
    if the results are not public. ``next_at`` is when the next waiting round begins, ``premiere_at`` when the next
    premiere of a round or match is. ``progress`` counts the matches of a running tournament with public results.
    """

    tournament: Tournament
    podium: Sequence[tuple[int, Bot]]
    next_at: datetime | None = None
    premiere_at: datetime | None = None
    progress: Progress | None = None

    @property
    def is_unlike_its_group(self) -> bool:
        """Whether its state is not the one that its group is named for."""
        return self.tournament.state in (TournamentState.PAUSED, TournamentState.LOCKED)

    @property
    def game_title(self) -> str:
        return game_title(self.tournament.game)

    @property
    def colour(self) -> str:
        return game_colour(self.tournament.game)


def tournament_cards_order(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Sort tournaments in the order of ``GROUPS``, the newest of each group first."""
    cases = (When(state=state, then=Value(number)) for state, number in GROUP_OF.items())
    return tournaments.order_by(Case(*cases), "-created_at", "-pk")


def tournament_cards_grouped(cards: Sequence[CardShown]) -> list[tuple[str | Promise, list[CardShown]]]:
    """Return label and cards of each group that has cards.

    The cards must be in the order of ``tournament_cards_order``.
    """
    groups = groupby(cards, key=lambda card: GROUP_OF[TournamentState(card.tournament.state)])
    return [(GROUPS[number][0], list(found)) for number, found in groups]


def tournament_cards_of(tournaments: Collection[Tournament]) -> list[CardShown]:
    """Return the cards of these tournaments. Takes at most four queries, however many tournaments there are."""
    podiums, times, progresses = tournament_podiums_of(tournaments), _next_rounds(tournaments), _progresses(tournaments)
    cards = []
    for one in tournaments:
        (next_at, premiere_at), progress = times.get(one.pk, (None, None)), progresses.get(one.pk)
        premiere_at = premiere_at or (progress.airs_at if progress else None)
        cards.append(CardShown(one, podiums.get(one.pk, ())[:PODIUM], next_at, premiere_at, progress))
    return cards


def tournament_podiums_of(
    tournaments: Collection[Tournament], *, to_rank: int = PODIUM
) -> dict[int, list[tuple[int, Bot]]]:
    """Return rank and bot of the ranks up to ``to_rank``, by tournament, as recorded in the chains.

    Only finished tournaments with public results have a podium. Takes two queries, however many tournaments there are.
    """
    over = [
        one.pk
        for one in tournaments
        if one.state == TournamentState.FINISHED and one.publication == Publication.EVERYONE
    ]
    ranks: dict[int, dict[int, int]] = {}
    links = ChainLink.objects.filter(tournament__in=over, kind__in=TOLD_AT_THE_END).order_by("number") if over else ()
    for link in links:
        told = msgspec.json.decode(link.content, type=StandingsTold)
        rows = (told.stages[-1] if told.stages else told).standings
        first = [row for row in rows if row.rank <= to_rank and not row.disqualified]
        ranks[link.tournament_id] = {row.entrant: row.rank for row in first}
    entries = [entry for ranked in ranks.values() for entry in ranked]
    found = defaultdict[int, list[tuple[int, Bot]]](list)
    for entry in Entry.objects.filter(pk__in=entries).select_related("bot__owner") if entries else ():
        found[entry.tournament_id].append((ranks[entry.tournament_id][entry.pk], entry.bot))
    return {pk: sorted(placed, key=lambda one: one[0]) for pk, placed in found.items()}


def _progresses(tournaments: Collection[Tournament]) -> dict[int, Progress]:
    """Return the progress of the running tournaments with public results."""
    shown = [one for one in tournaments if one.state in PLAYING and one.publication == Publication.EVERYONE]
    return tournament_progresses_of(shown) if shown else {}


def _next_rounds(tournaments: Collection[Tournament]) -> dict[int, tuple[datetime | None, datetime | None]]:
    """Return when the next round begins automatically, and when the next premiere is, by tournament."""
    playing = {one.pk: one for one in tournaments if one.state in PLAYING}
    if not playing:
        return {}
    now = timezone.now()
    to_come = Q(started_at__isnull=True, starts_at__isnull=False) | Q(premieres_at__gt=now)
    times = defaultdict[int, tuple[list[datetime], list[datetime]]](lambda: ([], []))
    rounds = Round.objects.filter(to_come, tournament__in=playing).order_by()
    for pk, started_at, starts_at, premieres_at in rounds.values_list(
        "tournament", "started_at", "starts_at", "premieres_at"
    ):
        begin, show = times[pk]
        if started_at is None and starts_at and not playing[pk].has_round_review:
            begin.append(starts_at)
        if premieres_at and premieres_at > now:
            show.append(premieres_at)
    return {pk: (min(begin, default=None), min(show, default=None)) for pk, (begin, show) in times.items()}
