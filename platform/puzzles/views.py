"""Pages of puzzles: the list, and the page of a puzzle.

The page of a puzzle has a form for the answer. After the answer, it shows the worth of each action. Answers of
anonymous visitors are GET requests, because nothing is stored. Signed-in users answer once, by a POST.
"""

import json
from typing import Final

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from puzzles.selectors import (
    games_with_puzzles,
    next_puzzle,
    puzzle_actions_shown,
    puzzle_answer_of,
    puzzle_board_parts_of,
    puzzle_board_small,
    puzzle_board_svg,
    puzzle_texts_query,
    puzzles_shown,
    puzzles_with_answers_of,
)
from puzzles.services import NoSuchAction, puzzle_answer_submit
from web.limits import limit_allows, limit_exceeded_response, limit_seconds_left
from web.page_cache import LIST_SECONDS, public_page
from web.requests import request_user

ROWS: Final = 24  # puzzles on a page, which fill two, three and four columns
ANSWERS_MOST: Final = "60/m/user"


@public_page(max_age=LIST_SECONDS, query=("page", "game"))
@require_safe
def puzzle_list_view(request: HttpRequest) -> HttpResponse:
    """List the games that have puzzles, and the puzzles."""
    games = games_with_puzzles(request.user)
    game = next((one for one in games if one.name == request.GET.get("game")), None)
    puzzles = puzzles_with_answers_of(puzzles_shown(), request.user)
    if game:
        puzzles = puzzles.filter(game=game.name)
    page = Paginator(puzzles, ROWS).get_page(request.GET.get("page"))
    titles = {one.name: one.title for one in games}
    rows = [(one, titles.get(one.game, one.game), puzzle_board_small(one)) for one in page]
    nexts = [(one, next_puzzle(one.name, request.user)) for one in games]
    cards = [(one, puzzle_board_small(puzzle) if puzzle else "") for one, puzzle in nexts]
    context = {"games": games, "cards": cards, "game": game, "page": page, "rows": rows}
    return render(request, "puzzles/list.html", context)


@public_page(max_age=LIST_SECONDS)
@require_safe
def puzzle_next_view(request: HttpRequest, name: str) -> HttpResponse:
    """Redirect to the next puzzle of a game. Signed-in users get the puzzle that fits their rating best."""
    found = next_puzzle(name, request.user)
    if found is None:
        if request.user.is_authenticated:
            messages.info(request, _("You have answered all puzzles of this game."))
        return redirect("puzzles:list")
    return redirect("puzzles:detail", found.pk)


@public_page(max_age=LIST_SECONDS, query=("answer",))
@require_http_methods(["GET", "HEAD", "POST"])
def puzzle_detail_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a puzzle, and after an answer the worth of each action."""
    puzzle = get_object_or_404(puzzles_shown(), pk=pk)
    if request.method == "POST" and request.user.is_authenticated:
        if not limit_allows(request, app="puzzles", action="answer", most=ANSWERS_MOST):
            return limit_exceeded_response(
                request, limit_seconds_left(request, app="puzzles", action="answer", config={"answer": ANSWERS_MOST})
            )
        try:
            puzzle_answer_submit(person=request_user(request), puzzle=puzzle, action=request.POST.get("answer", ""))
        except NoSuchAction as error:
            messages.error(request, str(error))
        return redirect(reverse("puzzles:detail", args=[pk]))
    answer = puzzle_answer_of(puzzle, request.user)
    from_address = None if request.user.is_authenticated else request.GET.get("answer")
    if (
        from_address is not None and from_address not in puzzle.actions
    ):  # otherwise each text in the address would get a page of its own in the cache
        return redirect("puzzles:detail", pk)
    chosen = answer.action if answer else from_address or ""
    shown = puzzle_actions_shown(puzzle, chosen)
    context = {
        "puzzle": puzzle,
        "game": next(one for one in games_with_puzzles(request.user) if one.name == puzzle.game),
        "board": puzzle_board_svg(puzzle),
        "drawn": puzzle_board_parts_of(puzzle),
        "texts": puzzle_texts_query(puzzle),
        "playing_as": puzzle.bots[puzzle.seat],
        "actions": shown,
        "view_text": json.dumps(puzzle.view, indent=1, ensure_ascii=False),
        "chosen": next((one for one in shown if one.is_chosen), None),
        "best": next(one for one in shown if one.is_best),
        "answer": answer,
        "next": next_puzzle(puzzle.game, request.user, after=pk) if chosen else None,
    }
    return render(request, "puzzles/detail.html", context)
