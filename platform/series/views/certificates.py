"""Certificates of a series that is over: what its final table says of each author, to print and to check."""

from collections.abc import Iterable, Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from contests.certificates import Certified, Sheet, certificates_page
from contests.game_settings_form import game_title
from series.models import TournamentSeries
from series.selectors.table import EntrantRow, series_table
from series.views.pages import series_or_404
from web.page_cache import public_page


@public_page(query=("page",))
@require_safe
def certificates(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all certificates, each on a sheet of its own; before the series is over, that there are none yet."""
    series = series_or_404(request, slug)
    return _page(request, series, _sheets(series, _rows(series)), is_single=False)


@public_page()
@require_safe
def certificate(request: HttpRequest, slug: str, bot_id: int) -> HttpResponse:
    """Show the certificate of those for whom this bot played, as the table is now, so that a printed one can be
    compared with it."""
    series = series_or_404(request, slug)
    rows = _rows(series)
    found = [sheet for row, sheet in zip(rows, _sheets(series, rows), strict=True) if bot_id in row.bots]
    if not found:
        raise Http404(_("There is no such certificate."))
    return _page(request, series, found, is_single=True)


def _rows(series: TournamentSeries) -> Sequence[EntrantRow]:
    """Return the rows that get a certificate: not of who was disqualified in all events."""
    if series.ended_at is None:
        return ()
    rows = series_table(series).rows
    return [one for one in rows if any(cell and not cell.score.disqualified for cell in one.row.cells)]


def _sheets(series: TournamentSeries, rows: Iterable[EntrantRow]) -> list[Sheet]:
    rows = list(rows)
    ranks = [one.row.rank for one in rows]
    found = []
    for one in rows:
        bots = sorted(one.bots.values(), key=lambda bot: bot.pk)
        author = _("house bot") if one.entrant.is_house else ", ".join(bot.name for bot in bots[:3])
        points = number_format(one.total, 1 if one.total % 1 else 0)
        found.append(
            Sheet(
                name=one.entrant.name,
                author="" if one.entrant.is_bot and not one.entrant.is_house else author,
                bird=bots[0].slug,
                rank=one.row.rank,
                of=len(rows),
                is_shared=ranks.count(one.row.rank) > 1,
                within=_("Points: %(points)s") % {"points": points},
                path=reverse("series:certificate", args=[series.slug, bots[0].pk]),
            )
        )
    return found


def _page(request: HttpRequest, series: TournamentSeries, sheets: Sequence[Sheet], *, is_single: bool) -> HttpResponse:
    certified = Certified(
        name=series.name,
        page=reverse("series:detail", args=[series.slug]),
        game=game_title(series.game),
        organiser=series.organiser.get_username(),
        ended_at=series.ended_at,
        above=[(reverse("tournaments:list"), _("Tournaments")), (reverse("series:list"), _("Series"))],
        lead=_("There are certificates when the organiser has ended the series."),
    )
    return certificates_page(request, certified, sheets, is_single=is_single)
