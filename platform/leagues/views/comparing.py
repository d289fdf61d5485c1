"""Pages that set the bots of a season against each other: the matrix of all, and two of them side by side."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leagues.forms import CompareForm
from leagues.selectors.bots import graph_of, season_matches_of
from leagues.selectors.head_to_head import COLUMNS, compared, comparison_of, matrix_of, season_bots
from leagues.selectors.matches import with_seats
from leagues.selectors.shares import MATCHES_MOST
from leagues.views.lookups import season_or_404
from leagues.views.pages import divisions_offered
from web.boards import BoardQuery, board_of
from web.page_cache import public_page

MATCHES_SHOWN: Final = 12
MATRIX_WORDS: Final = ("page", "bot", "division")


@public_page(query=MATRIX_WORDS)
@require_safe
def head_to_head(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show what each bot of a division won of its first ones."""
    season = season_or_404(request, slug, number)
    query = BoardQuery.of(request, *MATRIX_WORDS)
    division = min(max(query.number("division") or 1, 1), season.divisions)
    matrix = matrix_of(season, division, people=bool(query.text("bot")))
    board = board_of(matrix.order, query, filtered_by="bot", words=matrix.names)
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "divisions": divisions_offered(query, season, division, 1),
        "columns": [(at, row.entry.version.bot) for at, row in matrix.columns],
        "board": board.showing(matrix.rows(board.rows)),
        "first": COLUMNS,
        "most": MATCHES_MOST if season.scheduled > MATCHES_MOST else 0,
    }
    return render(request, "leagues/head_to_head.html", context)


@public_page(query=("one", "other"))
@require_safe
def compare(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show two bots of the season side by side, or let the reader choose them. A bot that is not in it is a 404."""
    season = season_or_404(request, slug, number)
    bots = season_bots(season)
    form = CompareForm(request.GET.dict(), bots=bots)
    if not set(form.chosen()) <= {slug for slug, _name in bots}:
        raise Http404
    chosen = [compared(season, one) for one in form.chosen()]
    context: dict[str, Any] = {"league": season.league, "season": season, "form": form, "chosen": chosen}
    if len(chosen) == 2 and chosen[0].bot != chosen[1].bot:
        one, other = chosen
        met = season_matches_of(season, one.bot, opponent=other.bot.slug)[:MATCHES_SHOWN]
        context |= {
            "one": one,
            "other": other,
            "found": comparison_of(season, one, other),
            "graph": graph_of(one.points, other.points),
            "fixtures": with_seats(list(met)),
        }
    return render(request, "leagues/compare.html", context)
