"""The data with which the replay player starts: addresses of its parts, frames and analyses, seats and texts."""

from collections.abc import Iterable
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.catalogue import GAMES, catalogue_has_ruleset
from games.catalogue.code import game_code_read
from luck import luck_analysed_by
from matches.airing.selectors import broadcast_on_air
from matches.airing.timetable import airing_milliseconds
from matches.analysis.selectors import analysis_of
from matches.live.match_reader import match_reader_ticket
from matches.models import CheckGame, Game, Match, MatchState, Seat
from matches.referee.scoring import scoring_seats_by_position
from matches.replay.frame_encoding import FORMAT
from web import pyodide

# Decimal places of a share: hundredths of a percentage point. Pages show tenths, so sums of 100 values stay exact.
LUCK_DIGITS: Final = 4
_SCRIPTS: Final = ("site/js/site.js", "matches/match.js")


def player_board_file(game: str) -> str:
    """Return the static path of the module that draws a game."""
    return f"matches/replay/boards/{game}/index.js"


def player_choices_file(game: str) -> str:
    """Return the static path of the module that puts the actions of a game into words; "" if the game has none."""
    path = f"matches/replay/boards/{game}/choices.js"
    return path if finders.find(path) else ""


def player_game_end(game: Game | CheckGame) -> dict[str, Any]:
    """Return how a finished game ended, for the player: ``places`` by table position, and codes for the reasons."""
    order = scoring_seats_by_position(game.index, len(game.places))
    places = [game.places[seat] for seat in order]
    return {"places": places, "reason": game.reason, "tie_break": game.tie_break}


def _words(game: str) -> dict[str, dict[str, str]]:
    """Return labels for the codes of ``player_game_end``, in the reader's language."""
    codes = {"reasons": GAMES[game].reasons, "tie_breaks": GAMES[game].tie_breaks}
    return {kind: {code: _(text) for code, text in texts.items()} for kind, texts in codes.items()}


def player_board_parts(game: str) -> dict[str, str]:
    """Return the addresses of a game's board module and of its style sheet, "" if it has none."""
    style = f"matches/replay/boards/{game}/board.css"
    return {"board": static(player_board_file(game)), "style": static(style) if finders.find(style) else ""}


def _luck(match: Match) -> dict[str, Any]:
    """Return the address of the games' analyses; empty if games of the match are not analysed."""
    if not (parts := player_luck_parts(match.ruleset)):
        return {}
    address = reverse("matches:game-luck", args=[match.pk, 0]).replace("/0/", "/{game}/")
    return {"luck": f"{address}?edition={analysis_of(match)}.{match.attempt}&digits={LUCK_DIGITS}", **parts}


def _notes(match: Match, seats: Iterable[Seat]) -> dict[str, str]:
    """Return the address of the bots' notes; empty if there are none.

    The page is the same for all readers. So the view at that address checks who may read notes.
    """
    if match.state != MatchState.FINISHED or not any(seat.explains for seat in seats):
        return {}
    return {"notes": reverse("matches:game-notes", args=[match.pk, 0]).replace("/0/", "/{game}/")}


def player_decisions_addresses(match: Match, seats: Iterable[Seat]) -> dict[str, Any]:
    """Return the addresses that show what the bots of ``seats`` saw and did; empty before the match is finished."""
    if match.state != MatchState.FINISHED:
        return {}
    found = [
        {"seat": seat.index, "address": _at_step("bots:decision", seat), "file": _at_step("bots:decision-file", seat)}
        | {"source": reverse("bots:source", args=[seat.version.bot.slug, seat.version.number])}
        for seat in seats
        if seat.version.bot.deleted_at is None
    ]
    if not found:
        return {}
    return {"decisions": found, "playground": reverse("playground") if pyodide.pyodide_address() else ""}


