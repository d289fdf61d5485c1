"""Files of a season."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues.selectors.exports import (
    LADDER_COLUMNS,
    MATCH_COLUMNS,
    ladder_rows,
    match_rows,
    proof_of,
    season_data,
)
from leagues.selectors.ladder import ladder_of
from leagues.views.lookups import season_or_404
from web.downloads import computed_file, csv_response, json_response, later, zip_response


@computed_file
@require_safe
def export(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    """Send a file of the season, the same to everybody who may see it."""
    season = season_or_404(request, slug, number)
    if name == "season.json":
        return json_response(lambda: season_data(season, ladder_of(season)))
    if name == "ladder.csv":
        rows = later(lambda: ladder_rows(ladder_of(season)))
        return csv_response(request, f"{slug}-{number}-{name}", LADDER_COLUMNS, rows)
    if name == "matches.csv":
        return csv_response(request, f"{slug}-{number}-{name}", MATCH_COLUMNS, match_rows(season))
    if name == "proof.zip" and not season.is_running:
        return zip_response(f"{slug}-{number}-{name}", later(lambda: proof_of(season)))
    raise Http404(_("There is season.json, ladder.csv and matches.csv; and proof.zip once the season has ended."))
