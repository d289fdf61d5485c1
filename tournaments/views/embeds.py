"""Parts of a tournament for frames in other sites, each of which follows the tournament by itself."""

from typing import Any, Final, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournaments.models import ENTERING, Publication, Tournament, TournamentState
from tournaments.selectors.entering.visible import may_see_results
from tournaments.selectors.pages.screen import next_at_of, podium_of
from tournaments.selectors.rounds.boards import leaders_of
from tournaments.standings import has_result
from tournaments.views.brackets import bracket_part
from tournaments.views.lookups import shown_tournament, tournament_or_404
from web.boards import BoardQuery
from web.framing import EmbedOffered, embeddable, theme_asked
from web.page_cache import public_page
from web.topics import topic_ticket

ROWS: Final = 100  # of the standings


class EmbedPart(NamedTuple):
    """A part for a frame, with the height in pixels that suits it."""

    part: str
    name: str | Promise
    height: int


COUNTDOWN: Final = EmbedPart("countdown", gettext_lazy("Countdown"), 200)
PODIUM: Final = EmbedPart("podium", gettext_lazy("Podium"), 280)
STANDINGS: Final = EmbedPart("standings", gettext_lazy("Standings"), 480)
BRACKET: Final = EmbedPart("bracket", gettext_lazy("Bracket"), 640)
PARTS: Final = {one.part: one for one in (COUNTDOWN, PODIUM, STANDINGS, BRACKET)}


def embeds_offered(tournament: Tournament) -> list[EmbedOffered]:
    """Return the parts that are worth to be shown elsewhere now; none that not everyone may see."""
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
@embeddable
def embed(request: HttpRequest, slug: str, part: str) -> HttpResponse:
    """Show a part of ``PARTS`` alone, for a frame in anyone's page."""
    if part not in PARTS:
        raise Http404
    of_results = part != COUNTDOWN.part
    tournament = shown_tournament(request, slug) if of_results else tournament_or_404(request, slug)
    is_followed = tournament.state in ENTERING or may_see_results(request.user, tournament)
    context = {
        "tournament": tournament,
        "stage": tournament.stage_to_show,
        "part": PARTS[part],
        "asked_theme": theme_asked(request.GET),
        "page_path": reverse("tournaments:detail", args=[tournament.slug]),
        "topic": topic_ticket(f"tournament.{tournament.pk}") if is_followed else "",
        "is_shared": tournament.is_everyones,
    }
    return render(request, f"tournaments/embeds/{part}.html", context | _shown(tournament, part, is_followed))


def _shown(tournament: Tournament, part: str, is_followed: bool) -> dict[str, Any]:
    stage = tournament.stage_to_show
    if part == COUNTDOWN.part:
        return {"next_at": next_at_of(tournament) if is_followed else None}
    if tournament.started_at is None:
        return {}
    if part == PODIUM.part:
        return {"podium": podium_of(tournament) if tournament.state == TournamentState.FINISHED else ()}
    if part == STANDINGS.part:
        leaders = leaders_of(stage, ROWS)
        return {"leaders": leaders, "has_ranks": has_result(row for row, _entry in leaders)}
    if not stage.has_bracket_to_show:
        raise Http404(_("This stage is no knockout."))
    return {"bracket": bracket_part(stage, BoardQuery())}
