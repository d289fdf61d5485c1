"""A page for a projector that follows the tournament by itself."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from contests.game_settings_form import game_title
from tournaments.formats.knockout.pages.bracket import bracket_plan
from tournaments.models import ENTERING, Publication, Tournament
from tournaments.selectors.entering.visible import may_see_results
from tournaments.selectors.pages.screen import entries_on_screen, screen_of
from tournaments.views.brackets import bracket_end, tables_told
from tournaments.views.lookups import counted_or_404
from web.page_cache import cache_page_for, public_page
from web.screens import screen_context
from web.topics import SHARED_SECONDS


@public_page()
@require_safe
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show where the tournament stands, for people at the back of the room. The page requests itself for its parts that
    change."""
    tournament = counted_or_404(request, slug)
    if hasattr(request, "cached_for") and not tournament.is_over:  # boards that are on air go by the clock
        cache_page_for(request, request.cached_for[0], SHARED_SECONDS)
    is_followed = tournament.state in ENTERING or may_see_results(request.user, tournament)
    page = reverse("tournaments:detail", args=[tournament.slug])
    topic = f"tournament.{tournament.pk}" if is_followed else ""
    context = screen_context(request, page, topic=topic, is_shared=tournament.is_everyones) | _shown(
        request, tournament
    )
    return render(request, "tournaments/screen.html", context)


def _shown(request: HttpRequest, tournament: Tournament) -> dict[str, Any]:
    context: dict[str, Any] = {
        "tournament": tournament,
        "game_title": game_title(tournament.game),
        "formats": " → ".join(str(one.get_format_display()) for one in tournament.stages.all()),
    }
    if tournament.state in ENTERING:
        return context | {"entering": True, "entries": entries_on_screen(tournament)}
    is_shown = tournament.publication != Publication.HIDDEN and may_see_results(request.user, tournament)
    if not is_shown or not tournament.started_at:  # of its organiser's screen, everyone in the room is a reader
        return context
    shown = screen_of(request.user, tournament)
    plan = bracket_plan(shown.stage) if shown.stage.has_bracket_to_show else None
    if shown.round:
        shown = replace(shown, round=replace(shown.round, tables=tables_told(shown.stage, shown.round.tables, plan)))
    return context | {"shown": shown, "brackets": bracket_end(shown.stage, plan), "readable": ()}
