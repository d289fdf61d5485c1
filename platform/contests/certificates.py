"""Certificates of a tournament or a series: sheets to print, each with an address where its result can be checked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from web.screens import qr_code

ON_A_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class Sheet:
    """A certificate: ``name``, by ``author``, has the place ``rank`` among ``of``. ``bird``: the slug of the bot whose
    picture it has; ``within``: a line below the place, or ""; ``path``: of the page where it can be checked."""

    name: str
    author: str
    bird: str
    rank: int
    of: int
    is_shared: bool
    within: str
    path: str

    @property
    def address(self) -> str:
        """The address in print."""
        return (settings.SITE_URL + self.path).partition("://")[2]

    @property
    def code(self) -> Any:
        return qr_code(settings.SITE_URL + self.path)


@dataclass(frozen=True, slots=True)
class Certified:
    """What has certificates: its name, page and game, and who ran it until when; ``above``: the page and the name of
    the list that it is in; ``lead``: a sentence for pages without a certificate."""

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
    """Render these certificates, ``ON_A_PAGE`` at a time."""
    page = Paginator(sheets, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "contests/certificates.html", {"certified": certified, "page": page, "is_single": is_single})
