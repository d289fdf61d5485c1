"""Certificates: one at an address where its result can be checked, or all of a tournament to print."""

from typing import Any, Final

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Tournament
from tournaments.selectors.pages.certificates import Certificate, certificates_of
from tournaments.views.lookups import shown_tournament
from web.email import link_to
from web.page_cache import public_page
from web.screens import qr_code

ON_A_PAGE: Final = 50


@public_page(query=("page",))
@require_safe
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all certificates of a tournament, each on a sheet of its own; before it is over, that there are none yet."""
    tournament = shown_tournament(request, slug)
    page = Paginator(certificates_of(tournament), ON_A_PAGE).get_page(request.GET.get("page"))
    return _rendered(request, tournament, page.object_list, {"page": page})


@public_page()
@require_safe
def certificate(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show the certificate of a bot as the results are now, so that a printed one can be compared with it."""
    tournament = shown_tournament(request, slug)
    if not tournament.entries.filter(pk=entry_id, version__isnull=False).exists():
        raise Http404(_("This bot is not in the tournament."))
    found = [one for one in certificates_of(tournament) if one.final.entry.pk == entry_id]
    return _rendered(request, tournament, found, {"is_single": True})


def _rendered(request: HttpRequest, tournament: Tournament, found: Any, context: dict[str, Any]) -> HttpResponse:
    sheets = [(one, *_address(tournament, one)) for one in found]
    return render(request, "tournaments/certificates.html", {"tournament": tournament, "sheets": sheets, **context})


def _address(tournament: Tournament, one: Certificate) -> tuple[str, Any]:
    address = link_to("tournaments:certificate", tournament.slug, one.final.entry.pk)
    return address.partition("://")[2], qr_code(address)
