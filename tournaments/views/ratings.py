"""The numbers behind the standings: pages and files of the ratings, how ties were broken, and how the numbers of one
bot are calculated.
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
from tournaments.selectors.pages.tournament_page import entries_of, tie_breaks_of, words_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.adjusted import adjusted_of
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS, Rated, RatingTable, ratings_of, ratings_rows
from tournaments.selectors.standings.results import standings_snapshot
from tournaments.selectors.standings.tie_breaks import calculation_of, tie_break_comparison
from tournaments.standings import Row
from tournaments.standings.table import has_result
from tournaments.views.lookups import Places, board_rendered, shown_tournament
from web.boards import Board, BoardQuery, board_of
from web.downloads import computed_file, csv_response, download_later, json_response
from web.page_cache import public_page


@public_page(query=("page", "bot"))
@require_safe
def ratings(request: HttpRequest, slug: str) -> HttpResponse:
    tournament = shown_tournament(request, slug)
    query = BoardQuery.of(request, "page", "bot")
    part = board_rendered(
        request, tournament, query, partial(_rated, tournament, query), "tournaments/parts/ratings.html"
    )
    return render(request, "tournaments/ratings.html", {"tournament": tournament, "part": part})


def _rated(tournament: Tournament, query: BoardQuery) -> tuple[dict[str, Any], Board[Rated], Places]:
    entries = entries_of(tournament)
    by_id = {entry.pk: entry for entry in entries}
    official = {row.entrant: row.rank for row in standings_snapshot(tournament.stage_to_show).value}
    table = ratings_of(tournament).unpacked()
    luck = adjusted_of(tournament)
    board = board_of(table.lines, query, filtered_by="bot", words=lambda line: words_of(by_id[line.entry]))
    context = {
        "luck": luck,
        "adjusted": [(by_id[line.entry], luck.by_entry.get(line.entry), line.less_luck) for line in board.rows],
        "is_adjusted": bool(luck.by_entry) or any(line.less_luck for line in table.lines),
        "all_provisional": not any(line.rating.settled for line in table.lines),
        "table": table,
        "groups": [
            {"number": number, "entries": [by_id[entry] for entry in group]} for number, group in table.groups()
        ],
        "disqualified": corrections_of(tournament).disqualified,
        "lines": [
            (line, by_id[line.entry], official.get(line.entry), table.places[line.entry] + 1) for line in board.rows
        ],
    }
    return context, board, {line.entry: (f"r{line.entry}", place) for place, line in enumerate(table.lines)}


@computed_file
@require_safe
def export(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    tournament = shown_tournament(request, slug)
    if name == "ratings.csv":
        return csv_response(request, f"{slug}-{name}", RATINGS_COLUMNS, download_later(lambda: _rows(tournament)[1]))
    if name == "ratings.json":
        return json_response(lambda: _data(tournament))
    raise Http404(_("There is ratings.csv and ratings.json."))


def _rows(tournament: Tournament) -> tuple[RatingTable, Iterator[dict[str, Any]]]:
    entries = entries_of(tournament)
    table = ratings_of(tournament).required().unpacked()
    return table, ratings_rows(table, entries)


def _data(tournament: Tournament) -> dict[str, Any]:
    table, rows = _rows(tournament)
    return {"name": tournament.name, "matches": table.matches, "ratings": rows}


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
    pairs = list(pairwise(rows)) if has_result(rows) else []
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
    """Return the first stage and all stages that have begun, without knockouts, which are not ordered by points."""
    stages = tournament.stages.all()
    return [stage for stage in stages if (stage.started_at or stage.number == 1) and not stage.kind.has_bracket]
