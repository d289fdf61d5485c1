"""The analysis of a finished game, for the replay player and for programs."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from luck import unknown
from matches.analysis.selectors import analysis_of
from matches.analysis.services import REQUESTS_WITHIN, TooManyAnalysesError, analysis_json, analysis_request
from matches.visibility import games_shown, matches_visible

SOON = 2  # seconds in which an analysis is made, if a worker is free


@require_safe
@gzip_page
def game_luck(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """Show the analysis of a finished game; 202 while a worker makes it, 429 after too many new ones.

    See docs/reference/analysis.md. It never changes: with the edition that the player has in the URL it may be cached.
    """
    match = get_object_or_404(matches_visible(request.user), pk=pk)
    game = get_object_or_404(games_shown(match), index=index)
    value = analysis_of(match)
    if not value:
        return JsonResponse(unknown(match.ruleset).to_dict(), headers={"Cache-Control": "no-cache"})
    try:
        found = analysis_request(game=game, value=value, user_id=request.user.pk)
    except TooManyAnalysesError:
        wait = round(REQUESTS_WITHIN.total_seconds())
        return _not_yet(429, wait)
    text = analysis_json(found)
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
