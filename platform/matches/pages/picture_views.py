"""Small pictures of a moment of a game, for link previews and for pages that have no room for the player."""

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from games.picture import alone
from matches.models import Audience, MatchState
from matches.pages.link_preview import moment_asked
from matches.pages.match_page import match_with_seats
from matches.replay import pictures
from matches.replay.raster import png
from matches.visibility import matches_visible

KINDS = {"svg": "image/svg+xml", "png": "image/png"}
KEPT_SECONDS = 3600  # by browsers and by those who show previews: a bot may get another name


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]  # typed for views without arguments
def game_picture(request: HttpRequest, pk: int, index: int, form: str) -> HttpResponse:
    """Show the table after ``?step=`` actions, before the first if none is asked for: "svg" or "png"."""
    if form not in KINDS:
        raise Http404
    match = get_object_or_404(match_with_seats(matches_visible(request.user)), pk=pk)
    svg = pictures.game_picture(match, index, moment_asked(request.GET).step)
    if svg is None:
        raise Http404
    response = HttpResponse(png(svg) if form == "png" else alone(svg), content_type=KINDS[form])
    settled = match.state == MatchState.FINISHED and match.audience == Audience.EVERYONE
    response["Cache-Control"] = f"public, max-age={KEPT_SECONDS}" if settled else "private, no-cache"
    patch_vary_headers(response, ["Accept-Language"])
    return response
