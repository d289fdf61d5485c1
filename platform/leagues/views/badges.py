"""The badge of a bot in a league: its rank and rating, for a README."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from leagues.selectors.ladder import ladder_line
from leagues.selectors.visible import current_season
from leagues.views.lookups import league_or_404
from web.badges import badge_response
from web.page_cache import public_page


@public_page()
@require_safe
def badge(request: HttpRequest, slug: str, bot: str) -> HttpResponse:
    """Show the number of the bot on the ladder and its rating with half of the 95 % interval; a dash before it has
    played. In figures only, so that it is the same in all languages."""
    league = league_or_404(request, slug)
    membership = get_object_or_404(league.memberships.select_related("bot"), bot__slug=bot)
    season = current_season(league)
    row, number = ladder_line(season, membership) if season else (None, None)
    figure = f"#{number} · {row.points:.0f} ± {row.within:.0f}" if row and number else "\N{EN DASH}"
    return badge_response(league.name, figure)
