"""The games of a check: on the page of a version (see ``web.panels``) and in the replay player."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template import Context
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from bots.models import BotVersion
from games.record import RecordError
from matches.bot_history.bundles import bundle_attached
from matches.check_games.selectors import check_bundle, check_games, check_player, failed_game, stage_title
from matches.pages.match_page import game_end, game_title, texts_query
from matches.replay.frame_encoding import record_batch
from web.panels import panel_register


@login_required
@require_safe
@gzip_page
def check_page(request: HttpRequest, slug: str, number: int, stage: str) -> HttpResponse:
    """Show the author of an upload, and staff, the games of a stage of its check that have ended."""
    version = _version(slug, number)
    games = list(check_games(version, request.user).filter(stage=stage))
    if not games:
        raise Http404
    match, player = check_player(version, stage, games)
    context: dict[str, Any] = {
        "version": version,
        "bot": version.bot,
        "match": match,
        "player": player,
        "stage": stage_title(stage),
        "game_title": game_title(match),
        "texts": texts_query(match),
    }
    return render(request, "matches/check.html", context)


@login_required
@require_safe
@gzip_page
def check_frames(request: HttpRequest, slug: str, number: int, stage: str, index: int) -> HttpResponse:
    """Show the frames of a game of a check."""
    game = get_object_or_404(check_games(_version(slug, number), request.user), stage=stage, index=index)
    try:
        text = record_batch(game.index, bytes(game.record)).json(end=game_end(game))
    except RecordError as error:
        raise Http404 from error
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": "private"})


@login_required
@require_safe
def check_failure(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send its author the failure of a check to play again."""
    return check_failure_response(_version(slug, number), request.user)


def check_failure_response(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> HttpResponse:
    """Return the answer that has the file of the failure.

    Raises:
        Http404: see ``failed_game``, or the rules of the game have changed since.
    """
    game = failed_game(version, user)
    if game is None:
        raise Http404
    try:
        data = check_bundle(version, game)
    except RecordError as error:
        raise Http404 from error
    return bundle_attached(data, f"check-{version.number}")


def _version(slug: str, number: int) -> BotVersion:
    return get_object_or_404(BotVersion.objects.select_related("bot"), bot__slug=slug, number=number)


def version_check(context: Context, version: BotVersion) -> dict[str, Any]:
    """Return the stages of which games have ended, with how many, for who may watch them."""
    counted: dict[str, int] = {}
    for stage in check_games(version, context["user"]).values_list("stage", flat=True):
        counted[stage] = counted.get(stage, 0) + 1
    stages = [{"stage": stage, "title": stage_title(stage), "games": games} for stage, games in counted.items()]
    failed = failed_game(version, context["user"]) is not None
    return {"version": version, "bot": version.bot, "stages": stages, "failed": failed}


def register() -> None:
    panel_register("version.check", "matches/check_games.html", version_check)
