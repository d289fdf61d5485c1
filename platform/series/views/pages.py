"""The list of series, the page of one, and the series that an address names."""

from typing import Final

from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_colour, game_title
from series.models import TournamentSeries
from series.selectors.table import series_table
from series.selectors.visible import (
    events_offered,
    events_shown,
    may_own_series,
    series_listed,
    series_visible,
    with_event_counts,
)
from tournaments.models import TournamentState
from web.page_cache import LIST_SECONDS, cache_page_for, keep_unlisted, public_page


def series_or_404(request: HttpRequest, slug: str) -> TournamentSeries:
    """Return the series. Public pages may be cached for anonymous visitors."""
    series = get_object_or_404(series_visible(request.user), slug=slug)
    if series.is_unlisted:
        keep_unlisted(request)
    if series.is_open:
        cache_page_for(request, f"series.{series.pk}", LIST_SECONDS)
    return series


def own_series(request: HttpRequest, slug: str) -> TournamentSeries:
    """Return the series, for its organiser and staff; anyone else is refused."""
    series = series_or_404(request, slug)
    if not may_own_series(request.user, series):
        raise PermissionDenied(_("Only the organiser of this series may do this."))
    return series


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
