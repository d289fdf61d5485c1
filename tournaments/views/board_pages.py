"""Pages about all bots of a tournament beside its own, with the reader's own bots marked."""

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from teams.selectors import owners_of
from tournaments.models import Publication, Tournament
from web.boards import Board, BoardQuery, OwnRow, board_of, own_rows_marked

Places = Mapping[int, tuple[str, int]]


def board_rendered(
    request: HttpRequest,
    tournament: Tournament,
    query: BoardQuery,
    read: Callable[[], tuple[dict[str, Any], Board[Any], Places]],
    template: str,
) -> SafeString:
    """Return a part of a page, with the reader's own bots marked in it. ``read`` returns what the ``template`` reads,
    the board that is shown and for each entry the element of its row and its place on the unfiltered board.
    """
    context, board, places = read()
    user = AnonymousUser() if tournament.publication == Publication.EVERYONE else request.user
    html = render_to_string(template, {"user": user, "tournament": tournament, "board": board, **context})
    rows = [
        OwnRow(places[pk][0], bot, places[pk][1] if board.is_long else None)
        for pk, bot in _own(request, tournament)
        if pk in places
    ]
    return own_rows_marked(
        html, rows, board_of(range(board.of), query, name=board.name, filtered_by="bot", size=board.size)
    )


def _own(request: HttpRequest, tournament: Tournament) -> list[tuple[int, str]]:
    if request.user.pk is None:
        return []
    own = tournament.entries.filter(bot__owner__in=owners_of(request.user))
    return list(own.order_by("pk").values_list("pk", "bot__name"))
