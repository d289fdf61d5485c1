"""Data of the match page: seats, games by block, faults, and the data with which the replay player starts."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from bots.failure import failure_data_url, failure_sentence
from games.catalogue import GAMES, catalogue_has_ruleset, find
from games.catalogue.code import game_code_read
from games.encoding import encoding_seed_of
from games.ruleset import POINTS
from luck import luck_analysed_by
from matches.airing.selectors import broadcast_on_air
from matches.airing.timetable import airing_milliseconds
from matches.analysis.selectors import analysis_of
from matches.live.match_reader import match_reader_ticket
from matches.models import CheckGame, Fault, Game, Match, MatchState, Seat
from matches.pages.labels import game_label, match_tie_break_label, match_verdict_label, reason_label
from matches.referee.scoring import scoring_block_of_game, scoring_seats_by_position
from matches.replay.frame_encoding import FORMAT
from matches.visibility import match_games_visible
from web import pyodide

GAMES_PER_PAGE: Final = 48  # roughly: a page has whole blocks
FAULTS_SHOWN: Final = 10
NOT_WON_SHOWN: Final = 12
LUCK_DIGITS: Final = 4  # a hundredth of a percentage point; pages show tenths, so sums of 100 values stay exact enough
_SCRIPTS: Final = ("site/js/site.js", "matches/match.js")


@dataclass(frozen=True, slots=True)
class Blame:
    """The public part of a fault: the seat, and the verdict in words."""

    seat: int
    verdict: str


@dataclass(frozen=True, slots=True)
class PlayedGameRow:
    """A finished game. ``points`` are by match seat, ``order`` has the match seats in table order."""

    index: int
    order: tuple[int, ...]
    points: Sequence[int]
    winners: tuple[int, ...]
    reason: str
    tie_break: str
    blames: tuple[Blame, ...]

    @property
    def number(self) -> int:
        """The number of the game, from 1."""
        return self.index + 1


@dataclass(frozen=True, slots=True)
class BlockRow:
    """The games with the same seed, one for each rotation of the seats."""

    number: int
    seed: str  # hexadecimal
    rows: tuple[PlayedGameRow, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """A fault as its author reads it. ``view`` is JSON."""

    fault: Fault
    verdict: str
    view: str

    @property
    def detail(self) -> str:
        """What happened. Texts of the platform are in the reader's language."""
        return failure_sentence(self.fault.detail)

    @property
    def view_link(self) -> str:
        """A data URL to download the view."""
        return failure_data_url(self.view)


def match_page_faults(faults: QuerySet[Fault]) -> list[FaultRow]:
    """Return the first ``FAULTS_SHOWN`` of ``faults``: a faulty bot usually fails the same way each time."""
    return [
        FaultRow(
            fault, match_verdict_label(fault.verdict), "" if fault.view is None else json.dumps(fault.view, indent=1)
        )
        for fault in faults[:FAULTS_SHOWN]
    ]


@dataclass(frozen=True, slots=True)
class GamesNotWon:
    """The numbers, from 1, of the first games that a bot did not win. ``more`` is the number of further games."""

    name: str
    numbers: Sequence[int]
    more: int


def match_page_games_not_won(match: Match, owners: Collection[int]) -> list[GamesNotWon]:
    """Return the finished games that bots of ``owners`` did not win, for bots that won some of their games but not
    all."""
    found = []
    for name, seat in zip(match.seat_names, match.seats.all(), strict=True):
        numbers = [number for number, place in enumerate(seat.places, 1) if place > 1]
        if seat.version.bot.owner_id in owners and 0 < len(numbers) < len(seat.places):
            found.append(GamesNotWon(name, numbers[:NOT_WON_SHOWN], max(0, len(numbers) - NOT_WON_SHOWN)))
    return found


