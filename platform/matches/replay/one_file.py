"""A finished match as one HTML file that plays offline, and the player alone for ``peck watch``.

The file contains the player's bundles and style sheets, the texts in the reader's language, and the frames of the
games. When the player requests data, a script in the page responds (``static/matches/replay/from-file.js``). A meta tag
has the content security policy. It allows only the scripts in the file, by their hashes, and the board, which one of
them creates. Nothing is loaded.
"""

import base64
import gzip
import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.contrib.staticfiles import finders
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from games.replay import RecordError
from matches.models import Game, Match, MatchState
from matches.pages.match_page import match_page_game_title
from matches.pages.player import player_data, player_game_end
from matches.replay.frame_encoding import frame_encoding_of_record
from matches.replay.pictures import match_picture_of_game
from matches.selectors import matches_with_seats
from matches.visibility import matches_visible
from web.page_cache import page_mark_unlisted

GAMES_MOST: Final = 24  # games in a file; few, because the file is made during the request
STYLES: Final = ("site/css/site.css", "matches/match.css", "matches/replay/later.css", "matches/embed.css")
BEFORE: Final = "matches/replay/from-file.js"
PLAYER: Final = "matches/match.js"
LATER: Final = "matches/replay/later.js"


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in the file: the ``address`` that the player would request, and the response as JSON."""

    address: str
    frames: str


def replay_one_file(
    request: HttpRequest,
    match: Match,
    *,
    player: Mapping[str, Any],
    first: int,
    games: Sequence[KeptGame],
    **shown: Any,
) -> str:
    """Return the HTML file. It begins with game ``first``.

    ``player`` is the result of ``player_data``. ``shown`` has further entries for the context of the template.

    Raises:
        ValueError: a script or style sheet of the platform contains text that would end its element.
    """
    board = f"matches/replay/boards/{match.ruleset.partition('/')[0]}"
    styles = [_text(path) for path in (*STYLES, f"{board}/board.css") if finders.find(path)]
    kept = {
        "board": _text(f"{board}/index.js"),
        "later": _text(LATER),
        "later_game": _text(f"{board}/later.js") if finders.find(f"{board}/later.js") else "",
        "first": first,
        "games": {game.address: _packed(game.frames) for game in games},
    }
    catalogue: Any = JavaScriptCatalog.as_view()(request)
    scripts = [_script(catalogue.content.decode()), _script(_text(BEFORE)), _script(_text(PLAYER))]
    offline = {
        name: value
        for name, value in player.items()
        if name not in ("socket", "ticket", "style", "later", "luck", "luck_later")
    }
    context = {
        "match": match,
        "policy": _policy(scripts),
        "style": _raw("\n".join(styles), "</style"),
        "kept": json_script(kept, "kept"),
        "catalogue": scripts[0],
        "before": scripts[1],
        "script": scripts[2],
        "player": {**offline, "page": player["page"] and request.build_absolute_uri(player["page"])},
        **shown,
    }
    return render_to_string("matches/one_file.html", context, request)


def replay_one_file_windows(games: int) -> list[tuple[int, int]]:
    """Return the first and the last game of each file of a match, counted from 0."""
    return [(first, min(first + GAMES_MOST, games) - 1) for first in range(0, games, GAMES_MOST)]


def _one_file_games(match: Match, first: int) -> list[Game]:
    """Return the games of the file that begins with game ``first``."""
    return list(match.games.filter(index__gte=first, index__lt=first + GAMES_MOST).order_by("index"))


def _text(path: str) -> str:
    found: Any = finders.find(path)
    return Path(found).read_text(encoding="utf-8")


def _packed(text: str) -> str:
    return base64.b64encode(gzip.compress(text.encode(), 6, mtime=0)).decode()


def _script(text: str) -> SafeString:
    return _raw(text, "</script", "<!--")


def _raw(text: str, *forbidden: str) -> SafeString:
    """Return ``text`` unescaped, after checking that it contains no ``forbidden`` text that would end its element."""
    for end in forbidden:
        if end in text.lower():
            raise ValueError(f"{end} in a file of ours")
    return mark_safe(text)  # noqa: S308  files of the platform


def _policy(scripts: Sequence[str]) -> str:
    hashes = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(one.encode()).digest()).decode()}'" for one in scripts)
    return (
        f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline'; img-src data:; connect-src 'none';"
        " base-uri 'none'; form-action 'none'"
    )


NUMBER: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)


@require_safe
def replay_one_file_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a finished match as one HTML file, beginning with game ``?from=``, which counts from 1."""
    match = get_object_or_404(matches_with_seats(matches_visible(request.user)), pk=pk, state=MatchState.FINISHED)
    if match.is_unlisted:
        page_mark_unlisted(request)
    number = request.GET.get("from", "1")
    if not NUMBER.fullmatch(number):
        raise BadRequest("'from' is the number of a game")
    games = _one_file_games(match, int(number) - 1)
    if not games:
        raise Http404
    player = player_data(match, embedded=True)
    if "missing" in player:
        return HttpResponse(player["missing"], status=410, content_type="text/plain; charset=utf-8")
    kept = []
    for game in games:
        try:
            frames = frame_encoding_of_record(game.index, bytes(game.record)).json(end=player_game_end(game))
        except RecordError:
            continue  # the player shows an error for this game
        kept.append(KeptGame(player["frames"].replace("{game}", str(game.index)), frames))
    title = _("Match %(number)s") % {"number": pk}
    picture = match_picture_of_game(match, games[0].index, 0) or ""
    text = replay_one_file(
        request,
        match,
        player=player,
        first=games[0].index,
        games=kept,
        title=f"{', '.join(seat['name'] for seat in player['seats'])} · {title}",
        game_title=match_page_game_title(match),
        first_board=mark_safe(picture),  # noqa: S308  drawn here
    )
    name = f"pecking-order-match-{pk}.html" if number == "1" else f"pecking-order-match-{pk}-from-{number}.html"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "private, no-cache"}
    return HttpResponse(text, headers=headers)


def replay_empty_file(ruleset: str) -> str:
    """Return the player for ``ruleset`` without any games, in English, for ``peck watch``. It makes no query."""
    match = Match(pk=0, ruleset=ruleset, state=MatchState.FINISHED, blocks=1)
    match._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]  # ``peck watch`` adds the seats
    request = HttpRequest()
    request.method = "GET"
    request.user = AnonymousUser()
    with override("en"):
        player = player_data(match, embedded=True) | {"page": "", "seats": []}
        return replay_one_file(
            request, match, player=player, first=0, games=(), title="Replay", game_title=match_page_game_title(match)
        )
