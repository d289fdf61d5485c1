"""Why this pairing: the tables of a round that was drawn by itself, with the reasons for each."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import round_context, template_of
from tournaments.models import Fixture, Stage
from tournaments.selectors.entering.visible import may_own
from tournaments.selectors.pages.tournament_page import entries_of, words_of
from tournaments.selectors.rounds.fixtures import FixturePairing, rounds_of
from tournaments.views.board_pages import Places, board_rendered
from tournaments.views.lookups import shown_tournament
from web.boards import Board, BoardQuery, board_of
from web.page_cache import public_page

WORDS: Final = ("page", "bot", "table")


@public_page(query=WORDS)
@require_safe
def pairings(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the round; ``?table=7`` shows the page with that table."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(tournament.stages.filter(played__number=number))
    drafts = may_own(request.user, tournament)
    rounds = [one for one, _, _ in rounds_of(stage, drafts=drafts)]
    if number not in rounds or not stage.kind.draws_one_by_one:
        raise Http404(_("This round has not been published, or was drawn with all others."))
    query, template = BoardQuery.of(request, *WORDS), template_of(stage.kind, "round.html")
    read = partial(_tables, stage, number, query, drafts=drafts)
    part = board_rendered(request, tournament, query, read, template)
    context = {"tournament": tournament, "number": number, "stage": stage, "rounds": rounds, "part": part}
    return render(request, template, {"layout": "base.html", "failure": _failure(stage, number), **context})


def _tables(stage: Stage, number: int, query: BoardQuery, *, drafts: bool) -> tuple[dict[str, Any], Board[Any], Places]:
    entries = entries_of(stage.tournament)
    shown = round_context(stage, entries, number, drafts=drafts)
    if not shown:
        raise Http404(_("This round has not been published, or was drawn with all others."))
    tables = list(shown["tables"])
    board = board_of(tables, _at_table(tables, query), filtered_by="bot", words=_words)
    places = {
        sitting.entry.pk: (f"p{sitting.entry.pk}", at)
        for at, table in enumerate(tables)
        for sitting in _pairing(table).sittings
    }
    context = {**shown, "tables": board.rows, "layout": "tournaments/parts/round_tables.html"}
    return {**context, "stage": stage, "number": number}, board, places


def _at_table(tables: Sequence[Any], query: BoardQuery) -> BoardQuery:
    """Return what is asked for as a page: the one with the table that is."""
    wanted = query.number("table")
    place = next((at for at, table in enumerate(tables) if _pairing(table).table == wanted), None)
    words = tuple((name, word) for name, word in query.words if name != "table")
    if place is None:
        return BoardQuery(words)
    return BoardQuery((("page", str(board_of(tables, query).number_of(place))),))


def _pairing(table: Any) -> FixturePairing:
    return table if isinstance(table, FixturePairing) else table.pairing


def _words(table: Any) -> tuple[str, ...]:
    return tuple(word for sitting in _pairing(table).sittings for word in words_of(sitting.entry))


def _failure(stage: Stage, number: int) -> str:
    """Return why our own Swiss drew a round of FIDE's; "" where it did not."""
    tables = Fixture.objects.filter(round__stage=stage, round__number=number).order_by("table")
    reasons = tables.values_list("reasons", flat=True).first()
    return str((reasons or {}).get("failure", ""))
