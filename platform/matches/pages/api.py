"""Matches in the API: read only, for those who may see their pages."""

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from matches.bot_history.logs import notes_of
from matches.models import Fault, Game, Match, Seat
from matches.pages import match_page
from matches.pages.serializers import (
    GameSerializer,
    MatchDetailSerializer,
    MatchQuery,
    MatchSerializer,
    NoteSerializer,
    RecordSerializer,
)
from matches.replay.records import record_response
from matches.replay.seat_decisions import StepNote
from matches.visibility import games_shown, matches_public, matches_visible
from web.api_view import API, READ_ERRORS, Cursors, Item, Listing
from web.page_cache import NOW_SECONDS


class MatchesView(Listing):
    """The matches that everyone may look at, newest first."""

    strangers_share = NOW_SECONDS
    serializer_class = MatchSerializer
    pagination_class = Cursors
    query = MatchQuery

    def matches(self) -> QuerySet[Match]:
        """Return those of which the query chooses. The rooms above list theirs by other words for it."""
        return matches_public()

    def get_queryset(self) -> QuerySet[Match]:
        chosen = dict(self.asked)
        if bot := chosen.pop("bot", ""):
            chosen["pk__in"] = Seat.objects.filter(version__bot__slug=bot).values("match")
        return match_page.match_with_seats(self.matches().filter(**chosen)).order_by("-pk")


class MatchView(Item):
    """A match, for those who may see it."""

    serializer_class = MatchDetailSerializer

    def get_object(self) -> Match:
        return get_object_or_404(match_page.match_with_seats(matches_visible(self.request.user)), pk=self.kwargs["pk"])


class MatchGamesView(Listing):
    """The finished games of a match, in order.

    Of a fault everyone may know who and the code for it; its author reads more under the bot's failures.
    """

    serializer_class = GameSerializer

    def get_queryset(self) -> QuerySet[Game]:
        match = get_object_or_404(matches_visible(self.request.user), pk=self.kwargs["pk"])
        blames = Fault.objects.select_related("seat").only("game", "verdict", "seat__index").order_by("seat__index")
        return games_shown(match).defer("record").prefetch_related(Prefetch("faults", blames))


class GameNotesView(Listing):
    """What the bots said of their moves in a finished game, in the order of the moves.

    Of my own bots, of bots whose notes are public, and of all bots for those who run the match, and staff.
    """

    serializer_class = NoteSerializer

    def get_queryset(self) -> list[StepNote]:  # type: ignore[override]  # any sequence
        match = get_object_or_404(matches_visible(self.request.user), pk=self.kwargs["pk"])
        game = get_object_or_404(games_shown(match), index=self.kwargs["index"])
        return notes_of(self.request.user, match, game)


class GameRecordView(API):
    """The record of a finished game: all that is needed to play it again."""

    @extend_schema(operation_id="matches_games_record_retrieve", responses={200: RecordSerializer, **READ_ERRORS})
    def get(self, request: Request, pk: int, index: int) -> HttpResponseBase:
        return record_response(request.user, pk, index, "json")


class GameRecordBytesView(API):
    """The record of a finished game, as the bytes that `peck verify` reads."""

    @extend_schema(
        operation_id="matches_games_record_bytes_retrieve",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **READ_ERRORS},
    )
    def get(self, request: Request, pk: int, index: int) -> HttpResponseBase:
        return record_response(request.user, pk, index, "bin")
