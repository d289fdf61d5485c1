"""A knockout as a bracket; of a large one a part, from some matches of the first round to the final."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.format_pages import template_of
from tournaments.formats.knockout.pages.bracket import bracket_shown
from tournaments.formats.knockout.pages.shown import BracketMatchShown, Column, PartShown
from tournaments.models import Entry, Stage
from tournaments.selectors.pages.tournament_page import entries_of, words_of
from tournaments.views.board_pages import Places, board_rendered
from tournaments.views.lookups import shown_tournament
from web import boards
from web.boards import Board, BoardQuery, board_of
from web.name_keys import name_key
from web.page_cache import public_page

PAGE: Final = "part"  # the word of the address for the part of the bracket


@dataclass(frozen=True, slots=True)
class BracketPart:
    """Of a large bracket a share of every round, halved as the bracket is; ``board``: the matches of
    the first round. ``places``: for each entry the element of its match there, and its place."""

    parts: Sequence[PartShown]
    board: Board[BracketMatchShown]
    places: Places


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


def bracket_part(stage: Stage, entries: Sequence[Entry], query: BoardQuery) -> BracketPart:
    """Return the share of the bracket that is asked for, or the one with a bot that is called so."""
    parts = bracket_shown(stage, entries)
    first = parts[0].columns[0].bouts if parts and parts[0].columns else ()
    shares = 1 << (max(1, -(-len(first) // boards.BOARD_ROWS)) - 1).bit_length()
    size = max(1, -(-len(first) // shares))
    wanted = name_key(query.text("bot"))
    found = (at for at, bout in enumerate(first) if any(wanted in name_key(word) for word in _words(bout)))
    if wanted and not query.text(PAGE) and (at := next(found, None)) is not None:
        query = BoardQuery((*query.words, (PAGE, str(at // size + 1))))
    board = replace(board_of(first, query, name=PAGE, size=size), filtered_by="bot")
    if board.pages > 1:
        cut = partial(Column.part, number=board.number, of=board.pages)
        parts = [replace(part, columns=tuple(map(cut, part.columns))) for part in parts]
    places = {
        side.entry.pk: (f"b-{bout.key}", at) for at, bout in enumerate(first) for side in bout.sides if side.entry
    }
    return BracketPart(parts, board, places)


def _bracket(stage: Stage, query: BoardQuery) -> tuple[dict[str, Any], Board[BracketMatchShown], Places]:
    shown = bracket_part(stage, entries_of(stage.tournament), query)
    return {"parts": shown.parts, "stage": stage}, shown.board, shown.places


def _words(bout: BracketMatchShown) -> Iterator[str]:
    return (word for side in bout.sides if side.entry for word in words_of(side.entry))
