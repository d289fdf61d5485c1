"""The list of series, and the page of one."""

from typing import Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_colour, game_title
from series.selectors.table import series_table
from series.selectors.visible import events_offered, events_shown, may_own_series, series_listed, with_event_counts
from series.views.lookups import series_or_404
from tournaments.models import TournamentState
from web.page_cache import LIST_SECONDS, public_page

PAGE_SIZE: Final = 24
ROWS: Final = 100


@public_page(max_age=LIST_SECONDS, query=("page",))
@require_safe
def series_list(request: HttpRequest) -> HttpResponse:
    """List what the reader may find."""
    page = Paginator(with_event_counts(series_listed(request.user)), PAGE_SIZE).get_page(request.GET.get("page"))
    rows = [(one, game_title(one.game), game_colour(one.game)) for one in page]
    return render(request, "series/list.html", {"page": page, "rows": rows})


@public_page(query=("page",))
@require_safe
def detail(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the table, the tournaments that are over and those to come."""
    series = series_or_404(request, slug)
    table = series_table(series)
    over = {one.pk for one in table.events}
    owns = may_own_series(request.user, series)
    others = [one for one in events_shown(series, request.user) if one.pk not in over]
    context = {
        "series": series,
        "game_title": game_title(series.game),
        "table": table,
        "rows": Paginator(table.rows, ROWS).get_page(request.GET.get("page")),
        "to_come": [one for one in others if one.state != TournamentState.CANCELLED],
        "owns": owns,
        "offered": events_offered(series) if owns else (),
        "events": events_shown(series, request.user) if owns else (),
    }
    return render(request, "series/detail.html", context)
