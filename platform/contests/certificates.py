"""Certificates of a tournament or a series: printable sheets, each with a URL where the result can be verified."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from web.screens import screen_printed_address, screen_qr_code

ON_A_PAGE: Final = 30  # certificates; the code on each takes 1 ms to draw


@dataclass(frozen=True, slots=True)
class Sheet:
    """A certificate. It says that ``name``, by ``author``, has place ``rank`` among ``of``.

    ``bird`` is the slug of the bot whose picture is on it. ``within`` is a line below the place, or "". ``path`` is the
    page on which the result can be verified.
    """

    name: str
    author: str
    bird: str
    rank: int
    of: int
    is_shared: bool
    within: str
    path: str

    @property
    def address(self) -> Any:
        """The URL in its printed form."""
        return screen_printed_address(settings.SITE_URL + self.path)

    @property
    def code(self) -> Any:
        return screen_qr_code(settings.SITE_URL + self.path)


@dataclass(frozen=True, slots=True)
class Certified:
    """The event of certificates: its name, page and game, its organiser, and when it ended.

    ``above`` has the page and the name of the list that contains the event. ``lead`` is a sentence for a page that has
    no certificates.
    """

    name: str
    page: str
    game: str
    organiser: str
    ended_at: datetime | None
    above: Sequence[tuple[str, Any]]
    lead: Any


def certificates_page(
    request: HttpRequest, certified: Certified, sheets: Sequence[Sheet], *, is_single: bool
) -> HttpResponse:
    """Render certificates, ``ON_A_PAGE`` at a time."""
    page = Paginator(sheets, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "contests/certificates.html", {"certified": certified, "page": page, "is_single": is_single})
