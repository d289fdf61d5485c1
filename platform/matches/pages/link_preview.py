"""What other sites show of a link to a match: who plays, and the table at the very step of the link."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from games.picture import HEIGHT, WIDTH
from matches.models import Match
from matches.pages.match_page import game_title
from matches.replay.raster import PIXELS
from web.optional import optional

STEP_MOST: Final = 999_999


class ReplayMoment(NamedTuple):
    """A game of a match from 0, and how many actions of it have been played."""

    game: int
    step: int


def moment_asked(query: Mapping[str, Any]) -> ReplayMoment:
    """Return the moment that the address of a player names; the beginning for what it does not say, or says wrongly."""
    return ReplayMoment(max(_whole(query.get("game")) - 1, 0), _whole(query.get("step")))


def names_step(query: Mapping[str, Any]) -> bool:
    """Tell whether the address of a player names a step: who comes for one knows the match, and is shown its result."""
    return _is_number(query.get("step"))


@optional("link preview", lambda _request, _match: {})
def link_preview(request: HttpRequest, match: Match) -> dict[str, Any]:
    """Return title, description, address and picture for ``matches/preview_head.html``.

    It tells of nothing beyond the step of the link: no result.
    """
    seats = list(match.seats.all())
    game, step = moment_asked(request.GET)
    game = min(game, match.blocks_most * len(seats) - 1)
    page = request.build_absolute_uri(reverse("matches:detail", args=[match.pk]))
    at = {"game": game + 1, "step": step} if game or step else {}
    picture = reverse("matches:picture", args=[match.pk, game, "png"])
    names = ", ".join(match.seat_names)
    values = {"title": game_title(match), "number": game + 1, "step": step}
    return {
        "title": names,
        "description": _("%(title)s, game %(number)d, step %(step)d") % values,
        "page": f"{page}?{urlencode(at)}" if at else page,
        "picture": request.build_absolute_uri(f"{picture}?{urlencode({'step': step})}"),
        "width": PIXELS,
        "height": PIXELS * HEIGHT // WIDTH,
    }


def _whole(text: Any) -> int:
    return min(int(text), STEP_MOST) if _is_number(text) else 0


def _is_number(text: Any) -> bool:
    digits = str(text or "")
    return digits.isascii() and digits.isdecimal() and len(digits) <= 6
