"""Pages that always show a match: the channels, their boards and the timetable."""

from functools import partial
from typing import Any, Final

from django.core.validators import slug_re
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template import Context
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from arena.site.selectors import home_leagues
from arena.watch.selectors import watch_schedule
from arena.watch.timetable import LASTS, LISTED, timetable_calendar_file, timetable_coming_events
from games.catalogue import GAMES
from matches.airing.channel import SLOT_MS
from matches.airing.timetable import airing_milliseconds
from matches.models import Match
from matches.pages.choices import results_choice_shows
from web.brief_cache import cached_briefly
from web.database import PartMissingError
from web.optional import optional
from web.page_cache import NOW_SECONDS, public_page
from web.panels import panels_drawn
from web.topics import topic_share

LEADERS: Final = 10  # bots on the leaderboard of a game
TOPIC: Final = "watch.1"  # never announced: the schedule depends on the time only


@public_page(max_age=NOW_SECONDS)
@require_safe
def watch_page(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show what is on in all games, or the page of one game with its channel, leaderboard and rules."""
    context = watch_context(request, name)
    if name:
        context |= {"leagues": home_leagues(name, LEADERS), "game": GAMES[name], "tagline": _(GAMES[name].tagline)}
    return render(request, "watch/page.html", context)


@public_page()
@require_safe
def watch_cells_view(request: HttpRequest, name: str = "") -> HttpResponse:
    """Show only the boards, which pages reload. The response is the same for everybody who has not chosen to see
    results."""
    answer = render(request, "watch/cells.html", watch_context(request, name) | {"cells_alone": True})
    if not results_choice_shows(request):
        topic_share(answer, TOPIC)
    return answer


@require_safe
def watch_timetable_file_view(request: HttpRequest) -> HttpResponse:
    """Send the timetable as a calendar file to subscribe to, of all events or of one ``tournament`` by its slug."""
    origin = f"{request.scheme}://{request.get_host()}"
    slug = request.GET.get("tournament", "")
    if slug and not slug_re.match(slug):
        raise Http404
    events = timetable_coming_events(LISTED, LASTS, slug)
    if events is None:  # an empty file would delete the events in calendars
        raise PartMissingError("the timetable cannot be read")
    text = timetable_calendar_file(events, host=request.get_host(), origin=origin, now=timezone.now())
    return HttpResponse(text, content_type="text/calendar; charset=utf-8")


def watch_context(request: HttpRequest, name: str = "") -> dict[str, Any]:
    """Return the boards of a channel as HTML. They are drawn once for each state of the channel, and all readers share
    them.

    Raises:
        Http404: there is no such game.
    """
    if name and name not in GAMES:
        raise Http404(_("There is no such game here."))
    shown, slot = results_choice_shows(request), airing_milliseconds(timezone.now()) // SLOT_MS
    return {
        "channel": name,
        "channels": [(game.name, _(game.title)) for game in GAMES.values()],
        "shows_results": shown,
        "drawn": cached_briefly(f"watch/{name}/{shown}/{slot}", partial(_drawn, name, shown)),
    }


@optional("place of the match on the stage", lambda _match: SafeString())
def _match_place(match: Match) -> SafeString:
    """Return the contest of a match and what is at stake, in one line."""
    return panels_drawn("match.context", Context(), match)


def _drawn(name: str, shown: bool) -> dict[str, Any]:
    """Draw the boards of a channel, the timetable and the latest matches, with results if ``shown``. ``has_coming``
    says whether the timetable has entries, and ``has_just_in`` whether there are latest matches.
    """
    found = watch_schedule(name)
    main = next((board for board in found.boards if found.on and board.match == found.on.match), None)
    context = {
        "is_missing": found.is_missing or (found.on is not None and main is None),
        "on": found.on,
        "left": found.on.left(timezone.now()) if found.on else 0,
        "main": main,
        "place": _match_place(main.match) if main else "",
        "boards": [board for board in found.boards if board is not main],
        "just_in": found.just_in,
        "shows_results": shown,
        "coming": timetable_coming_events(),
    }
    drawn = {part: render_to_string(f"watch/{part}.html", context) for part in ("stage", "boards", "coming", "just_in")}
    return drawn | {"has_coming": context["coming"] != [], "has_just_in": found.is_missing or bool(found.just_in)}
