"""The API's index, games, schema and documentation, and its 404 for unknown addresses."""

import json
import threading
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn

from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication
from rest_framework.request import Request
from rest_framework.response import Response

from games.catalogue import GAMES, UnknownRuleset, current, find
from games.ruleset import Ruleset
from web.api_examples import GAME, RULESET, SITE, api_example_shown
from web.api_view import API, READ_ERRORS, Item, Listing
from web.page_cache import TEXT_SECONDS
from web.serializers import GAME_CHOICES, serializer_address

INDEX: Final[Mapping[str, str]] = {  # the path of each entry, below the index
    **{
        name: f"{name}/"
        for name in (
            *("games", "bots", "leagues", "tournaments", "matches", "sparring", "hooks", "groups", "teams"),
            *("puzzles", "assignments", "series", "honours", "me"),
        )
    },
    "export": "me/export/",
    "tournament_templates": "tournaments/new/templates/",
    "notices": "notices/",
    "notice_channels": "notices/channels/",
    "following": "notices/following/",
    "devices": "notices/devices/",
    "organiser_request": "organiser-request/",
    "docs": "docs/",
    "schema": "schema/",
}


@api_example_shown(**{name: f"{SITE}/api/{path}" for name, path in INDEX.items()})
class IndexSerializer(serializers.Serializer[Any]):
    """The addresses of the API without parameters, by subject. Addresses of one's own data need a token."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: serializers.URLField() for name in INDEX}

    def to_representation(self, instance: Any) -> dict[str, str]:
        index = self.context["request"].build_absolute_uri(reverse("api-index"))
        return {name: f"{index}{path}" for name, path in INDEX.items()}


@api_example_shown(
    ruleset=RULESET,
    title=GAMES[GAME].title,
    gist="Eight dice and a grill full of worms.",
    seats_least=2,
    seats_most=7,
    page=f"{SITE}/docs/rules/{GAME}/",
)
class GameSummarySerializer(serializers.Serializer[Any]):
    """A game; ``ruleset`` names it with the version of its rules."""

    name = serializers.ChoiceField(choices=GAME_CHOICES)
    ruleset = serializers.CharField(source="id")
    title = serializers.SerializerMethodField()
    gist = serializers.SerializerMethodField(help_text="A description in one line.")
    seats_least = serializers.IntegerField(source="seats.start")
    seats_most = serializers.SerializerMethodField(help_text="Some numbers of seats need an option; see seats_with.")
    page = serializers.SerializerMethodField(help_text="The page with its rules.")

    def get_title(self, ruleset: Ruleset) -> str:
        return _(ruleset.title)

    def get_gist(self, ruleset: Ruleset) -> str:
        return _(GAMES[ruleset.name].tagline)

    def get_seats_most(self, ruleset: Ruleset) -> int:
        return ruleset.seats.stop - 1

    def get_page(self, ruleset: Ruleset) -> str:
        return serializer_address(self, "docs-rules", ruleset.name)


@api_example_shown(
    name="steal",
    title="Stealing",
    help="Whether it may be declined.",
    default="optional",
    schema={"enum": ["optional", "mandatory"]},
)
class OptionSerializer(serializers.Serializer[Any]):
    """An option of a game's rules."""

    name = serializers.CharField()
    title = serializers.CharField()
    help = serializers.CharField()
    default = serializers.JSONField()
    schema = serializers.DictField(help_text="JSON schema of its values.")


@api_example_shown(seats=6, option="max_players", value=6)
class SeatsWithSerializer(serializers.Serializer[Any]):
    """A number of seats that needs this option."""

    seats = serializers.IntegerField()
    option = serializers.CharField()
    value = serializers.JSONField()


@api_example_shown(
    versions=[RULESET],
    seats_with=[],
    view_schema={"type": "object"},
    actions=["take 1", "take W", "roll", "stop"],
)
class GameDetailSerializer(GameSummarySerializer):
    """A game with its options, the views of bots, and the actions that they may answer with."""

    versions = serializers.SerializerMethodField(help_text="Every version of its rules, oldest first.")
    options = serializers.SerializerMethodField()
    seats_with = serializers.SerializerMethodField()
    view_schema = serializers.DictField(help_text="JSON schema of every view.")
    actions = serializers.SerializerMethodField(help_text="All actions under the default options, in a fixed order.")

    def get_versions(self, ruleset: Ruleset) -> list[str]:
        return [version.id for version in GAMES[ruleset.name].versions]

    @extend_schema_field(OptionSerializer(many=True))
    def get_options(self, ruleset: Ruleset) -> list[Mapping[str, Any]]:
        return [
            {"name": name, "title": _(one.label), "help": _(one.help), "default": one.default, "schema": one.schema()}
            for name, one in ruleset.options.items()
        ]

    @extend_schema_field(SeatsWithSerializer(many=True))
    def get_seats_with(self, ruleset: Ruleset) -> list[Mapping[str, Any]]:
        needs = ruleset.seats_with.items()
        return [{"seats": seats, "option": option, "value": value} for seats, (option, value) in needs]

    def get_actions(self, ruleset: Ruleset) -> list[str]:
        return list(ruleset.vocabulary(ruleset.validate(ruleset.seats.start, {})))


