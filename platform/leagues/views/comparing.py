"""Pages that compare the bots of a season: a matrix of all bots, and two bots side by side."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from bots.models import Bot
from leagues.forms import CompareForm
from leagues.models import Membership, Season
from leagues.selectors.bots import league_bot_graph
from leagues.selectors.comparing import (
    CANDIDATES_MOST,
    COLUMNS,
    season_compared_member,
    season_comparison_bot_names,
    season_comparison_matrix_of,
    season_comparison_members_meant,
    season_comparison_neighbours_of,
    season_comparison_of,
    season_comparison_typed_for,
)
from leagues.selectors.matches import league_bot_season_matches, league_matches_with_seats
from leagues.selectors.shares import MATCHES_MOST
from leagues.views.lookups import season_or_404
from leagues.views.pages import league_division_tabs
from web.boards import BoardQuery, board_of
from web.page_cache import public_page

MATCHES_SHOWN: Final = 12
MATRIX_WORDS: Final = ("page", "bot", "division")
COMPARED_WORDS: Final = ("one", "other")


@public_page(query=MATRIX_WORDS)
@require_safe
def season_head_to_head_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the shares of games that each bot of a division won against the first bots of the division."""
    season = season_or_404(request, slug, number)
    query = BoardQuery.of(request, *MATRIX_WORDS)
    division = min(max(query.number("division") or 1, 1), season.divisions)
    matrix = season_comparison_matrix_of(season, division, people=bool(query.text("bot")))
    board = board_of(matrix.order, query, filtered_by="bot", words=matrix.names)
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "divisions": league_division_tabs(query, season, division, 1),
        "columns": [(at, row.entry.version.bot) for at, row in matrix.columns],
        "board": board.showing(matrix.rows(board.rows)),
        "first": COLUMNS,
        "most": MATCHES_MOST if season.scheduled > MATCHES_MOST else 0,
    }
    return render(request, "leagues/head_to_head.html", context)


@dataclass(frozen=True, slots=True)
class BotAsked:
    """What the user typed for one of the two bots, and the members that match it.

    If several members match, ``choices`` has the first of them, each with the query string that chooses it. ``shown``
    is the text of the field.
    """

    name: str
    typed: str
    shown: str
    members: Sequence[Membership]
    choices: Sequence[tuple[Bot, str]]

    @property
    def member(self) -> Membership | None:
        return self.members[0] if len(self.members) == 1 else None

    @property
    def has_more(self) -> bool:
        return len(self.members) > len(self.choices)


def _bot_from_query(season: Season, query: BoardQuery, name: str) -> BotAsked:
    typed = query.text(name)
    members = season_comparison_members_meant(season, typed)
    shown = season_comparison_typed_for(season, members[0].bot) if len(members) == 1 else typed
    choices = [(one.bot, query.but(**{name: one.bot.slug})) for one in members[:CANDIDATES_MOST]]
    return BotAsked(name, typed, shown, members, choices)


@public_page(query=COMPARED_WORDS)
@require_safe
def season_compare_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show two bots of the season side by side, or let the reader choose them. Neighbours at the top are suggested.

    If no bot of the season matches a typed name, the page with the field answers 404.
    """
    season = season_or_404(request, slug, number)
    query, names = BoardQuery.of(request, *COMPARED_WORDS), season_comparison_bot_names(season)
    requested = [_bot_from_query(season, query, name) for name in COMPARED_WORDS if query.text(name)]
    chosen = [season_compared_member(season, one.member) for one in requested if one.member]
    context: dict[str, Any] = {
        "league": season.league,
        "season": season,
        "form": CompareForm({one.name: one.shown for one in requested}),
        "names": list(dict.fromkeys(names)),
        "unclear": [one for one in requested if one.member is None],
        "chosen": chosen,
    }
    if len(chosen) == 2 and chosen[0].bot != chosen[1].bot:
        one, other = chosen
        met = league_bot_season_matches(season, one.bot, opponent=other.bot.slug)[:MATCHES_SHOWN]
        context |= {
            "one": one,
            "other": other,
            "found": season_comparison_of(season, one, other),
            "graph": league_bot_graph(one.points, other.points),
            "fixtures": league_matches_with_seats(list(met)),
        }
    elif not requested:
        context["neighbours"] = season_comparison_neighbours_of(season)
    is_known = all(one.members for one in requested)
    return render(request, "leagues/compare.html", context, status=HTTPStatus.OK if is_known else HTTPStatus.NOT_FOUND)
