"""How ties were broken: each bot against the one below it, and what the numbers of one bot are made of."""

from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.pages.tournament_page import entries_of, tie_breaks_of, words_of
from tournaments.selectors.standings.snapshots import standings_snapshot
from tournaments.selectors.standings.tie_breaks import calculation_of, tie_break_comparison
from tournaments.standings import Row
from tournaments.views.board_pages import Places, board_rendered
from tournaments.views.lookups import shown_tournament
from web.boards import Board, BoardQuery, board_of
from web.page_cache import public_page


@public_page(query=("page", "bot"))
@require_safe
def tie_breaks(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    announced, parts = tie_breaks_of(tournament), []
    query = BoardQuery.of(request, "page", "bot")
    for stage in _stages_with_points(tournament):
        read = partial(_compared, stage, query)
        template = "tournaments/parts/comparisons.html"
        parts.append((stage, board_rendered(request, tournament, query, read, template)))
    by_fide = any(stage.has_fide_tie_breaks for stage in tournament.stages.all())
    context = {"tournament": tournament, "tie_breaks": announced, "stages": parts, "by_fide": by_fide}
    return render(request, "tournaments/tie_breaks.html", context)


def _compared(stage: Stage, query: BoardQuery) -> tuple[dict[str, Any], Board[tuple[Row, Row]], Places]:
    entries = {entry.pk: entry for entry in entries_of(stage.tournament)}
    rows, announced = standings_snapshot(stage).value, tie_breaks_of(stage.tournament)
    pairs = list(pairwise(rows))
    board = board_of(pairs, query, filtered_by="bot", words=partial(_words, entries))
    context = {
        "stage": stage,
        "anchor": f"neighbours{stage.number}",
        "pairs": pairs,
        "comparisons": [tie_break_comparison(upper, lower, announced, entries) for upper, lower in board.rows],
    }
    last = len(pairs) - 1
    return (
        context,
        board,
        {row.entrant: (f"c{stage.number}-{min(at, last) + 1}", min(at, last)) for at, row in enumerate(rows) if pairs},
    )


def _words(entries: Mapping[int, Entry], pair: tuple[Row, Row]) -> tuple[str, ...]:
    return tuple(word for row in pair for word in words_of(entries[row.entrant]))


@public_page()
@require_safe
def calculation(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    entry = tournament.entries.filter(pk=entry_id).select_related("bot").first()
    if entry is None:
        raise Http404(_("This bot is not in this tournament."))
    read, template = partial(_computed, tournament, entry), "tournaments/parts/calculations.html"
    part = board_rendered(request, tournament, BoardQuery(), read, template)
    return render(request, "tournaments/calculation.html", {"tournament": tournament, "entry": entry, "part": part})


def _computed(tournament: Tournament, entry: Entry) -> tuple[dict[str, Any], Board[Entry], Places]:
    entries, announced = entries_of(tournament), tie_breaks_of(tournament)
    by_id = {one.pk: one for one in entries}
    stages = (calculation_of(stage, entry, announced, by_id) for stage in _stages_with_points(tournament))
    return {"calculations": [one for one in stages if one is not None]}, board_of(entries, BoardQuery()), {}


def _stages_with_points(tournament: Tournament) -> list[Stage]:
    """Return the stages whose order comes of points: all that have begun, and the first, but knockouts."""
    stages = tournament.stages.all()
    return [stage for stage in stages if (stage.started_at or stage.number == 1) and not stage.kind.has_bracket]