# The description of each group of operations, in the order of the page. The first word of an address is its group.
GROUPS: Final[Mapping[str, str]] = {
    "index": "Where to begin",
    "me": "Your account",
    "bots": "Bots, versions and uploads",
    "sparring": "Test matches",
    "challenges": "Challenges",
    "games": "Games and their rules",
    "matches": "Matches, games and records",
    "tournaments": "Tournaments",
    "leagues": "Leagues, seasons and ladders",
    "series": "Series of tournaments",
    "honours": "Honours",
    "puzzles": "Puzzles",
    "groups": "Groups and rosters",
    "assignments": "Assignments and marks",
    "teams": "Teams",
    "announcements": "Announcements and questions",
    "notices": "Notices",
    "hooks": "Webhooks",
    "organiser-request": "Becoming an organiser",
    "docs": "Documentation",
}


def api_groups_describe(result: dict[str, Any], **_kwargs: Any) -> dict[str, Any]:
    """Add the descriptions of the groups to the schema ``result``. drf-spectacular calls this."""
    return {**result, "tags": [{"name": name, "description": about} for name, about in GROUPS.items()]}


_GENERATING: Final = threading.Lock()  # drf-spectacular shares the inspector of a view between threads


class IndexView(API):
    """Start here: the addresses of lists, of your account, and of the API's description."""

    public_max_age = TEXT_SECONDS

    @extend_schema(responses={200: IndexSerializer, **READ_ERRORS}, tags=["index"])
    def get(self, request: Request) -> Response:
        return Response(IndexSerializer({}, context={"request": request}).data)


class GamesView(Listing):
    """The games that are played here."""

    public_max_age = TEXT_SECONDS
    serializer_class = GameSummarySerializer

    def get_queryset(self) -> list[Ruleset]:  # type: ignore[override]  # any sequence, see ``Listing``
        return [game.current for game in GAMES.values()]


class GameView(Item):
    """A game with its options, the views of bots, and the actions that they may answer with."""

    public_max_age = TEXT_SECONDS
    serializer_class = GameDetailSerializer

    def get_object(self) -> Ruleset:
        try:
            return current(self.kwargs["name"])
        except UnknownRuleset as error:
            raise Http404 from error


class GameVersionView(GameView):
    """One version of a game's rules, current or superseded. Contests announced under it continue with it."""

    def get_object(self) -> Ruleset:
        try:
            return find(f"{self.kwargs['name']}/{self.kwargs['version']}")
        except UnknownRuleset as error:
            raise Http404 from error

    @extend_schema(operation_id="games_retrieve_version")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class NowhereView(API):
    """Answer unknown addresses with a problem document, whatever the method."""

    schema = None  # type: ignore[assignment]  # not in the OpenAPI schema

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        raise Http404


class SchemaView(SpectacularAPIView):
    """Serve the schema from a cache: generating it takes half a second of processor time."""

    @extend_schema(**SCHEMA_KWARGS)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the schema as YAML or JSON."""
        renderer: Any = request.accepted_renderer
        with _GENERATING:
            body = _rendered(renderer.format, get_language())
        kind = f"{renderer.media_type}; charset={renderer.charset}" if renderer.charset else renderer.media_type
        headers = {"Content-Disposition": f'inline; filename="{self._get_filename(request, "")}"'}  # type: ignore[no-untyped-call]
        return HttpResponse(body, content_type=kind, headers=headers)


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI, below a list of the operations that works without scripts."""

    # The page has the site's header, which depends on the session, and not on a token.
    authentication_classes = (SessionAuthentication,)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the page, or with ``script`` in the query the script that starts Swagger UI."""
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if "script" not in request.GET:
            with _GENERATING:
                response.data["operations"] = _operations(get_language())
        return response


@lru_cache(maxsize=8)
def _operations(language: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return the method, path and summary of each operation, by the description of its group."""
    found: dict[str, list[tuple[str, str, str]]] = {about: [] for about in GROUPS.values()}
    for path, methods in json.loads(_rendered("json", language))["paths"].items():
        for method, one in methods.items():
            found[GROUPS[one["tags"][0]]].append((method.upper(), path, one["summary"]))
    return found


@lru_cache(maxsize=16)
def _rendered(kind: str, _language: str) -> bytes:
    schema = SchemaView.generator_class().get_schema(public=True)  # type: ignore[no-untyped-call]
    renderer: Any = next(one for one in SchemaView.renderer_classes if one.format == kind)
    body: bytes = renderer().render(schema, renderer_context={})
    return body
