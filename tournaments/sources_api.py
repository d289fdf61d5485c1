"""The sources that a tournament has released, over the API."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from bots.models import BotVersion
from bots.serializers import NamedBotSerializer
from tournaments.models import Tournament
from tournaments.selectors.pages.sources import sources_of, versions_played, with_licence
from tournaments.views.sources import released_file, releasing_tournament
from web.api_examples import DIGEST, file_shown, shown
from web.api_view import API, READ_ERRORS, Listing


@shown(entry=12, version=3, sha256=DIGEST, licence="MIT", is_there=True, is_agreed=True)
class ReleasedSourceSerializer(serializers.Serializer[Any]):
    """A version that a bot played with."""

    entry = serializers.IntegerField(source="entry.pk", help_text="Of the tournament.")
    bot = NamedBotSerializer(source="entry.bot")
    version = serializers.IntegerField(source="version.number")
    sha256 = serializers.CharField(source="version.sha256", help_text="Of the file, as the proof has it.")
    licence = serializers.CharField(help_text="As the source says; empty if it does not.")
    is_agreed = serializers.BooleanField(help_text="False: somebody else than its author entered it.")
    is_there = serializers.BooleanField(help_text="False: not agreed to, or its author has deleted it since.")


class SourcesView(Listing):
    """The versions that played, once their sources are released; 404 before."""

    serializer_class = ReleasedSourceSerializer

    @cached_property
    def tournament(self) -> Tournament:
        return releasing_tournament(self.request, self.kwargs["slug"])

    def get_queryset(self) -> QuerySet[BotVersion]:
        return versions_played(self.tournament)

    def lines(self, page: list[Any]) -> list[Any]:
        return [with_licence(one) for one in sources_of(self.tournament, page)]


class SourceFileView(API):
    """The very file that was uploaded."""

    @extend_schema(
        operation_id="tournaments_source_file",
        parameters=[OpenApiParameter("version", int, description="Its number; without it the last that played.")],
        responses={(200, "text/plain"): OpenApiTypes.STR, (200, "application/zip"): OpenApiTypes.BINARY, **READ_ERRORS},
        examples=file_shown("text/plain", "def act(view): ..."),
    )
    def get(self, request: Request, slug: str, bot: str) -> HttpResponse:
        return released_file(request, slug, bot__slug=bot)