def _at_step(name: str, seat: Seat) -> str:
    address = reverse(name, args=[seat.version.bot.slug, seat.match_id, 0, seat.index, 1])
    return address.replace(f"/{seat.match_id}/0/{seat.index}/1.", f"/{seat.match_id}/{{game}}/{seat.index}/{{step}}.")


def player_luck_parts(ruleset: str) -> dict[str, Any]:
    """Return the addresses of the player's part for analyses; empty if games of ``ruleset`` are not analysed."""
    if not luck_analysed_by(ruleset):
        return {}
    return {"luck_later": _lazy_part("matches/replay/luck/index.js", "matches/replay/luck/luck.css")}


def player_texts_query(match: Match) -> str:
    """Return the query of the translated script texts for a page with the player of ``match``; see ``web.bundles``."""
    board = player_board_file(match.ruleset.partition("/")[0])
    return "".join(f"&of={bundle}" for bundle in (*_SCRIPTS, board))


def _lazy_part(module: str, style: str) -> dict[str, str]:
    """Return the addresses of a part that the player loads on demand: module, style sheet and texts."""
    texts = f"{reverse('javascript-catalog')}?{get_language()}&of={module}"
    return {"module": static(module), "style": static(style), "texts": texts}


def _later(game: str) -> dict[str, str]:
    """Return the addresses of the parts that the player loads after the first move, including the game's own."""
    parts = _lazy_part("matches/replay/later.js", "matches/replay/later.css")
    own = f"matches/replay/boards/{game}/later.js"
    return {**parts, "texts": f"{parts['texts']}&of={own}", "game": static(own)} if finders.find(own) else parts


def _air(match: Match) -> dict[str, Any]:
    """Return the server's time in milliseconds. For a match on air, add the game that is shown now."""
    show = broadcast_on_air(match)
    if show is None:
        return {"now": airing_milliseconds(timezone.now())}
    return {"now": show.now, "air": {"game": show.game, "starts": show.begins}}


def player_parts(ruleset: str) -> dict[str, Any]:
    """Return what the player needs for games of ``ruleset``, wherever their frames come from."""
    game = ruleset.partition("/")[0]
    return {
        "ruleset": ruleset,
        **player_board_parts(game),
        "words": _words(game),
        "later": _later(game),
    }


def _player_missing_parts(match: Match) -> str:
    """Return a message about the package that the site lacks for games of ``match``; "" if it lacks none."""
    if catalogue_has_ruleset(match.ruleset):
        return ""
    if (code := game_code_read(match.code)) is not None:
        values = {"package": f"{code.distribution} {code.version}", "ruleset": match.ruleset}
        return _("To show this replay, the site needs the package %(package)s with the game %(ruleset)s.") % values
    return _("To show this replay, the site needs a package with the game %(ruleset)s.") % {"ruleset": match.ruleset}


def player_data(match: Match, *, embedded: bool = False) -> dict[str, Any]:
    """Return the data of ``<match-replay>``, for a reader who may see ``match`` and its links.

    See static/matches/replay/match-replay.js.
    """
    seats = list(match.seats.all())
    if missing := _player_missing_parts(match):
        return {"missing": missing, "games": match.blocks_most * len(seats), "embedded": embedded, "page": ""}
    return {
        "match": match.pk,
        **player_parts(match.ruleset),
        "state": match.state,
        "attempt": match.attempt,
        **_air(match),
        "games": match.blocks_most * len(seats),
        "seats": [
            {"name": name, "version": seat.version.number} for name, seat in zip(match.seat_names, seats, strict=True)
        ],
        "frames": reverse("matches:game-frames", args=[match.pk, 0]).replace("/0/", "/{game}/"),
        "edition": f"{FORMAT}.{match.attempt}",
        **_luck(match),
        **_notes(match, seats),
        "socket": f"/ws/matches/{match.pk}/",
        "ticket": match_reader_ticket(match),
        "page": reverse("matches:detail", args=[match.pk]),
        "embedded": embedded,
    }
