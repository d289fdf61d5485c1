"""Pages where something is always on."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.site.selectors import leagues_glance
from arena.watch.calendar import calendar
from arena.watch.selectors import programme
from arena.watch.timetable import LISTED, coming
from games.catalogue import GAMES
from matches.pages.results_choice import shows_results

LEADERS: Final = 10  # on the leaderboard of a game


@require_safe
def watch(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show what is on in all games; or the page of one game: its channel, its leaderboard and the way to its rules."""
    context = watch_context(request, name)
    if name:
        context |= {"leagues": leagues_glance(name, LEADERS), "game": GAMES[name], "tagline": _(GAMES[name].tagline)}
    return render(request, "watch/page.html", context)


@require_safe
def cells(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show the boards alone, for pages that keep them fresh."""
    return render(request, "watch/cells.html", watch_context(request, name))


@require_safe
def timetable_file(request: HttpRequest) -> HttpResponse:
    """Send what comes next, for calendars to subscribe to."""
    origin = f"{request.scheme}://{request.get_host()}"
    text = calendar(coming(LISTED), host=request.get_host(), origin=origin, now=timezone.now())
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


def watch_context(request: HttpRequest, name: str = "") -> dict[str, Any]:
    """Return what the boards of a channel are drawn from.

    Raises:
        Http404: there is no such game.
    """
    if name and name not in GAMES:
        raise Http404(_("There is no such game here."))
    shown = programme(name)
    return {
        "channel": name,
        "channels": [(game.name, _(game.title)) for game in GAMES.values()],
        "titles": {game.name: _(game.title) for game in GAMES.values()},
        "on": shown.on,
        "left": shown.on.left(timezone.now()) if shown.on else 0,
        "main": shown.boards[0] if shown.on else None,
        "boards": shown.boards[1:] if shown.on else shown.boards,
        "just_in": shown.just_in,
        "shows_results": shows_results(request),
        "coming": coming(),
    }
