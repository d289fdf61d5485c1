"""A knockout as a bracket; of a large one a part, from some matches of the first round to the final."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import template_of
from tournaments.formats.knockout import Bracket, Heats
from tournaments.formats.knockout.pages.bracket import (
    Bout,
    BracketPlan,
    bracket_plan,
    bracket_shown,
    key_of,
    with_outcomes,
)
from tournaments.formats.knockout.pages.labels import PartShown
from tournaments.models import Stage
from tournaments.selectors.pages.tournament_page import names_of
from tournaments.selectors.rounds.fixtures import RoundTable
from tournaments.views.lookups import Places, board_rendered, shown_tournament
from web import boards
from web.boards import Board, BoardQuery, board_of
from web.name_keys import name_key
from web.page_cache import public_page

END: Final = {"bouts": 8, "rounds": 6}  # of a bracket that is read from afar
PAGE: Final = "part"  # the word of the address for the part of the bracket


@dataclass(frozen=True, slots=True)
class BracketPart:
    """Of a large bracket a share of every round, halved as the bracket is; ``board``: the matches of
    the ``first`` round that are shown."""

    parts: Sequence[PartShown]
    board: Board[Bout]
    first: Sequence[Bout]
    bracket: Bracket | Heats

    @property
    def places(self) -> Places:
        """For each entry the element of its match in the first round, and its place there."""
        return {one: (f"b-{key_of(bout)}", at) for at, bout in enumerate(self.first) for one in bout.seating}


@public_page(query=(PAGE, "bot"))
@require_safe
def bracket(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the bracket of a stage that is a knockout and has begun."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(tournament.stages.filter(number=number, started_at__isnull=False))
    if not stage.kind.has_bracket:
        raise Http404(_("This stage is no knockout."))
    query = BoardQuery.of(request, PAGE, "bot")
    read, template = partial(_bracket, stage, query), "tournaments/parts/bracket_alone.html"
    part = board_rendered(request, tournament, query, read, template)
    context = {"tournament": tournament, "stage": stage, "part": part, "live": query.but()}
    return render(request, template_of(stage.kind, "bracket.html"), context)


def bracket_part(stage: Stage, query: BoardQuery) -> BracketPart:
    """Return the share of the bracket that is asked for, or the one with a bot that is called so."""
    plan = bracket_plan(stage)
    first = plan.first_round
    shares = 1 << (max(1, -(-len(first) // boards.BOARD_ROWS)) - 1).bit_length()
    size = max(1, -(-len(first) // shares))
    wanted = name_key(query.text("bot"))
    if wanted and not query.text(PAGE) and (at := _place_of(wanted, stage, first)) is not None:
        query = BoardQuery((*query.words, (PAGE, str(at // size + 1))))
    board = replace(board_of(first, query, name=PAGE, size=size), filtered_by="bot")
    parts = bracket_shown(stage, plan.share(board.number, board.pages) if board.pages > 1 else plan)
    return BracketPart(parts, board, first, plan.bracket)


def bracket_end(stage: Stage, plan: BracketPlan | None) -> list[PartShown]:
    """Return the last rounds of the bracket ``plan`` of a stage, as many as a projector can show; none of a stage that
    is no knockout."""
    return bracket_shown(stage, plan.end(**END)) if plan else []


def tables_told(stage: Stage, tables: Sequence[RoundTable], plan: BracketPlan | None = None) -> list[RoundTable]:
    """Return the tables of a round; of a knockout with who goes on from each. ``plan``: its bracket, if it is known."""
    if not stage.kind.has_bracket:
        return list(tables)
    told = with_outcomes(stage, [table.pairing for table in tables], plan.bracket if plan else None)
    return [replace(table, pairing=pairing) for table, pairing in zip(tables, told, strict=True)]


def _place_of(wanted: str, stage: Stage, first: Sequence[Bout]) -> int | None:
    """Return the place of the match of the first round with a bot or author that is called so, from 0."""
    names = names_of(stage.tournament).items()
    found = {entry for entry, words in names if any(wanted in name_key(word) for word in words)}
    return next((at for at, bout in enumerate(first) if not found.isdisjoint(bout.seating)), None)


def _bracket(stage: Stage, query: BoardQuery) -> tuple[dict[str, Any], Board[Bout], Places]:
    shown = bracket_part(stage, query)
    return {"parts": shown.parts, "stage": stage}, shown.board, shown.places
