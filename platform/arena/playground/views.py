"""Pages of the playground, and the files that they load."""

from typing import Final

from csp.constants import NONE, SELF
from csp.decorators import csp
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from arena.playground.context import (
    playground_content_digest,
    playground_games,
    playground_house_bots_left_out,
    playground_opponents,
    playground_server_only_games,
    playground_settings,
    playground_terms,
    playground_worker_file,
)
from arena.site.author_kit import kit_browser_file
from arena.site.game_packages import game_packages_browser_games
from arena.site.selectors import home_game_tiles
from bots.forms import NewBotForm, VersionForm
from bots.selectors import bot_upload_limits_of, bots_of_user_and_teams
from contests.game_settings_form import game_settings_missing_message
from games.catalogue import GAMES
from games.catalogue.discovery import NAME
from games.protocol import Verdict
from matches.pages.labels import match_verdict_label
from matches.pages.player import player_board_file, player_choices_file
from web.page_cache import TEXT_SECONDS, public_page
from web.requests import request_user

SITE_SCRIPT: Final = "site/js/site.js"
MATCH_SCRIPT: Final = "matches/match.js"
FOR_GOOD: Final = "public, max-age=31536000, immutable"
# This response is the only one of the site that may compile WebAssembly: a web worker has the policy of its own script.
WORKER_POLICY: Final = {
    "default-src": [NONE],
    "script-src": [SELF, "'wasm-unsafe-eval'"],
    "connect-src": [SELF],
    "base-uri": [NONE],
    "frame-ancestors": [NONE],
}


@public_page(max_age=TEXT_SECONDS, query=("failure", "game", "version"))
@require_safe
def playground_write_view(request: HttpRequest) -> HttpResponse:
    """Show the page on which users write, run, watch and save a bot."""
    return render(request, "playground/write.html", _context(request, "playground/write.js"))


@public_page(max_age=TEXT_SECONDS, query=("game",))
@require_safe
def playground_play_view(request: HttpRequest) -> HttpResponse:
    """Show the page on which a user plays against house bots."""
    context = _context(request, "playground/play.js", request.user.get_username())
    played = game_packages_browser_games()
    context["tiles"] = [tile for tile in home_game_tiles() if tile.name in played]
    return render(request, "playground/play.html", context)


@login_required
@require_safe
def playground_save_view(request: HttpRequest) -> HttpResponse:
    """Show the forms that save code of this browser as a bot or as a new version."""
    author = request_user(request)
    context = {
        "bots": bots_of_user_and_teams(request.user),
        "form": NewBotForm(author=author),
        "version_form": VersionForm(author=author),
        "saved": {"games": _titles()},
    }
    return render(request, "playground/save.html", context)


@public_page(max_age=TEXT_SECONDS)
@require_safe
def playground_terms_file_view(request: HttpRequest, name: str) -> JsonResponse:
    """Send the meanings of a game's view keys and actions, for the editor."""
    if name not in GAMES:
        raise Http404
    return JsonResponse(playground_terms(GAMES[name]))


@login_required
@require_safe
def playground_versions_view(request: HttpRequest, name: str) -> JsonResponse:
    """Send the user's own versions of a game, as possible opponents."""
    if name not in GAMES:
        raise Http404
    found = playground_opponents(request.user, name)
    return JsonResponse(found, headers={"Cache-Control": "private, no-store"})


@csp(WORKER_POLICY)  # type: ignore[arg-type]  # typed for views without arguments
@require_safe
def playground_worker_view(request: HttpRequest, digest: str) -> HttpResponse:
    """Send the script of the web worker that runs Python."""
    return _kept(playground_worker_file(), digest, "text/javascript; charset=utf-8")


@require_safe
def playground_kit_view(request: HttpRequest, digest: str) -> HttpResponse:
    """Send the kit as the zip that the worker loads."""
    return _kept(kit_browser_file(), digest, "application/zip")


def _context(request: HttpRequest, script: str, person: str = "") -> dict[str, object]:
    """Return the context of a page that runs ``script``; ``person`` is the name of the player, "" for an anonymous
    visitor."""
    versions, elsewhere = playground_settings(), playground_server_only_games()
    game = request.GET.get("game", "")
    is_missing = NAME.fullmatch(game) is not None and game not in GAMES
    played = game_packages_browser_games()
    is_author = request.user.is_authenticated
    data = {
        "python": versions,
        "games": playground_games(),
        "person": person,
        "files": bot_upload_limits_of(request.user).files,
        "versions": reverse("playground-versions", args=["0"]).replace("-0.", "-{game}.") if is_author else "",
        "verdicts": {one.value: match_verdict_label(one) for one in Verdict},
    }
    bundles = (
        SITE_SCRIPT,
        MATCH_SCRIPT,
        script,
        *map(player_board_file, played),
        *filter(None, map(player_choices_file, played)),
    )
    return {
        "settings": data if versions else None,
        "left_out": playground_house_bots_left_out(),
        "on_server_only": [*elsewhere.values()],
        "asked": elsewhere.get(game, ""),
        "missing": game_settings_missing_message(game) if is_missing else "",
        "texts": "".join(f"&of={bundle}" for bundle in bundles),
    }


def _titles() -> dict[str, str]:
    return {name: gettext(game.title) for name, game in GAMES.items()}


def _kept(data: bytes, asked: str, kind: str) -> HttpResponse:
    """Return a response that browsers may cache for ever. A request for an outdated address gets the current content,
    which must not be cached.
    """
    cache_control = FOR_GOOD if playground_content_digest(data) == asked else "no-store"
    return HttpResponse(data, content_type=kind, headers={"Cache-Control": cache_control})
