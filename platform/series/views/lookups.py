"""The series that an address names, for who may see it: to all others there is none."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from series.models import TournamentSeries
from series.selectors.visible import may_own_series, series_visible
from web.page_cache import LIST_SECONDS, cache_page_for, keep_unlisted


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
