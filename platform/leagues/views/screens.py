"""A page for a projector that follows the league by itself."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from leagues.selectors.ladder import ladder_top
from leagues.selectors.matches import fixtures_recent, progress_of
from leagues.selectors.visible import current_season
from leagues.views.lookups import league_or_404
from web.page_cache import public_page
from web.screens import screen_context

ROWS: Final = 60
ROWS_BESIDE: Final = 12
MATCHES: Final = 12


@public_page()
@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ladder and the latest matches, for people at the back of the room. The page requests itself for its
    parts that change."""
    league = league_or_404(request, slug)
    season = current_season(league)
    page = reverse("leagues:detail", args=[league.slug])
    context = screen_context(request, page, topic=f"league.{league.pk}", is_shared=league.is_everyones)
    context |= {"league": league, "season": season, "game_title": game_title(league.game)}
    if season is not None:
        rows = ladder_top(season, ROWS)
        context |= {
            "rows": rows,
            "is_long": len(rows) > ROWS_BESIDE,
            "fixtures": fixtures_recent(season, MATCHES),
            "progress": progress_of(season),
        }
    return render(request, "leagues/screen.html", context)
