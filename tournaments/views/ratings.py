"""The ratings of a tournament's bots, to look at and to keep."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.selectors.pages.tournament_page import entries_of, words_of
from tournaments.selectors.rulings.corrections import corrections_of
from tournaments.selectors.standings.adjusted import adjusted_of
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS, Rated, RatingTable, ratings_of, ratings_rows
from tournaments.selectors.standings.snapshots import standings_snapshot
from tournaments.views.board_pages import Places, board_rendered
from tournaments.views.lookups import shown_tournament
from web.boards import Board, BoardQuery, board_of
from web.downloads import computed_file, csv_response, json_response, later
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
        return csv_response(request, f"{slug}-{name}", RATINGS_COLUMNS, later(lambda: _rows(tournament)[1]))
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
