"""What belongs to no room below: the games, and the answer of addresses that are none."""

import json
import threading
from functools import lru_cache
from typing import Any, Final, NoReturn

from django.http import Http404, HttpResponse
from django.utils.translation import get_language
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SCHEMA_KWARGS, SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from arena.site.serializers import GameDetailSerializer, GameSummarySerializer, IndexSerializer
from games.catalogue import GAMES, UnknownRuleset, current, find
from games.ruleset import Ruleset
from web.api_view import API, READ_ERRORS, Item, Listing
from web.page_cache import TEXT_SECONDS

_GENERATING: Final = threading.Lock()  # drf-spectacular uses one inspector of a view in all threads


class IndexView(API):
    """Where the API begins: its lists, who I am, and its description."""

    strangers_share = TEXT_SECONDS

    @extend_schema(responses={200: IndexSerializer, **READ_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(IndexSerializer({}, context={"request": request}).data)


class GamesView(Listing):
    """The games that are played here."""

    strangers_share = TEXT_SECONDS
    serializer_class = GameSummarySerializer

    def get_queryset(self) -> list[Ruleset]:  # type: ignore[override]  # any sequence, see ``Listing``
        return [game.current for game in GAMES.values()]


class GameView(Item):
    """A game with its options, what bots are shown, and what they may answer."""

    strangers_share = TEXT_SECONDS
    serializer_class = GameDetailSerializer

    def get_object(self) -> Ruleset:
        try:
            return current(self.kwargs["name"])
        except UnknownRuleset as error:
            raise Http404 from error


class GameVersionView(GameView):
    """One version of a game's rules, current or superseded; contests that were announced under it go on by it."""

    def get_object(self) -> Ruleset:
        try:
            return find(f"{self.kwargs['name']}/{self.kwargs['version']}")
        except UnknownRuleset as error:
            raise Http404 from error

    @extend_schema(operation_id="games_retrieve_version")
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class NowhereView(API):
    """An address that is none is answered like all else that goes wrong, whatever the method."""

    schema = None  # type: ignore[assignment]  # not in the OpenAPI page

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        raise Http404


class SchemaView(SpectacularAPIView):
    """Serves what drf-spectacular makes: half a second of processor time, and the same for everybody."""

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
    """Swagger UI, below a list of the operations that needs no script."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return the page, or with ``script`` in the query the script that begins Swagger UI."""
        response: Response = super().get(request, *args, **kwargs)  # type: ignore[no-untyped-call]
        if "script" not in request.GET:
            with _GENERATING:
                response.data["operations"] = _operations(get_language())
        return response


@lru_cache(maxsize=8)
def _operations(language: str) -> dict[str, list[tuple[str, str, str]]]:
    """Return method, path and summary of each operation by the first word of its address below /api/."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for path, methods in json.loads(_rendered("json", language))["paths"].items():
        for method, one in methods.items():
            found.setdefault(path.split("/")[2] or "api", []).append((method.upper(), path, one["summary"]))
    return found


@lru_cache(maxsize=16)
def _rendered(kind: str, _language: str) -> bytes:
    schema = SchemaView.generator_class().get_schema(public=True)  # type: ignore[no-untyped-call]
    renderer: Any = next(one for one in SchemaView.renderer_classes if one.format == kind)
    body: bytes = renderer().render(schema, renderer_context={})
    return body
