"""Feed, badges of bots, picture for link previews, embedded ladder and projector screen of a league."""

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from announcements.selectors import announcement_entries
from contests.game_settings_form import game_title
from leagues.models import League
from leagues.selectors.ladder import ladder_line, ladder_top
from leagues.selectors.matches import league_matches_recent, season_match_progress_of
from leagues.selectors.seasons import current_season, season_feed_entries
from leagues.views.lookups import league_or_404
from web.feeds import feed_answer
from web.page_cache import public_page
from web.previews import PreviewCard, PreviewHead, badge_response, preview_head, preview_picture
from web.screens import EmbedOffered, screen_context, screen_embeddable, screen_theme_requested
from web.topics import topic_ticket


@public_page()
@require_safe
def league_feed_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the feed of a league that everybody with the address may see."""
    league = league_or_404(request, slug)
    if not league.is_everyones:
        raise Http404(_("Only what everyone can see has a feed."))
    entries = [*announcement_entries("league", [league]), *season_feed_entries([league])]
    return feed_answer(request, league.name, reverse("leagues:detail", args=[league.slug]), entries)


@public_page()
@require_safe
def league_badge_view(request: HttpRequest, slug: str, bot: str) -> HttpResponse:
    """Send the badge of a bot: its number on the ladder, and its rating with half of the 95 % interval.

    As long as the bot has not played, the badge has a dash. The badge has only figures, so that it is the same in all
    languages.
    """
    league = league_or_404(request, slug)
    membership = get_object_or_404(league.memberships.select_related("bot"), bot__slug=bot)
    season = current_season(league)
    row = ladder_line(season, membership) if season else None
    figure = f"#{row.number} · {row.points:.0f} ± {row.within:.0f}" if row and row.number else "\N{EN DASH}"
    return badge_response(league.name, figure)


def league_preview_of(request: HttpRequest, league: League) -> PreviewHead:
    """Return the head of the league's page for ``site/preview_head.html``."""
    page, picture = (reverse(f"leagues:{one}", args=[league.slug]) for one in ("detail", "preview"))
    return preview_head(request, _card(league), page, picture)


@public_page()
@require_safe
def league_preview_picture_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the picture for link previews: the name, game and state of the league, and the first bot of its ladder."""
    league = league_or_404(request, slug)
    season = current_season(league)
    first = [row.entry.version.bot.name for row, *_drawn in ladder_top(season, 1) if row.rank] if season else []
    return preview_picture(_card(league, *(_("First: %(name)s") % {"name": name} for name in first)))


def _card(league: League, *lines: str) -> PreviewCard:
    return PreviewCard(game_title(league.game), league.name, (*lines, str(league.get_state_display())))


EMBED_ROWS: Final = 20


def league_embeds_offered(league: League) -> list[EmbedOffered]:
    """Return the parts of the page that other sites can embed."""
    address = reverse("leagues:embed", args=[league.slug])
    return [EmbedOffered("ladder", gettext_lazy("Ladder"), 560, address)] if league.is_everyones else []


@public_page(query=("theme",))
@require_safe
@screen_embeddable
def league_embed_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the top of the ladder, for a frame on another site."""
    league = league_or_404(request, slug)
    season = current_season(league)
    context = {
        "league": league,
        "rows": ladder_top(season, EMBED_ROWS) if season else (),
        "asked_theme": screen_theme_requested(request.GET),
        "page_path": reverse("leagues:detail", args=[league.slug]),
        "topic": topic_ticket(f"league.{league.pk}"),
        "is_shared": league.is_everyones,
    }
    return render(request, "leagues/embed.html", context)


SCREEN_ROWS: Final = 60
ROWS_BESIDE: Final = 12
MATCHES: Final = 12


@public_page()
@require_safe
def league_screen_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ladder and the latest matches on a projector. The page requests itself to update its parts."""
    league = league_or_404(request, slug)
    season = current_season(league)
    page = reverse("leagues:detail", args=[league.slug])
    context = screen_context(request, page, topic=f"league.{league.pk}", is_shared=league.is_everyones)
    context |= {"league": league, "season": season, "game_title": game_title(league.game)}
    if season is not None:
        rows = ladder_top(season, SCREEN_ROWS)
        context |= {
            "rows": rows,
            "is_long": len(rows) > ROWS_BESIDE,
            "fixtures": league_matches_recent(season, MATCHES),
            "progress": season_match_progress_of(season),
        }
    return render(request, "leagues/screen.html", context)
