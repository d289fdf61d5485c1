"""The ladder of a league for frames in other sites; it follows the league by itself."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from leagues.models import League
from leagues.selectors.ladder import ladder_top
from leagues.selectors.visible import current_season
from leagues.views.lookups import league_or_404
from web.framing import EmbedOffered, embeddable, theme_asked
from web.page_cache import public_page
from web.topics import topic_ticket

ROWS: Final = 20


def embeds_offered(league: League) -> list[EmbedOffered]:
    """Return the parts that are worth to be shown elsewhere."""
    address = reverse("leagues:embed", args=[league.slug])
    return [EmbedOffered("ladder", gettext_lazy("Ladder"), 560, address)] if league.is_everyones else []


@public_page(query=("theme",))
@require_safe
@embeddable
def embed(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the upper end of the ladder alone, for a frame in anyone's page."""
    league = league_or_404(request, slug)
    season = current_season(league)
    context = {
        "league": league,
        "rows": ladder_top(season, ROWS) if season else (),
        "asked_theme": theme_asked(request.GET),
        "page_path": reverse("leagues:detail", args=[league.slug]),
        "topic": topic_ticket(f"league.{league.pk}"),
        "is_shared": league.is_everyones,
    }
    return render(request, "leagues/embed.html", context)
