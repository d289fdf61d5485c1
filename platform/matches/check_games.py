"""The games of an upload's check: on the page of a version, and in the replay player.

On the page of a version, they are a panel (see ``web.panels``).
"""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template import Context
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from bots.models import BotVersion, VersionState
from games.catalogue import GAMES
from games.protocol import Limits
from games.record import Record, RecordError
from matches.bot_history.decision_bundles import decision_bundle_response
from matches.bot_history.selectors import FAULT_FIELDS
from matches.models import CheckGame, Match, MatchState
from matches.pages.match_page import match_page_game_title
from matches.pages.player import player_data, player_game_end, player_texts_query
from matches.referee.failure_bundle import failure_bundle_file, failure_bundle_seat_at_fault
from matches.referee.scoring import scoring_seats_by_position
from matches.referee.trial import CANDIDATE, MIRROR
from matches.replay.frame_encoding import frame_encoding_of_record
from teams.selectors import acts_for_owner
from web.panels import panel_register


@login_required
@require_safe
@gzip_page
def check_games_view(request: HttpRequest, slug: str, number: int, stage: str) -> HttpResponse:
    """Show the games of a stage of a check that have ended. For the author of the upload, and staff."""
    version = _version(slug, number)
    games = list(check_games(version, request.user).filter(stage=stage))
    if not games:
        raise Http404
    match, player = _check_player(version, stage, games)
    context: dict[str, Any] = {
        "version": version,
        "bot": version.bot,
        "match": match,
        "player": player,
        "stage": _check_stage_title(stage),
        "game_title": match_page_game_title(match),
        "texts": player_texts_query(match),
    }
    return render(request, "matches/check.html", context)


@login_required
@require_safe
@gzip_page
def check_game_frames_view(request: HttpRequest, slug: str, number: int, stage: str, index: int) -> HttpResponse:
    """Send the frames of a game of a check."""
    game = get_object_or_404(check_games(_version(slug, number), request.user), stage=stage, index=index)
    try:
        text = frame_encoding_of_record(game.index, bytes(game.record)).json(end=player_game_end(game))
    except RecordError as error:
        raise Http404 from error
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": "private"})


@login_required
@require_safe
def check_game_failure_view(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send the author the failure of a check as a file to replay."""
    return check_game_failure_attached(_version(slug, number), request.user)


def check_game_failure_attached(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> HttpResponse:
    """Return an HTTP response that sends the failure of a check as a file.

    Raises:
        Http404: see ``check_failed_game``; or the rules of the game have changed since the check.
    """
    game = check_failed_game(version, user)
    if game is None:
        raise Http404
    try:
        data = _check_bundle(version, game)
    except RecordError as error:
        raise Http404 from error
    return decision_bundle_response(data, f"check-{version.number}")


def _version(slug: str, number: int) -> BotVersion:
    return get_object_or_404(BotVersion.objects.select_related("bot"), bot__slug=slug, number=number)


def check_of_version(context: Context, version: BotVersion) -> dict[str, Any]:
    """Return the stages in which games have ended, with the number of these games, if the user may watch them."""
    counted: dict[str, int] = {}
    for stage in check_games(version, context["user"]).values_list("stage", flat=True):
        counted[stage] = counted.get(stage, 0) + 1
    stages = [{"stage": stage, "title": _check_stage_title(stage), "games": games} for stage, games in counted.items()]
    failed = check_failed_game(version, context["user"]) is not None
    return {"version": version, "bot": version.bot, "stages": stages, "failed": failed}


def register() -> None:
    panel_register("version.check", "matches/check_games.html", check_of_version)


def check_games(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> QuerySet[CheckGame]:
    """Return the games of the last check of ``version`` that have ended, for its author and staff; none for others."""
    may_watch = acts_for_owner(user, version.bot.owner_id) or getattr(user, "is_staff", False)
    if not may_watch or version.state == VersionState.DELETED:
        return CheckGame.objects.none()
    return CheckGame.objects.filter(version=version, attempt=version.check_attempt)


def _check_player(version: BotVersion, stage: str, games: list[CheckGame]) -> tuple[Match, dict[str, Any]]:
    """Return an unsaved match that represents the ``games`` of a stage, and the replay player's data for them."""
    record = Record.decode(bytes(games[0].record))
    match = Match(pk=0, ruleset=record.ruleset, options=record.options, state=MatchState.FINISHED, blocks=1)
    match._prefetched_objects_cache = {"seats": []}  # type: ignore[attr-defined]  # ``player`` below has the seats
    mine, house = version.bot.name, GAMES[record.ruleset.partition("/")[0]].house_bots[0].title
    others = [{"name": mine, "version": version.number} if stage == MIRROR else {"name": house, "version": 1}]
    where = [version.bot.slug, version.number, stage]
    player = player_data(match) | {
        "games": len(games),
        "seats": [{"name": mine, "version": version.number}, *others * (record.players - 1)],
        "frames": reverse("bots:check-frames", args=[*where, 0]).replace("/0/", "/{game}/"),
        "page": reverse("bots:check", args=where),
        "conceal": False,
    }
    return match, {name: value for name, value in player.items() if name not in ("luck", "luck_later")}


def check_failed_game(version: BotVersion, user: AbstractBaseUser | AnonymousUser) -> CheckGame | None:
    """Return the game in which a version failed its check, for its author only.

    Return None if the version did not fail in a game, or if the game or its file is no longer stored.
    """
    if not acts_for_owner(user, version.bot.owner_id) or version.state != VersionState.REFUSED or not version.kept:
        return None
    game = check_games(version, user).last()
    return game if game is not None and Record.decode(bytes(game.record)).interventions else None


def _check_bundle(version: BotVersion, game: CheckGame) -> bytes:
    """Return the failure in ``game``, the last game of a check, as a file; see ``matches.referee.failure_bundle``.

    Raises:
        RecordError: the record does not replay.
    """
    record = Record.decode(bytes(game.record))
    seats = scoring_seats_by_position(game.index, record.players)
    seat = failure_bundle_seat_at_fault(record) if game.stage == MIRROR else seats.index(CANDIDATE)
    fault = {name: version.report.get(name) for name in FAULT_FIELDS}
    return failure_bundle_file(record, seat, Limits(), fault, match=0, game=int(version.report.get("games") or 1))


def _check_stage_title(stage: str) -> str:
    """Return what is played in a stage, in the reader's language."""
    return _("Against itself") if stage == MIRROR else _("Against a house bot")
