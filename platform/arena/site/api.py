"""What belongs to no room below: the games, and the answer of addresses that are none."""

from typing import Any, NoReturn

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from arena.site.serializers import GameDetailSerializer, GameSummarySerializer, IndexSerializer
from games.catalogue import GAMES, UnknownRuleset, current, find
from games.ruleset import Ruleset
from web.api_view import API, READ_ERRORS, Item, Listing
from web.shared_pages import TEXT_SECONDS


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
