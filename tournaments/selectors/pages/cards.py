"""Tournaments as cards in a list, with the podium, and the times of the next round and the next premiere."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bots.models import Bot
from contests.game_settings_form import game_settings_colour, game_title
from tournaments.models import (
    PLAYING,
    Entry,
    Publication,
    Round,
    Tournament,
    TournamentState,
)
from tournaments.selectors.pages.honours import honours_podiums_of
from tournaments.selectors.rounds.fixtures import Progress, fixture_progress_by_tournament
from tournaments.selectors.standings.ranking import PODIUM

GROUPS: Final = (  # the groups of a list, in order
    (_("Running"), (TournamentState.RUNNING, TournamentState.PAUSED)),
    (_("Open for entries"), (TournamentState.OPEN, TournamentState.LOCKED)),
    (_("Drafts"), (TournamentState.DRAFT,)),
    (_("Finished"), (TournamentState.FINISHED,)),
    (_("Cancelled"), (TournamentState.CANCELLED,)),
)
GROUP_OF: Final = {state: number for number, (_label, states) in enumerate(GROUPS) for state in states}


@dataclass(frozen=True, slots=True)
class CardShown:
    """A tournament as a card.

    ``podium`` has the bots at the first three ranks, each with its rank; several bots may share a rank. It is empty
    before the end, and if the results are not public. ``next_at`` is when the next waiting round begins.
    ``premiere_at`` is when the next premiere of a round or match takes place. ``progress`` counts the matches of a
    running tournament whose results are public.
    """

    tournament: Tournament
    podium: Sequence[tuple[int, Bot]]
    next_at: datetime | None = None
    premiere_at: datetime | None = None
    progress: Progress | None = None

    @property
    def is_unlike_its_group(self) -> bool:
        """Whether the tournament has another state than the one after which its group is named."""
        return self.tournament.state in (TournamentState.PAUSED, TournamentState.LOCKED)

    @property
    def game_title(self) -> str:
        return game_title(self.tournament.game)

    @property
    def colour(self) -> str:
        return game_settings_colour(self.tournament.game)


def tournament_cards_order(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Sort tournaments in the order of ``GROUPS``.

    Within a group, running tournaments come before paused ones. Then the earliest start comes first. After that, the
    latest end comes first; for a tournament that has not ended, its creation counts instead.
    """
    group = Case(*(When(state=state, then=Value(number)) for state, number in GROUP_OF.items()))
    paused = Case(When(state=TournamentState.PAUSED, then=Value(1)), default=Value(0))
    starts_at = Case(When(state__in=(TournamentState.OPEN, TournamentState.LOCKED), then=F("first_round_at")))
    newest = Coalesce("finished_at", "created_at")
    return tournaments.order_by(group, paused, starts_at.asc(nulls_last=True), newest.desc(), "-pk")


def tournament_cards_grouped(cards: Sequence[CardShown]) -> list[tuple[str | Promise, list[CardShown]]]:
    """Return the label and the cards of each group that has cards.

    The cards must be in the order of ``tournament_cards_order``.
    """
    groups = groupby(cards, key=lambda card: GROUP_OF[TournamentState(card.tournament.state)])
    return [(GROUPS[number][0], list(found)) for number, found in groups]


def tournament_cards_of(tournaments: Collection[Tournament]) -> list[CardShown]:
    """Return the cards of these tournaments. Takes at most four queries, however many tournaments there are."""
    podiums, times, progresses = honours_podiums_of(tournaments), _next_rounds(tournaments), _progresses(tournaments)
    cards = []
    for one in tournaments:
        (next_at, premiere_at), progress = times.get(one.pk, (None, None)), progresses.get(one.pk)
        premiere_at = premiere_at or (progress.airs_at if progress else None)
        cards.append(CardShown(one, podiums.get(one.pk, ())[:PODIUM], next_at, premiere_at, progress))
    return cards


def _progresses(tournaments: Collection[Tournament]) -> dict[int, Progress]:
    """Return the progress of the running tournaments with public results."""
    shown = [one for one in tournaments if one.state in PLAYING and one.publication == Publication.EVERYONE]
    return fixture_progress_by_tournament(shown) if shown else {}


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


def tournaments_with_counts(tournaments: QuerySet[Tournament]) -> QuerySet[Tournament]:
    """Annotate ``tournaments`` with ``entry_count``, the number of bots that take part."""
    return tournaments.annotate(entry_count=tournament_entries_counted(is_withdrawn=False))


def tournament_entries_counted(**which: Any) -> Coalesce:
    """Return a subquery that counts the entries of an outer tournament that fulfil ``which``.

    A join would have to group by all columns of the tournament.
    """
    entries = Entry.objects.filter(tournament=OuterRef("pk"), **which).order_by()
    return Coalesce(Subquery(entries.values("tournament").annotate(count=Count("pk")).values("count")), 0)
