"""What other sites show of a link to a league."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from leagues.models import League
from leagues.selectors.ladder import ladder_top
from leagues.selectors.visible import current_season
from leagues.views.lookups import league_or_404
from web.page_cache import public_page
from web.previews import PreviewCard, PreviewHead, preview_head, preview_picture


def preview_of(request: HttpRequest, league: League) -> PreviewHead:
    """Return the head of the league's page for ``site/preview_head.html``."""
    page, picture = (reverse(f"leagues:{one}", args=[league.slug]) for one in ("detail", "preview"))
    return preview_head(request, _card(league), page, picture)


@public_page()
@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the picture of a link to the league: its name, game and state, and who leads its ladder."""
    league = league_or_404(request, slug)
    season = current_season(league)
    first = [row.entry.version.bot.name for row, *_drawn in ladder_top(season, 1) if row.rank] if season else []
    return preview_picture(_card(league, *(_("First: %(name)s") % {"name": name} for name in first)))


def _card(league: League, *lines: str) -> PreviewCard:
    return PreviewCard(game_title(league.game), league.name, (*lines, str(league.get_state_display())))
