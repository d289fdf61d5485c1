"""The winners of the site's events."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from games.catalogue import GAMES
from tournaments.selectors.pages.honours import PLACES_MOST, honours
from web.page_cache import LIST_SECONDS, public_page

ON_A_PAGE: Final = 24


@public_page(max_age=LIST_SECONDS, query=("game", "page"))
@require_safe
def honours_page(request: HttpRequest) -> HttpResponse:
    """Show who won what, the last event first."""
    game = request.GET.get("game", "")
    game = game if game in GAMES else ""
    page = Paginator(honours(game), ON_A_PAGE).get_page(request.GET.get("page"))
    games = [(name, game_title(name)) for name in GAMES]
    context = {"page": page, "game": game, "games": games, "places_most": PLACES_MOST}
    return render(request, "tournaments/honours.html", context)
