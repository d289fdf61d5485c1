"""Sharing a match: the embedded player and its options, link previews, and their pictures."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.picture import picture_alone
from matches.models import Match, MatchState
from matches.pages.match_page import match_page_game_title
from matches.replay import pictures
from matches.replay.pictures import match_picture_png
from matches.selectors import matches_with_seats
from matches.visibility import matches_visible
from web.optional import optional
from web.page_cache import page_mark_unlisted
from web.previews import PreviewHead
from web.screens import screen_theme_requested

_SWITCHES: Final = {"1": True, "true": True, "0": False, "false": False}
STEP_MOST: Final = 999_999
PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
PICTURE_SECONDS = 3600  # how long pictures may be cached; not for ever, because bots may be renamed


@dataclass(frozen=True, slots=True)
class EmbedOptions:
    """Options of the embedded player.

    ``theme`` is "light", "dark", or "" for the reader's own. With ``conceal``, a result is hidden until the game has
    been played to its end.
    """

    theme: str = ""
    controls: bool = True
    title: bool = True
    loop: bool = False
    conceal: bool = True
    autoplay: bool = False

    def for_player(self) -> dict[str, Any]:
        """Return the options as data for the player."""
        return asdict(self)


def sharing_embed_options(query: Mapping[str, Any]) -> EmbedOptions:
    """Return the options in ``query``. Missing and invalid options have their defaults."""
    usual = EmbedOptions()
    switches = {
        name: _SWITCHES.get(query.get(name, ""), getattr(usual, name))
        for name in ("controls", "title", "loop", "conceal", "autoplay")
    }
    return EmbedOptions(theme=screen_theme_requested(query), **switches)


class ReplayMoment(NamedTuple):
    """A game of a match, counted from 0, and the number of actions that have been played in it."""

    game: int
    step: int


def sharing_moment(query: Mapping[str, Any]) -> ReplayMoment:
    """Return the moment in the address of a player. Missing and invalid parts are 0."""
    return ReplayMoment(max(_whole(query.get("game")) - 1, 0), _whole(query.get("step")))


@optional("link preview", lambda _request, _match: None)
def sharing_link_preview(request: HttpRequest, match: Match) -> PreviewHead | None:
    """Return the head of the match's page for ``site/preview_head.html``.

    The preview reveals nothing after the step of the link, and no result.
    """
    seats = list(match.seats.all())
    game, step = sharing_moment(request.GET)
    game = min(game, match.blocks_most * len(seats) - 1)
    page = request.build_absolute_uri(reverse("matches:detail", args=[match.pk]))
    at = {"game": game + 1, "step": step} if game or step else {}
    picture = reverse("matches:picture", args=[match.pk, game, "png"])
    names = ", ".join(match.seat_names)
    values = {"title": match_page_game_title(match), "number": game + 1, "step": step}
    return PreviewHead(
        title=names,
        description=_("%(title)s, game %(number)d, step %(step)d") % values,
        page=f"{page}?{urlencode(at)}" if at else page,
        picture=request.build_absolute_uri(f"{picture}?{urlencode({'step': step})}"),
    )


def _whole(text: Any) -> int:
    digits = str(text or "")
    return min(int(digits), STEP_MOST) if digits.isascii() and digits.isdecimal() and len(digits) <= 6 else 0


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]  # typed for views without arguments
def sharing_game_picture_view(request: HttpRequest, pk: int, index: int, form: str) -> HttpResponse:
    """Send a picture of the table after ``?step=`` actions; without ``step``, before the first action.

    ``form`` is "svg" or "png".
    """
    if form not in PICTURE_TYPES:
        raise Http404
    match = get_object_or_404(matches_with_seats(matches_visible(request.user)), pk=pk)
    if match.is_unlisted:
        page_mark_unlisted(request)
    svg = pictures.match_picture_of_game(match, index, sharing_moment(request.GET).step)
    if svg is None:
        raise Http404
    response = HttpResponse(
        match_picture_png(svg) if form == "png" else picture_alone(svg), content_type=PICTURE_TYPES[form]
    )
    settled = match.state == MatchState.FINISHED and match.is_open
    response["Cache-Control"] = f"public, max-age={PICTURE_SECONDS}" if settled else "private, no-cache"
    patch_vary_headers(response, ["Accept-Language"])
    return response
