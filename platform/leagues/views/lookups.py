"""Look up the league, season or match of an address, if the reader may see it."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from announcements.selectors import with_announcements
from leagues.models import League, LeagueState, Season
from leagues.selectors.permissions import leagues_visible, may_run_league
from web.page_cache import OVER_SECONDS, PLAYED_SECONDS, cache_page_for, page_mark_unlisted


def league_or_404(request: HttpRequest, slug: str) -> League:
    """Return the league. Public pages may be cached for anonymous visitors.

    Raises:
        Http404: there is no such league, it is another user's draft, or it is of a group to which the reader does not
            belong.
    """
    league: League = get_object_or_404(with_announcements(leagues_visible(request.user), "league"), slug=slug)
    if league.is_unlisted:
        page_mark_unlisted(request)
    if league.is_everyones:
        is_over = league.state == LeagueState.CLOSED
        cache_page_for(request, f"league.{league.pk}", OVER_SECONDS if is_over else PLAYED_SECONDS)
    return league


def own_league(request: HttpRequest, slug: str) -> League:
    """Return the league for its organiser and staff. Other users get a 403."""
    league = league_or_404(request, slug)
    if not may_run_league(request.user, league):
        raise PermissionDenied(_("Only the organiser of this league may do this."))
    return league


def season_or_404(request: HttpRequest, slug: str, number: int) -> Season:
    return get_object_or_404(
        Season.objects.select_related("league"), league=league_or_404(request, slug), number=number
    )


def own_season(request: HttpRequest, slug: str, number: int) -> Season:
    """Return a season for its organiser and staff. Other users get a 403."""
    own_league(request, slug)
    return season_or_404(request, slug, number)
