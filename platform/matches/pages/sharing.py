"""A match on other sites: options of the embedded player, link previews, and their pictures."""

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
from matches.pages.match_page import game_title
from matches.replay import pictures
from matches.replay.pictures import match_picture_png
from matches.selectors import matches_with_seats
from matches.visibility import matches_visible
from web.optional import optional
from web.page_cache import page_keep_unlisted
from web.previews import PreviewHead
from web.screens import screen_theme_requested

_SAID: Final = {"1": True, "true": True, "0": False, "false": False}
STEP_MOST: Final = 999_999
PICTURE_TYPES = {"svg": "image/svg+xml", "png": "image/png"}
PICTURE_SECONDS = 3600  # by browsers and by those who show previews: a bot may get another name


@dataclass(frozen=True, slots=True)
class EmbedOptions:
    """``theme``: "light", "dark" or "", the reader's own; ``conceal``: nothing is shown before its step."""

    theme: str = ""
    controls: bool = True
    title: bool = True
    loop: bool = False
    conceal: bool = True
    autoplay: bool = False

    def for_player(self) -> dict[str, Any]:
        """Return the player's data."""
        return asdict(self)


def sharing_embed_options(query: Mapping[str, Any]) -> EmbedOptions:
    """Return the options in ``query``; what it does not say, or says wrongly, is as usual."""
    usual = EmbedOptions()
    switches = {
        name: _SAID.get(query.get(name, ""), getattr(usual, name))
        for name in ("controls", "title", "loop", "conceal", "autoplay")
    }
    return EmbedOptions(theme=screen_theme_requested(query), **switches)


class ReplayMoment(NamedTuple):
    """A game of a match from 0, and how many actions of it have been played."""

    game: int
    step: int


def sharing_moment(query: Mapping[str, Any]) -> ReplayMoment:
    """Return the moment that the address of a player names; the beginning for what it does not say, or says wrongly."""
    return ReplayMoment(max(_whole(query.get("game")) - 1, 0), _whole(query.get("step")))


def sharing_moment_is_named(query: Mapping[str, Any]) -> bool:
    """Tell whether the address of a player names a step: who comes for one knows the match, and is shown its result."""
    return _is_number(query.get("step"))


@optional("link preview", lambda _request, _match: None)
def sharing_link_preview(request: HttpRequest, match: Match) -> PreviewHead | None:
    """Return the head of the match's page for ``site/preview_head.html``.

    It shows nothing beyond the step of the link: no result.
    """
    seats = list(match.seats.all())
    game, step = sharing_moment(request.GET)
    game = min(game, match.blocks_most * len(seats) - 1)
    page = request.build_absolute_uri(reverse("matches:detail", args=[match.pk]))
    at = {"game": game + 1, "step": step} if game or step else {}
    picture = reverse("matches:picture", args=[match.pk, game, "png"])
    names = ", ".join(match.seat_names)
    values = {"title": game_title(match), "number": game + 1, "step": step}
    return PreviewHead(
        title=names,
        description=_("%(title)s, game %(number)d, step %(step)d") % values,
        page=f"{page}?{urlencode(at)}" if at else page,
        picture=request.build_absolute_uri(f"{picture}?{urlencode({'step': step})}"),
    )


def _whole(text: Any) -> int:
    return min(int(text), STEP_MOST) if _is_number(text) else 0


def _is_number(text: Any) -> bool:
    digits = str(text or "")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 6


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]  # typed for views without arguments
def sharing_game_picture_view(request: HttpRequest, pk: int, index: int, form: str) -> HttpResponse:
    """Show the table after ``?step=`` actions, before the first without one: "svg" or "png"."""
    if form not in PICTURE_TYPES:
        raise Http404
    match = get_object_or_404(matches_with_seats(matches_visible(request.user)), pk=pk)
    if match.is_unlisted:
        page_keep_unlisted(request)
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
