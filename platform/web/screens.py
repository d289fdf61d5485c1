"""Helpers for projector pages and for pages in frames of other sites, which show public data and no forms."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import segno
from csp.decorators import csp_replace
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.clickjacking import xframe_options_exempt

from web.topics import topic_ticket

BREAK: Final = mark_safe("/<wbr>")  # allows a line break within a URL
QUIET_MODULES: Final = 2  # modules of the code as a margin, in addition to the margin of its white card


def screen_context(request: HttpRequest, page: str, *, topic: str = "", is_shared: bool = False) -> dict[str, Any]:
    """Return the context for ``site/screen.html``.

    It has the path of the ``page`` of the screen, its URL with a QR code, the ticket of the ``topic`` that the screen
    follows, and whether its parts are the same for every reader.
    """
    address = request.build_absolute_uri(page)
    return {
        "page_path": page,
        "page_address": screen_printed_address(address),
        "page_code": screen_qr_code(address),
        "topic": topic_ticket(topic) if topic else "",
        "is_shared": is_shared,
    }


MASK: Final = 3  # number of the mask with diagonals


def screen_printed_address(url: str) -> SafeString:
    """Return ``url`` without its scheme, as HTML that breaks lines after slashes."""
    return format_html_join(BREAK, "{}", ((part,) for part in url.partition("://")[2].split("/")))


def screen_qr_code(text: str) -> SafeString:
    """Return ``text`` as a QR code in SVG, black on a transparent background. Always place it on white.

    The mask is fixed. Readers accept any of the eight masks, and to find the best one takes four fifths of the time of
    a code, 3 ms.
    """
    code = segno.make(text, error="m", boost_error=False, micro=False, mask=MASK)
    svg = code.svg_inline(border=QUIET_MODULES, omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(svg.replace("<svg ", '<svg shape-rendering="crispEdges" '))  # noqa: S308  has nothing of the text


THEMES: Final = ("light", "dark")


class EmbedOffered(NamedTuple):
    """A page for a frame, offered by ``contests/share.html``. ``height`` is in pixels."""

    part: str
    name: str | Promise
    height: int
    address: str


def screen_embeddable(view: Any) -> Any:
    """Let any site show the pages of ``view`` in a frame."""
    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(view))


def screen_theme_requested(query: Mapping[str, Any]) -> str:
    """Return the theme in the query string of an embeddable page; "" for the reader's own."""
    theme = query.get("theme", "")
    return theme if theme in THEMES else ""
