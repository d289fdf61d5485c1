"""The feed of a league: what is announced, its seasons and who won them."""

from collections.abc import Iterator

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from announcements.feeds import announcement_entries
from leagues.models import League
from leagues.selectors.podiums import season_podiums
from leagues.views.lookups import league_or_404
from web.feeds import ENTRIES_MOST, FeedEntry, feed_answer, podium_html
from web.page_cache import public_page


@public_page()
@require_safe
def feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the feed of a league that whoever has its address may see."""
    league = league_or_404(request, slug)
    if not league.is_everyones:
        raise Http404(_("Only what everyone may see has a feed."))
    entries = [*announcement_entries("league", league.pk, league.slug), *_seasons(league)]
    return feed_answer(request, league.name, reverse("leagues:detail", args=[league.slug]), entries)


def _seasons(league: League) -> Iterator[FeedEntry]:
    seasons = list(league.seasons.order_by("-number")[:ENTRIES_MOST])
    podiums = season_podiums([one.pk for one in seasons if not one.is_running])
    for one in seasons:
        page, number = reverse("leagues:season", args=[league.slug, one.number]), {"number": one.number}
        yield FeedEntry(f"season-{one.number}", _("Season %(number)d has begun") % number, page, one.starts_at)
        if one.finished_at is not None:
            first = podium_html((rank, bot.name) for rank, bot in podiums.get(one.pk, ()))
            title = _("Season %(number)d has ended") % number
            yield FeedEntry(f"season-{one.number}-result", title, page, one.finished_at, html=first)
