"""A tournament as pairing programs read it."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.models import Stage
from tournaments.selectors.pages.exports import report_of
from tournaments.selectors.pages.tournament_page import entries_of
from tournaments.trf import written
from tournaments.views.exports import file_shared
from tournaments.views.lookups import shown_tournament
from web.downloads import text_response


@require_safe
def report(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Send FIDE's report file of a stage at tables of two."""
    tournament = shown_tournament(request, slug)
    stage = get_object_or_404(Stage, tournament=tournament, number=number, started_at__isnull=False)
    if stage.players_per_table != 2:
        raise Http404(_("Only stages at tables of two have a FIDE report."))
    name = f"stage-{number}.trf"
    answer = text_response(f"{slug}-{name}", lambda: written(report_of(stage, entries_of(tournament))))
    return file_shared(request, tournament, name, answer)
