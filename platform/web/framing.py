"""Pages that other sites may show in a frame: public data, and no forms."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from csp.decorators import csp_replace
from django.utils.functional import Promise
from django.views.decorators.clickjacking import xframe_options_exempt

THEMES: Final = ("light", "dark")


class EmbedOffered(NamedTuple):
    """A page for a frame, as ``contests/share.html`` offers it; ``height`` in pixels."""

    part: str
    name: str | Promise
    height: int
    address: str


def embeddable(view: Any) -> Any:
    """Let any site show the pages of ``view`` in a frame."""
    return xframe_options_exempt(csp_replace({"frame-ancestors": ["*"]})(view))


def theme_asked(query: Mapping[str, Any]) -> str:
    """Return the theme that the address of an embeddable page asks for; "" for the reader's own."""
    theme = query.get("theme", "")
    return theme if theme in THEMES else ""
