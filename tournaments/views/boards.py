"""The tables of a round: an overview with live boards, and the reasons for each pairing.

There are reasons only if the rounds of the stage are drawn one by one.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import format_round_context, format_template_of
from tournaments.models import Fixture, Stage
from tournaments.selectors.entering.visible import may_own_tournament
from tournaments.selectors.pages.tournament_page import tournament_board_filter_names, tournament_page_seatings
from tournaments.selectors.rounds.fixtures import fixture_rounds_of, fixture_tables_of_round, fixture_tables_shown
from tournaments.views.brackets import bracket_view_tables
from tournaments.views.lookups import Places, shown_tournament, tournament_board_rendered
from web.boards import Board, BoardQuery, board_of
from web.page_cache import cache_page_for, public_page
from web.topics import SHARED_SECONDS

PICTURES: Final = 24  # pictures on a page; drawing them takes a tenth of a second


@public_page(query=("page",))
@require_safe
def round_boards_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show all tables as small pictures."""
    return render(request, "tournaments/boards.html", _context(request, slug, number))


@public_page(query=("page",))
@require_safe
def round_boards_cells_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the live parts of the page of ``round_boards_view``."""
    return render(request, "tournaments/boards_live.html", _context(request, slug, number))


def _context(request: HttpRequest, slug: str, number: int) -> dict[str, Any]:
    tournament = shown_tournament(request, slug)
    if (
        hasattr(request, "cached_for") and not tournament.is_over
    ):  # boards that are broadcast change without an announcement
        cache_page_for(request, request.cached_for[0], SHARED_SECONDS)
    rounds = list(tournament.rounds.defer("arrangements", "spare").order_by("number"))
    played = next((one for one in rounds if one.number == number), None)
    if played is None:
        raise Http404
    stage = next(one for one in tournament.stages.all() if one.pk == played.stage_id)
    query = BoardQuery.of(request, "page")
    board = board_of(fixture_tables_of_round(stage, number), query, size=PICTURES)
    if not board.rows:
        raise Http404(_("This round has not been published."))
    return {
        "tournament": tournament,
        "stage": stage,
        "number": number,
        "rounds": [one.number for one in rounds if one.started_at is not None],
        "board": board,
        "query": query,
        "tables": bracket_view_tables(stage, fixture_tables_shown(request.user, stage, number, board.rows)),
        "premiere": played.premieres_at if played.premieres_at and played.premieres_at > timezone.now() else None,
        "owns": may_own_tournament(request.user, tournament),
    }


WORDS: Final = ("page", "bot", "table")


@public_page(query=WORDS)
@require_safe
def round_pairings_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the pairings of a round. ``?table=7`` shows the page with this table."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(tournament.stages.filter(played__number=number))
    drafts = may_own_tournament(request.user, tournament)
    rounds = [one for one, _, _ in fixture_rounds_of(stage, drafts=drafts)]
    if number not in rounds or not stage.kind.draws_one_by_one:
        raise Http404(_("This round has not been published, or was drawn with all others."))
    query, template = BoardQuery.of(request, *WORDS), format_template_of(stage.kind, "round.html")
    context = {"stage": stage, "number": number, "failure": _failure(stage, number)}
    read = partial(_board_tables, context, query, drafts=drafts)
    part = tournament_board_rendered(request, tournament, query, read, template)
    context |= {"tournament": tournament, "rounds": rounds, "part": part, "layout": "base.html"}
    return render(request, template, context)


def _board_tables(
    context: dict[str, Any], query: BoardQuery, *, drafts: bool
) -> tuple[dict[str, Any], Board[int], Places]:
    """Return the board with the tables of a round. Only the tables on the requested page are read."""
    stage, number = context["stage"], context["number"]
    seatings = tournament_page_seatings(stage, number, drafts=drafts)
    tables = list(seatings)
    names = tournament_board_filter_names(stage.tournament) if query.text("bot") else {}

    def words(table: int) -> Iterator[str]:
        return (word for entrant in seatings[table] for word in names[entrant])

    board = board_of(tables, _at_table(tables, query), filtered_by="bot", words=words)
    places = {entrant: (f"p{entrant}", at) for at, table in enumerate(tables) for entrant in seatings[table]}
    shown = format_round_context(stage, number, board.rows, drafts=drafts)
    return {**context, **shown, "layout": "tournaments/parts/round_tables.html"}, board, places


def _at_table(tables: Sequence[int], query: BoardQuery) -> BoardQuery:
    """Return a query for the page of the board that has the table in ``query``."""
    wanted = query.number("table")
    if wanted not in tables:
        return query.without("table")
    return BoardQuery((("page", str(board_of(tables, query).number_of(tables.index(wanted)))),))


def _failure(stage: Stage, number: int) -> str:
    """Return why the site's own Swiss drew a round that FIDE's rules should have drawn; "" if it did not."""
    tables = Fixture.objects.filter(round__stage=stage, round__number=number).order_by("table")
    reasons = tables.values_list("reasons", flat=True).first()
    return str((reasons or {}).get("failure", ""))
