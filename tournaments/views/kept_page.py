"""Pages about all bots of a tournament beside its own: rendered once per change for all who see the same of them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from tournaments.models import Publication, Tournament
from web.boards import Board, BoardQuery, board_of
from web.kept_parts import PlacedRow, RenderedPart, part_kept, part_of_reader

KEPT_SECONDS: Final = 60  # analyses of games, and new names of bots, come without a new revision
Places = Mapping[int, tuple[str, int]]


def page_kept(
    request: HttpRequest,
    tournament: Tournament,
    what: str,
    query: BoardQuery,
    read: Callable[[], tuple[dict[str, Any], Board[Any], Places]],
    template: str,
) -> SafeString:
    """Return a part of a page, with the reader's own bots marked in it. ``what`` names it and says all that it depends
    on beside the tournament and the ``query``. ``read`` returns what the ``template`` reads, the board that is shown
    and for each entry the element of its row and its place on the unfiltered board.
    """
    is_anyone = tournament.publication == Publication.EVERYONE
    audience = "" if is_anyone else f"/{request.user.pk}"
    name = f"{what}/{tournament.pk}/{tournament.created_at.timestamp()}{audience}/{query}"

    def render() -> RenderedPart:
        context, board, places = read()
        user = AnonymousUser() if is_anyone else request.user
        html = render_to_string(template, {"user": user, "tournament": tournament, "board": board, **context})
        return RenderedPart(html, (dict(places), board.of, board.size, board.name), board.is_long)

    kept = part_kept(name, tournament.revision, KEPT_SECONDS, render)
    places, of, size, name = kept.data
    own = _own(request, tournament)
    rows = [PlacedRow(places[pk][0], bot, places[pk][1] if of > size else None) for pk, bot in own if pk in places]
    return part_of_reader(kept.html, rows, board_of(range(of), query, name=name, filtered_by="bot", size=size))


def _own(request: HttpRequest, tournament: Tournament) -> list[tuple[int, str]]:
    if request.user.pk is None:
        return []
    own = tournament.entries.filter(bot__owner=request.user.pk)
    return list(own.order_by("pk").values_list("pk", "bot__name"))
