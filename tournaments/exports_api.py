"""What a tournament leaves to keep, over the API: the files of its pages, an operation for each."""

from collections.abc import Iterable
from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from contests.exports_api import CSV, FILE_ERRORS, JSON, ZIP, ExportFile
from tournaments.selectors.entering.registration import ANSWERS_COLUMNS
from tournaments.selectors.pages.exports import FIXTURE_COLUMNS, STANDINGS_COLUMNS
from tournaments.selectors.rulings.ruling_log import RULINGS_COLUMNS
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS
from tournaments.views import exports, ratings, rulings
from tournaments.views.registration import answers_file
from web.api_examples import DIGEST, RULESET, TIME, file_shown
from web.api_view import API


def _rulings(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    return rulings.export(request, slug)


def _head(columns: Iterable[str]) -> str:
    return ",".join(columns)


CUP_SHOWN: Final = {
    "name": "Harvest Cup",
    "state": "running",
    "ruleset": RULESET,
    "options": {"steal": "optional"},
    "limits": {"act_cpu": 0.1},
    "tie_breaks": ["buchholz", "lot"],
    "commitment": DIGEST,
    "secret": None,
    "luck": [],
    "started": TIME,
    "finished": None,
    "entries": [],
    "rulings": [],
    "stages": [],
    "head": None,
}
RATINGS_SHOWN: Final = {"name": "Harvest Cup", "matches": 24, "ratings": []}
FILES: Final = (
    ExportFile("tournament.json", exports.export, JSON, "A tournament as one JSON object.", CUP_SHOWN),
    ExportFile(
        "standings.csv", exports.export, CSV, "The standings of all stages as a table.", _head(STANDINGS_COLUMNS)
    ),
    ExportFile("fixtures.csv", exports.export, CSV, "Every table of every round as a table.", _head(FIXTURE_COLUMNS)),
    ExportFile("rulings.csv", _rulings, CSV, "The log of rulings as a table.", _head(RULINGS_COLUMNS)),
    ExportFile("answers.csv", answers_file, CSV, "What entrants have answered as a table.", _head(ANSWERS_COLUMNS)),
    ExportFile("ratings.csv", ratings.export, CSV, "The ratings as a table.", _head(RATINGS_COLUMNS)),
    ExportFile("ratings.json", ratings.export, JSON, "The ratings as one JSON object.", RATINGS_SHOWN),
    ExportFile("proof.zip", exports.export, ZIP, "The proof of a tournament that is over, for `peck verify`."),
)


class ReportView(API):
    """FIDE's report file of a stage at tables of two."""

    @extend_schema(
        operation_id="tournaments_export_report",
        responses={(200, "text/plain"): OpenApiTypes.STR, **FILE_ERRORS},
        examples=file_shown("text/plain", "012 Harvest Cup"),
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return exports.report(request, slug, number)
