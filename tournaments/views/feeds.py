"""Feeds of a tournament, and of the winners of the site."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from announcements.feeds import announcement_entries
from tournaments.models import TournamentState
from tournaments.selectors.pages.feed import feed_entries
from tournaments.selectors.pages.honours import honours
from tournaments.views.lookups import tournament_or_404
from web.feeds import ENTRIES_MOST, FeedEntry, feed_answer, podium_html
from web.page_cache import LIST_SECONDS, cache_page_for, public_page


@public_page()
@require_safe
def tournament_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the feed of a tournament that anyone with its address may see."""
    tournament = tournament_or_404(request, slug)
    if not tournament.is_open or tournament.state == TournamentState.DRAFT:
        raise Http404(_("Only what everyone may see has a feed."))
    cache_page_for(request, f"tournament.{tournament.pk}", LIST_SECONDS)
    entries = [*announcement_entries("tournament", tournament.pk, tournament.slug), *feed_entries(tournament)]
    return feed_answer(request, tournament.name, reverse("tournaments:detail", args=[slug]), entries)


@public_page(max_age=LIST_SECONDS)
@require_safe
def honours_feed(request: HttpRequest) -> HttpResponse:
    """Send the feed of the winners of tournaments and league seasons."""
    entries = [
        FeedEntry(
            f"{event.kind}-{event.pk}",
            _("%(event)s, season %(number)d") % {"event": event.name, "number": event.season}
            if event.season
            else event.name,
            event.address,
            event.ended_at,
            html=podium_html((rank, bot.name) for rank, bot in event.podium),
        )
        for event in honours()[:ENTRIES_MOST]
    ]
    return feed_answer(request, _("Honours"), reverse("honours:list"), entries)
