"""Honours: the page and the feed with the winners of tournaments and league seasons."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from games.catalogue import GAMES
from tournaments.selectors.pages.honours import PLACES_MOST, honours
from web.feeds import ENTRIES_MOST, FeedEntry, feed_answer, feed_podium_html
from web.page_cache import LIST_SECONDS, public_page

ON_A_PAGE: Final = 24


@public_page(max_age=LIST_SECONDS, query=("game", "page"))
@require_safe
def honours_view(request: HttpRequest) -> HttpResponse:
    """Show the winners of events, the latest event first."""
    game = request.GET.get("game", "")
    game = game if game in GAMES else ""
    page = Paginator(honours(game), ON_A_PAGE).get_page(request.GET.get("page"))
    games = [(name, game_title(name)) for name in GAMES]
    context = {"page": page, "game": game, "games": games, "places_most": PLACES_MOST}
    return render(request, "tournaments/honours.html", context)


@public_page(max_age=LIST_SECONDS)
@require_safe
def honours_feed_view(request: HttpRequest) -> HttpResponse:
    """Send the feed of the winners of tournaments and league seasons."""
    entries = [
        FeedEntry(
            f"{event.kind}-{event.pk}",
            _("%(event)s, season %(number)d") % {"event": event.name, "number": event.season}
            if event.season
            else event.name,
            event.address,
            event.ended_at,
            html=feed_podium_html((rank, bot.name) for rank, bot in event.podium),
        )
        for event in honours()[:ENTRIES_MOST]
    ]
    return feed_answer(request, _("Honours"), reverse("honours:list"), entries)
