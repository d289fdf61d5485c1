"""A tournament as pairing programs read it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.selectors.pages.report import report_of
from tournaments.selectors.pages.tournament_page import entries_of
from tournaments.trf import written
from tournaments.views.lookups import shown_tournament


@require_safe
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Send FIDE's report file of a stage at tables of two."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started_at__isnull=False)
    if stage.players_per_table != 2:
        raise Http404(_("Only stages at tables of two have a FIDE report."))
    response = HttpResponse(written(report_of(stage, entries_of(tournament))), content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slug}-stage-{number}.trf"'
    return response
