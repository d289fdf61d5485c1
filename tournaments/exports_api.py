"""The API of a tournament's files: exports, released sources, and archives that workers prepare."""

from collections.abc import Iterable
from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from bots.models import BotVersion
from bots.serializers import NamedBotSerializer
from contests.exports_api import CSV, FILE_ERRORS, JSON, ZIP, ExportFile, PreparedExport, prepared_exports_api_paths
from matches.datasets.page import dataset_exports
from tournaments.models import Tournament
from tournaments.selectors.entering.registration import ANSWERS_COLUMNS
from tournaments.selectors.pages.exports import FIXTURE_COLUMNS, SOURCES_ARCHIVE, STANDINGS_COLUMNS
from tournaments.selectors.pages.sources import (
    tournament_source_versions_of,
    tournament_source_with_licence,
    tournament_sources_of,
)
from tournaments.selectors.rulings.ruling_log import RULINGS_COLUMNS
from tournaments.selectors.standings.ratings import RATINGS_COLUMNS
from tournaments.views import exports, ratings, rulings
from tournaments.views.exports import tournament_dataset_response
from tournaments.views.lookups import tournament_with_sources_or_404
from tournaments.views.registration import registration_answers_response
from tournaments.views.sources import tournament_source_response, tournament_sources_archive_response
from web.api_examples import DIGEST, RULESET, TIME, api_example_of_file, api_example_shown
from web.api_view import API, READ_ERRORS, Listing


def _rulings(request: HttpRequest, slug: str, name: str) -> HttpResponseBase:
    return rulings.tournament_rulings_file_view(request, slug)


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
    ExportFile("tournament.json", exports.tournament_export_view, JSON, "A tournament as one JSON object.", CUP_SHOWN),
    ExportFile(
        "standings.csv",
        exports.tournament_export_view,
        CSV,
        "The standings of all stages as a table.",
        _head(STANDINGS_COLUMNS),
    ),
    ExportFile(
        "fixtures.csv",
        exports.tournament_export_view,
        CSV,
        "Every table of every round as a table.",
        _head(FIXTURE_COLUMNS),
    ),
    ExportFile("rulings.csv", _rulings, CSV, "The log of rulings as a table.", _head(RULINGS_COLUMNS)),
    ExportFile(
        "answers.csv",
        registration_answers_response,
        CSV,
        "The answers of entrants as a table.",
        _head(ANSWERS_COLUMNS),
    ),
    ExportFile(
        "ratings.csv", ratings.tournament_ratings_file_view, CSV, "The ratings as a table.", _head(RATINGS_COLUMNS)
    ),
    ExportFile(
        "ratings.json", ratings.tournament_ratings_file_view, JSON, "The ratings as one JSON object.", RATINGS_SHOWN
    ),
    ExportFile(
        "proof.zip", exports.tournament_export_view, ZIP, "The proof of a tournament that is over, for `peck verify`."
    ),
)


class ReportView(API):
    """FIDE's report file of a stage at tables of two."""

    @extend_schema(
        operation_id="tournaments_export_report",
        responses={(200, "text/plain"): OpenApiTypes.STR, **FILE_ERRORS},
        examples=api_example_of_file("text/plain", "012 Harvest Cup"),
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponseBase:
        return exports.tournament_report_view(request, slug, number)


@api_example_shown(entry=12, version=3, sha256=DIGEST, licence="MIT", is_there=True, is_agreed=True)
class ReleasedSourceSerializer(serializers.Serializer[Any]):
    """A version that a bot played with, and whether its source can be read."""

    entry = serializers.IntegerField(source="entry.pk", help_text="The entry in the tournament.")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="version.number")
    sha256 = serializers.CharField(source="version.sha256", help_text="Of the uploaded file, as in the proof.")
    licence = serializers.CharField(help_text="As stated in the source; empty if it states none.")
    is_agreed = serializers.BooleanField(help_text="False: somebody other than its author entered it.")
    is_there = serializers.BooleanField(help_text="False: its author has not agreed, or has deleted it.")


class SourcesView(Listing):
    """The versions that played, once their sources are released; 404 before."""

    serializer_class = ReleasedSourceSerializer

    @cached_property
    def tournament(self) -> Tournament:
        return tournament_with_sources_or_404(self.request, self.kwargs["slug"])

    def get_queryset(self) -> QuerySet[BotVersion]:
        return tournament_source_versions_of(self.tournament)

    def lines(self, page: list[Any]) -> list[Any]:
        return [tournament_source_with_licence(one) for one in tournament_sources_of(self.tournament, page)]


class SourceFileView(API):
    """The source of a version, as it was uploaded."""

    @extend_schema(
        operation_id="tournaments_source_file",
        parameters=[
            OpenApiParameter(
                "version", int, description="The number of the version. Default: the last one that played."
            )
        ],
        responses={(200, "text/plain"): OpenApiTypes.STR, (200, "application/zip"): OpenApiTypes.BINARY, **READ_ERRORS},
        examples=api_example_of_file("text/plain", "def act(view): ..."),
    )
    def get(self, request: Request, slug: str, bot: str) -> HttpResponse:
        return tournament_source_response(request, slug, bot__slug=bot)


PREPARED_PATHS: Final = prepared_exports_api_paths(
    "<slug:slug>/export",
    *dataset_exports(tournament_dataset_response, "tournaments_export_dataset", "a tournament"),
    PreparedExport(
        SOURCES_ARCHIVE,
        tournament_sources_archive_response,
        "tournaments_export_sources_zip",
        "The sources that the tournament has released, as one archive",
    ),
)
