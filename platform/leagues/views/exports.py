"""Files of a season."""

from typing import Final

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from leagues.models import Season
from leagues.selectors.exports import (
    LADDER_COLUMNS,
    MATCH_COLUMNS,
    ladder_rows,
    match_rows,
    proof_of,
    season_data,
)
from leagues.selectors.ladder import ladder_of, ladder_revision
from leagues.views.lookups import season_or_404
from web.downloads import csv_response, file_cached, json_response, later, zip_response

FILE_SECONDS: Final = 10
FILE_OVER_SECONDS: Final = 60  # of a finished season: new names of bots come later


@require_safe
def export(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponseBase:
    """Send a file of the season, the same to everybody who may see it."""
    season = season_or_404(request, slug, number)
    kept_as = f"season/{season.pk}/{season.starts_at.timestamp()}/{name}/{get_language()}"
    seconds = FILE_SECONDS if season.is_running else FILE_OVER_SECONDS
    return file_cached(_file(request, season, slug, name), kept_as, ladder_revision(season), seconds)


def _file(request: HttpRequest, season: Season, slug: str, name: str) -> StreamingHttpResponse:
    number = season.number
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
