"""A season's data to keep."""

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues.selectors.exports import (
    LADDER_COLUMNS,
    MATCH_COLUMNS,
    ladder_rows,
    match_rows,
    season_data,
)
from leagues.selectors.ladder import ladder_of
from leagues.selectors.proof import proof_of
from leagues.views.lookups import season_or_404
from web.downloads import csv_response, json_response, zip_response


@require_safe
def export(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    season = season_or_404(request, slug, number)
    if name == "season.json":
        return json_response(season_data(season, ladder_of(season)))
    if name == "ladder.csv":
        return csv_response(f"{slug}-{number}-{name}", LADDER_COLUMNS, ladder_rows(ladder_of(season)))
    if name == "matches.csv":
        return csv_response(f"{slug}-{number}-{name}", MATCH_COLUMNS, match_rows(season))
    if name == "proof.zip" and not season.is_running:
        return zip_response(f"{slug}-{number}-{name}", proof_of(season))
    raise Http404(_("There is season.json, ladder.csv and matches.csv; and proof.zip once the season has ended."))
