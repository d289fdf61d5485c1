"""A page for a projector that shows what goes on on the whole site."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from arena.site.selectors import leagues_glance, tournaments_glance
from arena.watch.selectors import schedule
from arena.watch.timetable import coming
from web.page_cache import NOW_SECONDS, public_page
from web.screens import screen_context

LADDER_ROWS: Final = 16
NEXT_SHOWN: Final = 6


@public_page(max_age=NOW_SECONDS)
@require_safe
def screen(request: HttpRequest) -> HttpResponse:
    """Show boards, tournaments, ladders and what comes next, one after the other. The results of single matches are
    covered for everyone: a wall shows them to people who have not asked."""
    context = screen_context(request, reverse("home"), is_shared=True)
    context |= {
        "boards": schedule().boards,
        "tournaments": tournaments_glance(),
        "leagues": leagues_glance("", LADDER_ROWS),
        "coming": coming(NEXT_SHOWN),
    }
    return render(request, "site/site_screen.html", context)
