"""Certificates: a page with all certificates of a tournament for printing, and a page for each.

On the page of a certificate, anybody can check the result on a printed one.
"""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.certificates import Certified, Sheet, certificates_page
from contests.game_settings_form import game_title
from tournaments.models import Tournament, TournamentState
from tournaments.selectors.standings.ranking import Certificate, tournament_certificates_of
from tournaments.views.lookups import shown_tournament
from web.boards import Paged
from web.page_cache import public_page


@public_page(query=("page",))
@require_safe
def tournament_certificates_view(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all certificates of a tournament, each on its own sheet. Before it is over, show that there are none yet."""
    tournament = shown_tournament(request, slug)
    return _page(request, tournament, tournament_certificates_of(tournament), is_single=False)


@public_page()
@require_safe
def tournament_certificate_view(request: HttpRequest, slug: str, entry_id: int) -> HttpResponse:
    """Show the certificate of a bot. It has the current results, so a printed certificate can be compared with it."""
    tournament = shown_tournament(request, slug)
    if not tournament.entries.filter(pk=entry_id, version__isnull=False).exists():
        raise Http404(_("This bot is not in the tournament."))
    return _page(request, tournament, tournament_certificates_of(tournament, entry=entry_id), is_single=True)


def _page(
    request: HttpRequest, tournament: Tournament, found: Sequence[Certificate], *, is_single: bool
) -> HttpResponse:
    over = tournament.state == TournamentState.FINISHED
    certified = Certified(
        name=tournament.name,
        page=reverse("tournaments:detail", args=[tournament.slug]),
        game=game_title(tournament.game),
        organiser=tournament.organiser.get_username(),
        ended_at=tournament.finished_at,
        above=[(reverse("tournaments:list"), _("Tournaments"))],
        lead=_("This bot was disqualified: there is no certificate.")
        if over
        else _("There are certificates when the tournament is over."),
    )
    sheets = Paged(found, lambda some: [_sheet(tournament, one) for one in some])
    return certificates_page(request, certified, sheets, is_single=is_single)


def _sheet(tournament: Tournament, one: Certificate) -> Sheet:
    bot, placed, within = one.final.entry.bot, one.final.placed, ""
    if one.category is not None:
        within = _("Place %(rank)s in %(category)s") % {"rank": one.category.rank, "category": one.category.category}
        within += f" ({_('shared')})" if one.category.is_shared else ""
    return Sheet(
        name=bot.name,
        author=_("house bot") if bot.is_house else bot.author_name,
        bird=bot.slug,
        rank=placed.rank,
        of=one.of,
        is_shared=placed.is_shared,
        within=within,
        path=reverse("tournaments:certificate", args=[tournament.slug, one.final.entry.pk]),
    )
