"""Pages of matches for spectators, and the data that the replay player and programs read: frames, notes, analyses.

Pages are public. Details of a fault are shown to the bot's author only.
"""

import logging
import re
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.utils.cache import get_conditional_response
from django.utils.safestring import mark_safe
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from games.catalogue import GAMES
from games.replay import RecordError
from luck import luck_unknown_reason
from matches.airing.selectors import broadcast_frames_aired, broadcast_on_air
from matches.airing.views import BroadcastForm, broadcast_may_be_announced, broadcast_may_be_moved
from matches.analysis.selectors import analysis_of, analysis_seats_adjusted
from matches.analysis.services import REQUESTS_WITHIN, TooManyAnalysesError, analysis_json, analysis_request
from matches.bot_history.logs import bot_logs_notes
from matches.contest_kinds import match_contest_titles
from matches.live.match_reader import match_reader_running_game
from matches.models import Game, Match, MatchState
from matches.pages.choices import MatchFilter, results_choice_shows
from matches.pages.labels import (
    game_label,
    game_points_label,
    match_cost_label_rows,
    match_ending_has_evidence,
    match_ending_label,
    match_length_label,
)
from matches.pages.match_page import (
    FAULTS_SHOWN,
    match_page_blocks,
    match_page_fault_rows,
    match_page_faults_of,
    match_page_game_title,
    match_page_games,
    match_page_games_not_won,
)
from matches.pages.player import player_data, player_decisions_addresses, player_game_end, player_texts_query
from matches.pages.sharing import sharing_embed_options, sharing_link_preview, sharing_moment
from matches.replay.frame_encoding import FORMAT, FrameEncoder, frame_encoding_of_record
from matches.replay.one_file import replay_one_file_windows
from matches.replay.pictures import match_picture_of_game
from matches.replay.records import match_record_download
from matches.selectors import matches_with_seats
from matches.visibility import match_games_visible, matches_visible, matches_visible_to_everyone, visibility_runs_match
from teams.selectors import team_owner_keys
from web.brief_cache import cached_briefly
from web.page_cache import CLOCK, LIST_SECONDS, OVER_SECONDS, cache_page_for, page_mark_unlisted, public_page
from web.screens import screen_embeddable

logger = logging.getLogger(__name__)

MATCHES_PER_PAGE = 30
IN_STEP_SECONDS: Final = 1  # how far the clock of a player may be off if it is in step with others
# The parameters that change the player or its preview; "page" is for the list of games below the player.
PLAYER_QUERY: Final = ("game", "step", "pov", "tempo", "since", "autoplay", "page")
EMBED_QUERY: Final = (*PLAYER_QUERY, "theme", "controls", "title", "loop", "conceal")
FRAME_NUMBER: Final = re.compile(r"[0-9]{1,6}", re.ASCII)


@public_page(max_age=LIST_SECONDS, query=("game", "state", "bot", "page"))
@require_safe
def match_list_view(request: HttpRequest) -> HttpResponse:
    """Show recent matches, newest first.

    Scores are shown to visitors who chose to see results, and to the authors of the bots.
    """
    form = MatchFilter(request.GET)
    matches = form.filtered(matches_with_seats(matches_visible_to_everyone()).order_by("-created_at", "-pk"))
    pages = Paginator(matches, MATCHES_PER_PAGE)
    # Counting a large table takes longer than reading a page of it.
    pages.count = cached_briefly(f"matches/{form.parameters}", matches.count)
    page = pages.get_page(request.GET.get("page"))
    shown, mine = results_choice_shows(request), team_owner_keys(request.user)
    revealed = {one.pk for one in page if shown or any(seat.version.bot.owner_id in mine for seat in one.seats.all())}
    games = [(name, game_label(name)) for name in GAMES]
    contests = match_contest_titles(page)
    rows = [(match, contests.get(match.pk)) for match in page]
    context = {"form": form, "page": page, "rows": rows, "shows_results": shown, "told": revealed, "games": games}
    return render(request, "matches/list.html", context)


@public_page(query=PLAYER_QUERY)
@require_safe
@gzip_page
def match_detail_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one match: result, player, games."""
    context = _match_context(request, pk)
    _share(request, context["match"])
    return render(
        request, "matches/detail.html", context | {"preview": sharing_link_preview(request, context["match"])}
    )


@require_safe
def match_cells_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the parts of the match page that change while it is played."""
    return render(request, "matches/cells.html", _match_context(request, pk))


