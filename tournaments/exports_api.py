"""What a tournament leaves to keep, over the API: the files of its pages, an operation for each."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final, NamedTuple

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request

from tournaments.selectors.pages.exports import FIXTURE_COLUMNS, STANDINGS_COLUMNS
from tournaments.selectors.rulings.ruling_log import RULINGS_COLUMNS
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS
from tournaments.views import exports, ratings, reports, rulings
from web.api_examples import DIGEST, TIME, file_shown
from web.api_view import API, READ_ERRORS


class ExportFile(NamedTuple):
    """A file: how the page makes it, of which type it is, and what it is."""

    name: str
    page: Any
    media_type: str
    summary: str
    shown: Any = None


def _rulings(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    return rulings.export(request, slug)


def _head(columns: Iterable[str]) -> str:
    return ",".join(columns)


CUP_SHOWN: Final = {
    "name": "Harvest Cup",
    "state": "running",
    "ruleset": "pickomino/1",
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
CSV: Final = "text/csv"
FILES: Final = (
    ExportFile("tournament.json", exports.export, "application/json", "A tournament as one JSON object.", CUP_SHOWN),
    ExportFile(
        "standings.csv", exports.export, CSV, "The standings of all stages as a table.", _head(STANDINGS_COLUMNS)
    ),
    ExportFile("fixtures.csv", exports.export, CSV, "Every table of every round as a table.", _head(FIXTURE_COLUMNS)),
    ExportFile("rulings.csv", _rulings, CSV, "The log of rulings as a table.", _head(RULINGS_COLUMNS)),
    ExportFile("ratings.csv", ratings.export, CSV, "The ratings as a table.", _head(RATINGS_COLUMNS)),
    ExportFile("ratings.json", ratings.export, "application/json", "The ratings as one JSON object.", RATINGS_SHOWN),
    ExportFile(
        "proof.zip", exports.export, "application/zip", "The proof of a tournament that is over, for `peck verify`."
    ),
)


class _ExportView(API):
    file: ClassVar[ExportFile]

    def get(self, request: Request, slug: str) -> HttpResponseBase:
        answer: HttpResponseBase = self.file.page(request, slug, self.file.name)
        return answer


def export_paths() -> list[URLPattern]:
    """Return the address of each file."""
    return [path(f"<slug:slug>/export/{one.name}", _view(one).as_view(), name=one.name) for one in FILES]


def _view(file: ExportFile) -> type[_ExportView]:
    stem, _dot, ending = file.name.partition(".")
    content = {
        "application/json": OpenApiTypes.OBJECT,
        CSV: OpenApiTypes.STR,
        "application/zip": OpenApiTypes.BINARY,
    }
    described = extend_schema(
        operation_id=f"tournaments_export_{stem}_{ending}",
        responses={(200, file.media_type): content[file.media_type], **READ_ERRORS},
        examples=file_shown(file.media_type, file.shown),
    )
    view = type(f"{stem.title()}{ending.title()}View", (_ExportView,), {"__doc__": file.summary, "file": file})
    made: type[_ExportView] = extend_schema_view(get=described)(view)
    return made


class ReportView(API):
    """FIDE's report file of a stage at tables of two."""

    @extend_schema(
        operation_id="tournaments_export_report",
        responses={(200, "text/plain"): OpenApiTypes.STR, **READ_ERRORS},
        examples=file_shown("text/plain", "012 Harvest Cup"),
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return reports.report(request, slug, number)
