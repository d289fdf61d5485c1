"""Views for other sites, feed readers and projectors.

They are embedded parts, the screen, the picture for link previews, and the feed. Screens and embedded parts update
automatically.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_safe

from announcements.selectors import announcement_entries
from contests.game_settings_form import game_title
from tournaments.formats.knockout.pages.bracket import bracket_page_plan
from tournaments.models import ENTERING, Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_see_tournament_results
from tournaments.selectors.pages.honours import honours_podium_of, honours_podiums_of
from tournaments.selectors.pages.screens_and_feeds import (
    tournament_feed_entries,
    tournament_screen_entries,
    tournament_screen_next_at,
    tournament_screen_of,
)
from tournaments.selectors.pages.standings_shown import standings_leaders_of
from tournaments.standings import has_standings_result
from tournaments.views.brackets import bracket_view_end, bracket_view_part, bracket_view_tables
from tournaments.views.lookups import shown_tournament, tournament_or_404, tournament_with_counts_or_404
from web.boards import BoardQuery
from web.feeds import feed_answer
from web.page_cache import LIST_SECONDS, cache_page_for, public_page
from web.previews import PreviewCard, PreviewHead, preview_head, preview_picture
from web.screens import EmbedOffered, screen_context, screen_embeddable, screen_theme_requested
from web.topics import SHARED_SECONDS, topic_ticket

ROWS: Final = 100  # rows of the standings


class EmbedPart(NamedTuple):
    """A part for embedding in a frame, with a suitable height in pixels."""

    part: str
    name: str | Promise
    height: int


COUNTDOWN: Final = EmbedPart("countdown", gettext_lazy("Countdown"), 200)
PODIUM: Final = EmbedPart("podium", gettext_lazy("Podium"), 280)
STANDINGS: Final = EmbedPart("standings", gettext_lazy("Standings"), 480)
BRACKET: Final = EmbedPart("bracket", gettext_lazy("Bracket"), 640)
PARTS: Final = {one.part: one for one in (COUNTDOWN, PODIUM, STANDINGS, BRACKET)}


def tournament_sharing_embeds(tournament: Tournament) -> list[EmbedOffered]:
    """Return the parts that other sites can embed now. Parts that are not public are left out."""
    if tournament.state in (TournamentState.DRAFT, TournamentState.CANCELLED) or not tournament.is_open:
        return []
    is_public = tournament.publication == Publication.EVERYONE and tournament.started_at is not None
    offered = {
        COUNTDOWN: not tournament.is_over,
        PODIUM: is_public and tournament.state == TournamentState.FINISHED,
        STANDINGS: is_public,
        BRACKET: is_public and tournament.stage_to_show.has_bracket_to_show,
    }
    return [
        EmbedOffered(*one, reverse("tournaments:embed", args=[tournament.slug, one.part]))
        for one, is_offered in offered.items()
        if is_offered
    ]


@public_page(query=("theme",))
@require_safe
@screen_embeddable
def tournament_embed_view(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Show only a part of ``PARTS``, for a frame on another site."""
    if part not in PARTS:
        raise Http404
    of_results = part != COUNTDOWN.part
    tournament = shown_tournament(request, slug) if of_results else tournament_or_404(request, slug)
    is_followed = tournament.state in ENTERING or may_see_tournament_results(request.user, tournament)
    context = {
        "tournament": tournament,
        "stage": tournament.stage_to_show,
        "part": PARTS[part],
        "asked_theme": screen_theme_requested(request.GET),
        "page_path": reverse("tournaments:detail", args=[tournament.slug]),
        "topic": topic_ticket(f"tournament.{tournament.pk}") if is_followed else "",
        "is_shared": tournament.is_everyones,
    }
    return render(request, f"tournaments/embeds/{part}.html", context | _embed_part(tournament, part, is_followed))


def _embed_part(tournament: Tournament, part: str, is_followed: bool) -> dict[str, Any]:
    stage = tournament.stage_to_show
    if part == COUNTDOWN.part:
        return {"next_at": tournament_screen_next_at(tournament) if is_followed else None}
    if tournament.started_at is None:
        return {}
    if part == PODIUM.part:
        return {"podium": honours_podium_of(tournament) if tournament.state == TournamentState.FINISHED else ()}
    if part == STANDINGS.part:
        leaders = standings_leaders_of(stage, ROWS)
        return {"leaders": leaders, "has_ranks": has_standings_result(row for row, _entry in leaders)}
    if not stage.has_bracket_to_show:
        raise Http404(_("This stage is no knockout."))
    return {"bracket": bracket_view_part(stage, BoardQuery())}


