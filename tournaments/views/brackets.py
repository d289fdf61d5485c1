"""A knockout as a bracket. A large bracket is shown in parts: each has some matches of every round, up to the final."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import format_template_of
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.knockout.pages.bracket import (
    Bout,
    BracketPlan,
    bracket_page_match_key,
    bracket_page_parts,
    bracket_page_plan,
    bracket_tables_with_outcomes,
)
from tournaments.formats.knockout.pages.labels import PartShown
from tournaments.models import Stage
from tournaments.selectors.pages.tournament_page import tournament_board_filter_names
from tournaments.selectors.rounds.fixtures import RoundTable
from tournaments.views.lookups import Places, shown_tournament, tournament_board_rendered
from web import boards
from web.boards import Board, BoardQuery, board_of
from web.name_keys import name_key
from web.page_cache import public_page

END: Final = {"bouts": 8, "rounds": 6}  # the part of a bracket on a projector, see ``BracketPlan.end``
PAGE: Final = "part"  # the query parameter for the part of the bracket


@dataclass(frozen=True, slots=True)
class BracketPart:
    """A bracket, or one share of each round of a large bracket.

    ``board`` has the matches of the ``first`` round that are shown.
    """

    parts: Sequence[PartShown]
    board: Board[Bout]
    first: Sequence[Bout]
    bracket: Bracket | Heats

    @property
    def places(self) -> Places:
        """For each entry, the HTML element of its match in the first round, and the place of this match."""
        return {
            one: (f"b-{bracket_page_match_key(bout)}", at) for at, bout in enumerate(self.first) for one in bout.seating
        }


@public_page(query=(PAGE, "bot"))
@require_safe
def tournament_bracket_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the bracket of a stage that is a knockout and has begun."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(tournament.stages.filter(number=number, started_at__isnull=False))
    if not stage.kind.has_bracket:
        raise Http404(_("This stage is no knockout."))
    query = BoardQuery.of(request, PAGE, "bot")
    read, template = partial(_bracket, stage, query), "tournaments/parts/bracket_alone.html"
    part = tournament_board_rendered(request, tournament, query, read, template)
    context = {"tournament": tournament, "stage": stage, "part": part, "live": query.but()}
    return render(request, format_template_of(stage.kind, "bracket.html"), context)


def bracket_view_part(stage: Stage, query: BoardQuery) -> BracketPart:
    """Return the share of the bracket that ``query`` names, or the share with the bot that ``query`` searches for."""
    plan = bracket_page_plan(stage)
    first = plan.first_round
    bots = sum(len(bout.seating) for bout in first)
    shares = 1 << (max(1, -(-bots // boards.BOARD_ROWS)) - 1).bit_length()
    size = max(1, -(-len(first) // shares))
    wanted = name_key(query.text("bot"))
    if wanted and not query.text(PAGE) and (at := _place_of(wanted, stage, first)) is not None:
        query = BoardQuery((*query.words, (PAGE, str(at // size + 1))))
    board = replace(board_of(first, query, name=PAGE, size=size), filtered_by="bot")
    parts = bracket_page_parts(stage, plan.share(board.number, board.pages) if board.pages > 1 else plan)
    return BracketPart(parts, board, first, plan.bracket)


def bracket_view_end(stage: Stage, plan: BracketPlan | None) -> list[PartShown]:
    """Return the last rounds of the bracket, as many as a projector can show; none if the stage is not a knockout."""
    return bracket_page_parts(stage, plan.end(**END)) if plan else []


def bracket_view_tables(
    stage: Stage, tables: Sequence[RoundTable], plan: BracketPlan | None = None
) -> list[RoundTable]:
    """Return the tables of a round. In a knockout, the entries that go on are marked.

    ``plan`` is the bracket, if the caller has read it.
    """
    if not stage.kind.has_bracket:
        return list(tables)
    decided = bracket_tables_with_outcomes(stage, [table.pairing for table in tables], plan.bracket if plan else None)
    return [replace(table, pairing=pairing) for table, pairing in zip(tables, decided, strict=True)]


def _place_of(wanted: str, stage: Stage, first: Sequence[Bout]) -> int | None:
    """Return the index of the first match in ``first`` with a bot or an author that has the name ``wanted``.

    Return None if there is none.
    """
    names = tournament_board_filter_names(stage.tournament).items()
    found = {entry for entry, words in names if any(wanted in name_key(word) for word in words)}
    return next((at for at, bout in enumerate(first) if not found.isdisjoint(bout.seating)), None)


def _bracket(stage: Stage, query: BoardQuery) -> tuple[dict[str, Any], Board[Bout], Places]:
    shown = bracket_view_part(stage, query)
    return {"parts": shown.parts, "stage": stage}, shown.board, shown.places