@public_page(query=EMBED_QUERY)
@require_safe
@gzip_page
@screen_embeddable
def match_embed_view(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the player alone, for an iframe on any site. It shows public data and takes no input."""
    match = get_object_or_404(matches_with_seats(matches_visible(request.user)), pk=pk)
    _share(request, match)
    options = sharing_embed_options(request.GET)
    player = player_data(match, embedded=True) | {"embed": options.for_player()}
    texts = player_texts_query(match)
    context = {"match": match, "embed": options, "asked_theme": options.theme, "player": player, "texts": texts}
    return render(request, "matches/embed.html", context | _first_sight(request, match))


@require_safe
@gzip_page
def match_game_frames_view(request: HttpRequest, pk: int, index: int) -> HttpResponseBase:
    """Send the frames of a game, starting with frame ``?from=``; see ``replay.frame_encoding``.

    Frames of a finished game never change, so they may be cached.
    """
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    since = _since(request)
    game = None if match.sealed else match.games.filter(index=index).first()
    if game is None:
        return _live_frames(match, index, since)
    edition = f"{FORMAT}.{game.attempt}"
    etag = f'"{pk}.{index}.{edition}.{since}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        try:
            text = frame_encoding_of_record(game.index, bytes(game.record)).part(since).json(end=player_game_end(game))
        except RecordError as error:
            return _damaged(pk, index, error)
        response = HttpResponse(text, content_type="application/json", headers={"ETag": etag})
    # The page sends the edition that it knows. A response may be cached for ever only if it has this edition.
    is_current = request.GET.get("edition") == edition
    public = match.is_open
    response["Cache-Control"] = (
        ("public, max-age=31536000, immutable" if is_current else "no-cache") if public else "private"
    )
    return response


def _live_frames(match: Match, index: int, since: int) -> HttpResponse:
    """Send the frames of a running game so far, or the frames of a broadcast that have been on air."""
    show, also = broadcast_on_air(match), {}
    if show is not None:
        try:
            batch, also = broadcast_frames_aired(show, index), {"now": show.now}
        except Game.DoesNotExist:  # the match was cancelled meanwhile
            batch = None
        except RecordError as error:
            return _damaged(match.pk, index, error)
    else:
        game = match_reader_running_game(match=match, index=index)
        try:
            encoder = game and FrameEncoder(index, match.ruleset, match.seats.count(), match.options, game.seed)
        except RecordError as error:  # the package of its game is not installed
            return _damaged(match.pk, index, error)
        batch = encoder.extend(game.actions, game.interventions) if game and encoder else None
    if batch is None:
        raise Http404
    text = batch.part(since).json(**also)
    return HttpResponse(text, content_type="application/json", headers={"Cache-Control": "no-store"})


def _damaged(pk: int, index: int, error: RecordError) -> HttpResponse:
    if error.part == "ruleset":
        return JsonResponse({"error": "not_installed", "detail": str(error)}, status=410)
    logger.exception("match %d: the record of game %d is damaged", pk, index)
    return JsonResponse({"error": "damaged", "detail": "the record of this game is damaged"}, status=410)


def _since(request: HttpRequest) -> int:
    """Return the number of the first frame that the player requests."""
    text = request.GET.get("from", "0")
    if not FRAME_NUMBER.fullmatch(text):
        raise BadRequest("'from' is the number of a frame")
    return int(text)


@require_safe
@gzip_page
def match_game_notes_view(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """Send the notes that bots gave with their moves in a finished game, as far as the reader may see them."""
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    game = get_object_or_404(match_games_visible(match), index=index)
    notes = [one.to_dict() for one in bot_logs_notes(request.user, match, game)]
    return JsonResponse({"notes": notes}, headers={"Cache-Control": "private, no-cache"})


@require_safe
def match_game_record_view(request: HttpRequest, pk: int, index: int, form: str) -> HttpResponse:
    """Send the record of a finished game as a download."""
    return match_record_download(request.user, pk, index, form)


def _share(request: HttpRequest, match: Match) -> None:
    """Let the page of a finished match be cached.

    The page of a running match changes. A broadcast depends on the clock, and so does a player that is in step with
    others.
    """
    if match.is_unlisted:
        page_mark_unlisted(request)
    if match.state == MatchState.FINISHED and match.is_open:
        cache_page_for(request, CLOCK, IN_STEP_SECONDS if "since" in request.GET else OVER_SECONDS)


def _match_context(request: HttpRequest, pk: int) -> dict[str, Any]:
    match = get_object_or_404(matches_with_seats(matches_visible(request.user)), pk=pk)
    seats = match.seats.all()
    page = match_page_games(match, request.GET.get("page"))
    mine = team_owner_keys(request.user)
    staff = getattr(request.user, "is_staff", False)
    faults = match_page_faults_of(match=match, owners=mine)
    failures = match_page_fault_rows(faults)
    runs = visibility_runs_match(request.user, match)
    chosen = results_choice_shows(request)
    shown = chosen or any(seat.version.bot.owner_id in mine for seat in seats)  # authors may see results of their bots
    return {
        "match": match,
        "runs": runs,
        **_broadcast(match, runs=runs),
        "seats": seats,
        **_ranked(match),
        "adjusted": list(zip(seats, adjusted, strict=True)) if (adjusted := analysis_seats_adjusted(match)) else [],
        "length": match_length_label(match.stopping, match.blocks),
        "costs": match_cost_label_rows(match.stopping, match.blocks),
        "ending": match_ending_label(match, match.seat_names),
        "has_evidence": match_ending_has_evidence(match),
        "points_title": game_points_label(match.ruleset),
        "duration_seconds": (match.took_ms or 0) / 1000,
        "page": page,
        "blocks": match_page_blocks(match, page.object_list),
        "not_won": match_page_games_not_won(match, mine) if match.state == MatchState.FINISHED else (),
        "columns": len(seats) + 5,  # in the table of games
        "faults": failures,
        "fault_count": faults.count() if len(failures) == FAULTS_SHOWN else len(failures),
        "player": player_data(match)
        | {"autoplay": True}
        | ({"conceal": False} if shown else {})
        | player_decisions_addresses(match, [seat for seat in seats if staff or seat.version.bot.owner_id in mine]),
        "files": replay_one_file_windows(page.paginator.count) if match.state == MatchState.FINISHED else (),
        "texts": player_texts_query(match),
        "shows_results": chosen,
        "concealed": match.state == MatchState.FINISHED and not shown,  # the player shows what a link to a step may
        **_first_sight(request, match),
    }


def _ranked(match: Match) -> dict[str, Any]:
    """Return the seats from best to worst score, forfeits last, and the winner's name.

    There is no winner if several seats share the best score, or if all seats have forfeited.
    """
    order = {seat.pk: (seat.has_forfeited, -(seat.score or 0)) for seat in match.seats.all()}
    ranked = sorted(match.seats.all(), key=lambda seat: order[seat.pk])
    first, *others = ranked
    has_result = first.score is not None and not first.has_forfeited
    is_alone = has_result and not any(order[one.pk] == order[first.pk] for one in others)
    return {"ranked": ranked, "winner": match.seat_names[first.index] if is_alone else ""}


def _broadcast(match: Match, *, runs: bool) -> dict[str, Any]:
    """Return what the page shows of a broadcast.

    People who run the match also get the form, as long as it can still change anything.
    """
    can_move = broadcast_may_be_announced(match) or broadcast_may_be_moved(match)
    decides = runs and (can_move or match.state == MatchState.ON_AIR)
    return {
        "air": broadcast_on_air(match),
        "air_minutes": settings.BROADCAST_MINUTES_MOST,
        "can_move": can_move,
        "broadcast_form": BroadcastForm(match=match) if decides else None,
    }


def _first_sight(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return what the page shows in place of the player until the player's script runs."""
    game, step = sharing_moment(request.GET) if match.state == MatchState.FINISHED else (0, 0)
    board = match_picture_of_game(match, game, step)
    return {"game_title": match_page_game_title(match), "first_board": mark_safe(board or "")}  # noqa: S308  generated here


DIGITS: Final = frozenset("12345678")
SOON = 2  # seconds until an analysis is ready, if a worker is free


@require_safe
@gzip_page
def match_game_luck_view(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """Send the analysis of a finished game; 202 while it is pending, 429 after too many requests for new ones.

    See docs/reference/analysis.md. An analysis never changes. So a response may be cached if the URL has the player's
    edition. With ``?digits=4``, shares are rounded.
    """
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    game = get_object_or_404(match_games_visible(match), index=index)
    value = analysis_of(match)
    if not value:
        return JsonResponse(luck_unknown_reason(match.ruleset).to_dict(), headers={"Cache-Control": "no-cache"})
    try:
        found = analysis_request(game=game, value=value, user_id=request.user.pk)
    except TooManyAnalysesError:
        wait = round(REQUESTS_WITHIN.total_seconds())
        return _not_yet(429, wait)
    digits = request.GET.get("digits", "")
    text = analysis_json(found, int(digits)) if digits in DIGITS else analysis_json(found)
    if text is None:
        return _not_yet(202, SOON)
    public = match.is_open
    cache_control = (
        "public, max-age=31536000, immutable" if request.GET.get("edition") == f"{value}.{game.attempt}" else "no-cache"
    )
    return HttpResponse(
        text, content_type="application/json", headers={"Cache-Control": cache_control if public else "private"}
    )


def _not_yet(status: int, wait: int) -> HttpResponse:
    headers = {"Retry-After": str(wait), "Cache-Control": "no-store"}
    return JsonResponse({"state": "pending"}, status=status, headers=headers)
