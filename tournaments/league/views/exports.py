"""A season's data to keep."""

import csv
from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from tournaments.league.selectors.exports import (
    LADDER_COLUMNS,
    MATCH_COLUMNS,
    ladder_rows,
    match_rows,
    season_data,
)
from tournaments.league.selectors.ladder import ladder_of
from tournaments.league.views.found import season_or_404


@require_safe
def export(request: HttpRequest, slug: str, number: int, name: str) -> HttpResponse:
    season = season_or_404(request, slug, number)
    if name == "season.json":
        return JsonResponse(season_data(season, ladder_of(season)))
    if name == "ladder.csv":
        return _csv(f"{slug}-{number}-{name}", LADDER_COLUMNS, ladder_rows(ladder_of(season)))
    if name == "matches.csv":
        return _csv(f"{slug}-{number}-{name}", MATCH_COLUMNS, match_rows(season))
    raise Http404(_("There is season.json, ladder.csv and matches.csv."))


def _csv(filename: str, columns: Iterable[str], rows: Iterable[dict[str, Any]]) -> HttpResponse:
    response = HttpResponse(content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{filename}"'
    writer = csv.writer(response)
    columns = list(columns)
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_inert(row[column]) for column in columns])
    return response


def _inert(value: Any) -> Any:
    """A bot named like a formula stays a name when a spreadsheet opens the file."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
