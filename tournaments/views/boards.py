"""All tables of a round at a glance, as they are played."""

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.selectors.entering.visible import may_own
from tournaments.selectors.rounds.boards import tables_shown
from tournaments.selectors.rounds.fixtures import tables_in
from tournaments.views.brackets import tables_told
from tournaments.views.lookups import shown_tournament
from web.boards import BoardQuery, board_of
from web.page_cache import cache_page_for, public_page
from web.topics import SHARED_SECONDS

PICTURES: Final = 24  # of a page: a tenth of a second where none was drawn before


@public_page(query=("page",))
@require_safe
def boards(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show every table as a small picture."""
    return render(request, "tournaments/boards.html", _context(request, slug, number))


@public_page(query=("page",))
@require_safe
def cells(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the parts of that page that change."""
    return render(request, "tournaments/boards_live.html", _context(request, slug, number))


def _context(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    tournament = shown_tournament(request, slug)
    if hasattr(request, "cached_for") and not tournament.is_over:  # boards that are on air go by the clock
        cache_page_for(request, request.cached_for[0], SHARED_SECONDS)
    rounds = list(tournament.rounds.defer("arrangements", "spare").order_by("number"))
    played = next((one for one in rounds if one.number == number), None)
    if played is None:
        raise Http404
    stage = next(one for one in tournament.stages.all() if one.pk == played.stage_id)
    query = BoardQuery.of(request, "page")
    board = board_of(tables_in(stage, number), query, size=PICTURES)
    if not board.rows:
        raise Http404(_("This round has not been published."))
    return {
        "tournament": tournament,
        "stage": stage,
        "number": number,
        "rounds": [one.number for one in rounds if one.started_at is not None],
        "board": board,
        "query": query,
        "tables": tables_told(stage, tables_shown(request.user, stage, number, board.rows)),
        "premiere": played.premieres_at if played.premieres_at and played.premieres_at > timezone.now() else None,
        "owns": may_own(request.user, tournament),
    }
