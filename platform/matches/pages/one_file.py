"""The replay player as one HTML file: with a finished match to keep, or empty for ``peck watch``."""

import re
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games.replay import RecordError
from matches.models import Match, MatchState
from matches.pages.match_page import game_end, game_title, match_with_seats, player_data
from matches.replay.frame_encoding import record_batch
from matches.replay.one_file import KeptGame, games_in, one_file
from matches.replay.pictures import game_picture
from matches.visibility import matches_visible
from web.page_cache import keep_unlisted

NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@require_safe
def match_file(request: HttpRequest, pk: int) -> HttpResponse:
    """Send the match as one HTML file, from game ``?from=`` on, counted from 1; not before its end is shown."""
    match = get_object_or_404(match_with_seats(matches_visible(request.user)), pk=pk, state=MatchState.FINISHED)
    if match.is_unlisted:
        keep_unlisted(request)
    number = request.GET.get("from", "1")
    if not NUMBER.fullmatch(number):
        raise BadRequest("'from' is the number of a game")
    games = games_in(match, int(number) - 1)
    if not games:
        raise Http404
    player = player_data(match, embedded=True)
    if "missing" in player:
        return HttpResponse(player["missing"], status=410, content_type="text/plain; charset=utf-8")
    kept = []
    for game in games:
        try:
            frames = record_batch(game.index, bytes(game.record)).json(end=game_end(game))
        except RecordError:
            continue  # the player says that it cannot be shown
        kept.append(KeptGame(player["frames"].replace("{game}", str(game.index)), frames))
    title = _("Match %(number)s") % {"number": pk}
    picture = game_picture(match, games[0].index, 0) or ""
    text = one_file(
        request,
        match,
        player=player,
        first=games[0].index,
        games=kept,
        title=f"{', '.join(seat['name'] for seat in player['seats'])} · {title}",
        game_title=game_title(match),
        first_board=mark_safe(picture),  # noqa: S308  ours
    )
    name = f"pecking-order-match-{pk}.html" if number == "1" else f"pecking-order-match-{pk}-from-{number}.html"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}
    return HttpResponse(text, headers=headers)


def empty_player(ruleset: str) -> str:
    """Return the file for games of ``ruleset``, in English. It is the same for everyone, and reads no row."""
    match = Match(pk=0, ruleset=ruleset, state=MatchState.FINISHED, blocks=1)
    match._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]  # who sits there is said later
    request = HttpRequest()
    request.method = "GET"
    request.user = AnonymousUser()
    with override("en"):
        player = player_data(match, embedded=True) | {"page": "", "seats": []}
        return one_file(request, match, player=player, first=0, games=(), title="Replay", game_title=game_title(match))