def tournament_sharing_preview(request: HttpRequest, tournament: Tournament) -> PreviewHead:
    """Return the head of the tournament's page for ``site/preview_head.html``."""
    page, picture = (reverse(f"tournaments:{one}", args=[tournament.slug]) for one in ("detail", "preview"))
    return preview_head(request, _card(tournament), page, f"{picture}?{tournament.state}")


@public_page()
@require_safe
def tournament_preview_picture_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the picture for link previews.

    It has the tournament's name, game, formats and state, and its winner if the results are public.
    """
    tournament = tournament_with_counts_or_404(request, slug)
    first = [bot.name for rank, bot in honours_podiums_of([tournament], to_rank=1).get(tournament.pk, ())]
    winner = [_("Winner: %(name)s") % {"name": ", ".join(first)}] if first else []
    count = getattr(tournament, "entry_count", 0)
    bots = ngettext("%(count)d bot", "%(count)d bots", count) % {"count": count}
    return preview_picture(_card(tournament, before=winner, after=[bots]))


def _card(tournament: Tournament, *, before: Sequence[str] = (), after: Sequence[str] = ()) -> PreviewCard:
    """Return the card with its state, and lines before and after it."""
    formats = " → ".join(str(one.get_format_display()) for one in tournament.stages.all())
    kicker = f"{game_title(tournament.game)} · {formats}"
    return PreviewCard(kicker, tournament.name, (*before, str(tournament.get_state_display()), *after))


@public_page()
@require_safe
def tournament_feed_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the feed of a tournament that everyone with its address may see."""
    tournament = tournament_or_404(request, slug)
    if not tournament.is_open or tournament.state == TournamentState.DRAFT:
        raise Http404(_("Only what everyone can see has a feed."))
    cache_page_for(request, f"tournament.{tournament.pk}", LIST_SECONDS)
    entries = [*announcement_entries("tournament", [tournament]), *tournament_feed_entries(tournament)]
    return feed_answer(request, tournament.name, reverse("tournaments:detail", args=[slug]), entries)


@public_page()
@require_safe
def tournament_sharing_screen_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the state of the tournament in large type, for projectors.

    The page requests itself again to update its live parts.
    """
    tournament = tournament_with_counts_or_404(request, slug)
    if (
        hasattr(request, "cached_for") and not tournament.is_over
    ):  # boards that are broadcast change without an announcement
        cache_page_for(request, request.cached_for[0], SHARED_SECONDS)
    is_followed = tournament.state in ENTERING or may_see_tournament_results(request.user, tournament)
    page = reverse("tournaments:detail", args=[tournament.slug])
    topic = f"tournament.{tournament.pk}" if is_followed else ""
    context = screen_context(request, page, topic=topic, is_shared=tournament.is_everyones) | _screen_of(
        request, tournament
    )
    return render(request, "tournaments/screen.html", context)


def _screen_of(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    context: dict[str, Any] = {
        "tournament": tournament,
        "game_title": game_title(tournament.game),
        "formats": " → ".join(str(one.get_format_display()) for one in tournament.stages.all()),
    }
    if tournament.state in ENTERING:
        return context | {"entering": True, "entries": tournament_screen_entries(tournament)}
    is_shown = tournament.publication != Publication.HIDDEN and may_see_tournament_results(request.user, tournament)
    if not is_shown or not tournament.started_at:  # everyone in the room sees the screen, not only the organiser
        return context
    shown = tournament_screen_of(request.user, tournament)
    plan = bracket_page_plan(shown.stage) if shown.stage.has_bracket_to_show else None
    if shown.round:
        shown = replace(
            shown, round=replace(shown.round, tables=bracket_view_tables(shown.stage, shown.round.tables, plan))
        )
    return context | {"shown": shown, "brackets": bracket_view_end(shown.stage, plan), "readable": ()}