def match_page_games(match: Match, number: str | None) -> Page[Game]:
    """Return page ``number`` of the finished games. Pages have whole blocks."""
    seats = len(match.seats.all())
    return Paginator(match_games_visible(match), seats * max(1, GAMES_PER_PAGE // seats)).get_page(number)


def match_page_blocks(match: Match, games: Iterable[Game]) -> list[BlockRow]:
    """Return the finished ``games``, grouped by seed."""
    seats = len(match.seats.all())
    games = list(games)
    blames = _blames(games)
    return [
        BlockRow(
            block + 1,
            encoding_seed_of(bytes(group[0].record)).hex(),
            tuple(_row(g, match, seats, blames) for g in group),
        )
        for block, members in groupby(games, key=lambda game: scoring_block_of_game(game.index, seats))
        if (group := list(members))
    ]


def _blames(games: Sequence[Game]) -> Mapping[int, tuple[Blame, ...]]:
    faults = Fault.objects.filter(game__in=games).order_by("seat__index").values_list("game", "seat__index", "verdict")
    found: dict[int, tuple[Blame, ...]] = {}
    for game, seat, verdict in faults:
        found[game] = (*found.get(game, ()), Blame(seat, match_verdict_label(verdict)))
    return found


def _row(game: Game, match: Match, seats: int, blames: Mapping[int, tuple[Blame, ...]]) -> PlayedGameRow:
    return PlayedGameRow(
        index=game.index,
        order=scoring_seats_by_position(game.index, seats),
        points=game.points,
        winners=tuple(seat for seat, place in enumerate(game.places) if place == 1),
        reason=reason_label(match.ruleset, game.reason),
        tie_break=match_tie_break_label(match.ruleset, game.tie_break),
        blames=blames.get(game.pk, ()),
    )


def game_title(match: Match) -> str:
    """Return the title of the match's game, in the reader's language."""
    return _(find(match.ruleset).title) if catalogue_has_ruleset(match.ruleset) else game_label(match.ruleset)


def match_page_points_title(match: Match) -> str:
    """Return what points are called in the match's game, in English: pages translate it."""
    return find(match.ruleset).points if catalogue_has_ruleset(match.ruleset) else POINTS


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
    """Return the address of the bots' notes; empty if there are none. The page is the same for everyone, so permissions
    are checked at that address."""
    if match.state != MatchState.FINISHED or not any(seat.explains for seat in seats):
        return {}
    return {"notes": reverse("matches:game-notes", args=[match.pk, 0]).replace("/0/", "/{game}/")}


def player_decisions_addresses(match: Match, seats: Iterable[Seat]) -> dict[str, Any]:
    """Return the addresses of what the bots of ``seats`` saw and did; empty before the match is finished."""
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
    return {"decisions": found, "playground": reverse("playground") if pyodide.address() else ""}


def _at_step(name: str, seat: Seat) -> str:
    address = reverse(name, args=[seat.version.bot.slug, seat.match_id, 0, seat.index, 1])
    return address.replace(f"/{seat.match_id}/0/{seat.index}/1.", f"/{seat.match_id}/{{game}}/{seat.index}/{{step}}.")


def player_luck_parts(ruleset: str) -> dict[str, Any]:
    """Return the part of the player that shows analyses; empty if games of ``ruleset`` are not analysed."""
    if not luck_analysed_by(ruleset):
        return {}
    return {"luck_later": _afterwards("matches/replay/luck/index.js", "matches/replay/luck/luck.css")}


def player_texts_query(match: Match) -> str:
    """Return the query of the translated script texts (``web.bundles``) for a page with the player of ``match``."""
    board = player_board_file(match.ruleset.partition("/")[0])
    return "".join(f"&of={bundle}" for bundle in (*_SCRIPTS, board))


def _afterwards(module: str, style: str) -> dict[str, str]:
    """Return the addresses of a part that the player loads on demand: module, style sheet and texts."""
    texts = f"{reverse('javascript-catalog')}?{get_language()}&of={module}"
    return {"module": static(module), "style": static(style), "texts": texts}


def _later(game: str) -> dict[str, str]:
    """Return the addresses of the parts that the player loads after the first move, including the game's own."""
    parts = _afterwards("matches/replay/later.js", "matches/replay/later.css")
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
    """Return the data of ``<match-replay>`` for a reader who may see ``match`` and its links; see
    static/matches/replay/match-replay.js.
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
