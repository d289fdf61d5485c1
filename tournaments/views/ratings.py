"""The numbers behind the standings.

Pages and files show the ratings, how ties were broken, and how the numbers of one bot are calculated.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Entry, Stage, Tournament
from tournaments.selectors.pages.tournament_page import tournament_board_filter_words, tournament_entries_of
from tournaments.selectors.rulings.corrections import ruling_corrections_of
from tournaments.selectors.standings.adjusted import adjusted_standings_of
from tournaments.selectors.standings.ranking import standings_snapshot
from tournaments.selectors.standings.ratings import (
    RATINGS_COLUMNS,
    Rated,
    RatingTable,
    tournament_ratings_of,
    tournament_ratings_rows,
)
from tournaments.selectors.standings.tie_breaks import (
    tie_break_calculation_of,
    tie_break_comparison_of,
    tournament_tie_breaks_of,
)
from tournaments.standings import Row
from tournaments.standings.table import has_standings_result
from tournaments.views.lookups import Places, shown_tournament, tournament_board_rendered
from web.boards import Board, BoardQuery, board_of
from web.downloads import csv_response, download_lazily, download_limited, json_file_response
from web.page_cache import public_page


@public_page(query=("page", "bot"))
@require_safe
def tournament_ratings_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    query = BoardQuery.of(request, "page", "bot")
    part = tournament_board_rendered(
        request, tournament, query, partial(_rated, tournament, query), "tournaments/parts/ratings.html"
    )
    return render(request, "tournaments/ratings.html", {"tournament": tournament, "part": part})


def _rated(tournament: Tournament, query: BoardQuery) -> tuple[dict[str, Any], Board[Rated], Places]:
    entries = tournament_entries_of(tournament)
    by_id = {entry.pk: entry for entry in entries}
    official = {row.entrant: row.rank for row in standings_snapshot(tournament.stage_to_show).value}
    table = tournament_ratings_of(tournament).unpacked()
    luck = adjusted_standings_of(tournament)
    has_shares = any(luck.by_entry.values())
    board = board_of(
        table.lines, query, filtered_by="bot", words=lambda line: tournament_board_filter_words(by_id[line.entry])
    )
    context = {
        "luck": luck,
        "adjusted": [(by_id[line.entry], luck.by_entry.get(line.entry), line.less_luck) for line in board.rows],
        "has_shares": has_shares,
        "is_adjusted": has_shares or any(line.less_luck for line in table.lines),
        "all_provisional": not any(line.rating.settled for line in table.lines),
        "table": table,
        "groups": [
            {"number": number, "entries": [by_id[entry] for entry in group]} for number, group in table.groups()
        ],
        "disqualified": ruling_corrections_of(tournament).disqualified,
        "lines": [
            (line, by_id[line.entry], official.get(line.entry), table.places[line.entry] + 1) for line in board.rows
        ],
    }
    return context, board, {line.entry: (f"r{line.entry}", place) for place, line in enumerate(table.lines)}


@download_limited
@require_safe
def tournament_ratings_file_view(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    tournament = shown_tournament(request, slug)
    if name == "ratings.csv":
        return csv_response(
            request, f"{slug}-{name}", RATINGS_COLUMNS, download_lazily(lambda: _ratings_export_rows(tournament)[1])
        )
    if name == "ratings.json":
        return json_file_response(lambda: _data(tournament))
    raise Http404(_("There is ratings.csv and ratings.json."))


def _ratings_export_rows(tournament: Tournament) -> tuple[RatingTable, Iterator[dict[str, Any]]]:
    entries = tournament_entries_of(tournament)
    table = tournament_ratings_of(tournament).required().unpacked()
    return table, tournament_ratings_rows(table, entries)


def _data(tournament: Tournament) -> dict[str, Any]:
    table, rows = _ratings_export_rows(tournament)
    return {"name": tournament.name, "matches": table.matches, "ratings": rows}


@public_page(query=("page", "bot"))
@require_safe
def tournament_tie_breaks_view(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    announced, parts = tournament_tie_breaks_of(tournament), []
    query = BoardQuery.of(request, "page", "bot")
    for stage in _stages_with_points(tournament):
        read = partial(_compared, stage, query)
        template = "tournaments/parts/comparisons.html"
        parts.append((stage, tournament_board_rendered(request, tournament, query, read, template)))
    by_fide = any(stage.has_fide_tie_breaks for stage in tournament.stages.all())
    context = {"tournament": tournament, "tie_breaks": announced, "stages": parts, "by_fide": by_fide}
    return render(request, "tournaments/tie_breaks.html", context)


def _compared(stage: Stage, query: BoardQuery) -> tuple[dict[str, Any], Board[tuple[Row, Row]], Places]:
    entries = {entry.pk: entry for entry in tournament_entries_of(stage.tournament)}
    rows, announced = standings_snapshot(stage).value, tournament_tie_breaks_of(stage.tournament)
    pairs = list(pairwise(rows)) if has_standings_result(rows) else []
    board = board_of(pairs, query, filtered_by="bot", words=partial(_rating_filter_words, entries))
    context = {
        "stage": stage,
        "anchor": f"neighbours{stage.number}",
        "pairs": pairs,
        "comparisons": [tie_break_comparison_of(upper, lower, announced, entries) for upper, lower in board.rows],
    }
    last = len(pairs) - 1
    return (
        context,
        board,
        {row.entrant: (f"c{stage.number}-{min(at, last) + 1}", min(at, last)) for at, row in enumerate(rows) if pairs},
    )


def _rating_filter_words(entries: Mapping[int, Entry], pair: tuple[Row, Row]) -> tuple[str, ...]:
    return tuple(word for row in pair for word in tournament_board_filter_words(entries[row.entrant]))


@public_page()
@require_safe
def tie_break_calculation_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    entry = tournament.entries.filter(pk=entry_id).select_related("bot").first()
    if entry is None:
        raise Http404(_("This bot is not in this tournament."))
    read, template = partial(_computed, tournament, entry), "tournaments/parts/calculations.html"
    part = tournament_board_rendered(request, tournament, BoardQuery(), read, template)
    return render(request, "tournaments/calculation.html", {"tournament": tournament, "entry": entry, "part": part})


def _computed(tournament: Tournament, entry: Entry) -> tuple[dict[str, Any], Board[Entry], Places]:
    entries, announced = tournament_entries_of(tournament), tournament_tie_breaks_of(tournament)
    by_id = {one.pk: one for one in entries}
    stages = (tie_break_calculation_of(stage, entry, announced, by_id) for stage in _stages_with_points(tournament))
    return {"calculations": [one for one in stages if one is not None]}, board_of(entries, BoardQuery()), {}


def _stages_with_points(tournament: Tournament) -> list[Stage]:
    """Return the first stage and all stages that have begun, but no knockouts: they are not ordered by points."""
    stages = tournament.stages.all()
    return [stage for stage in stages if (stage.started_at or stage.number == 1) and not stage.kind.has_bracket]
