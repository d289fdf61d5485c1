"""What belongs to no room below: the games, and the answer of addresses that are none."""

from typing import NoReturn

from django.http import Http404
from rest_framework.request import Request

from arena.site.serializers import GameDetailSerializer, GameSummarySerializer
from games.catalogue import GAMES, UnknownRuleset, current
from games.ruleset import Ruleset
from web.api_view import API, Item, Listing


class GamesView(Listing):
    """The games that are played here."""

    serializer_class = GameSummarySerializer

    def get_queryset(self) -> list[Ruleset]:  # type: ignore[override]  # any sequence, see ``Listing``
        return [game.current for game in GAMES.values()]


class GameView(Item):
    """A game with its options, what bots are shown, and what they may answer."""

    serializer_class = GameDetailSerializer

    def get_object(self) -> Ruleset:
        try:
            return current(self.kwargs["name"])
        except UnknownRuleset as error:
            raise Http404 from error


class NowhereView(API):
    """An address that is none is answered like all else that goes wrong, whatever the method."""

    schema = None  # type: ignore[assignment]  # not in the OpenAPI page

    def initial(self, request: Request, *args: object, **kwargs: object) -> NoReturn:
        raise Http404
