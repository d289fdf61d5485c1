"""What an organiser or an arbiter does to a tournament with one word, over the API: an operation for each act."""

from typing import Any, ClassVar, Final

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from tournaments.errors import WrongState
from tournaments.luck_serializers import NonceSerializer
from tournaments.models import Publication
from tournaments.serializers import TournamentDetailSerializer
from tournaments.services import nonce_add, tournament_publish
from tournaments.settings_api import ERRORS
from tournaments.views.actions import ACTIONS, FOR_ARBITERS, LEADS_TO
from tournaments.views.lookups import counted_or_404, own_tournament, ruled_tournament, tournament_or_404
from web.api_view import API
from web.requests import signed_in
from web.serializers import example

SUMMARIES: Final = {
    "open": "Open entries.",
    "lock": "Close entries.",
    "reopen": "Open entries again.",
    "start": "Start a tournament.",
    "cancel": "Cancel a tournament.",
    "pause": "Pause a tournament: no match begins.",
    "resume": "Resume a tournament that is paused.",
    "release": "Play matches again that are held after faults of the platform.",
}


class ActView(API):
    """An act. Where the tournament is already what the act leads to, the answer is the same."""

    permission_classes = (IsAuthenticated,)
    action: ClassVar[str]

    def post(self, request: Request, slug: str) -> Response:
        found = ruled_tournament if self.action in FOR_ARBITERS else own_tournament
        tournament = found(request, slug)
        try:
            ACTIONS[self.action](tournament=tournament)
        except WrongState:
            tournament.refresh_from_db()
            if tournament.state not in LEADS_TO[self.action]:
                raise
        return _answer(request, slug)


def act_paths() -> list[URLPattern]:
    """Return the address of each act; the schema calls its operation ``tournaments_open``."""
    return [path(f"<slug:slug>/{action}/", _act(action).as_view(), name=action) for action in ACTIONS]


def _act(action: str) -> type[ActView]:
    whose = "For the organiser and arbiters." if action in FOR_ARBITERS else "For the organiser."
    view = type(
        f"{action.title()}View",
        (ActView,),
        {"__doc__": f"{SUMMARIES[action]}\n\n{whose} {ActView.__doc__}", "action": action},
    )
    described = extend_schema(
        operation_id=f"tournaments_{action}",
        request=None,
        responses={200: TournamentDetailSerializer, **ERRORS},
    )
    made: type[ActView] = extend_schema_view(post=described)(view)
    return made


@example(publication="everyone")
class PublicationSerializer(serializers.Serializer[Any]):
    """Who may look at pairings, standings and matches."""

    publication = serializers.ChoiceField(choices=Publication.choices)


class PublicationView(API):
    """Who sees pairings and results."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Choose who sees pairings and results",
        description="In any state, for the organiser.",
        request=PublicationSerializer,
        responses={200: TournamentDetailSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        asked = PublicationSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        tournament_publish(tournament=tournament, publication=Publication(asked.validated_data["publication"]))
        return _answer(request, slug)


@example(text="The dice say 3, 1 and 6.")
class AddedLuckSerializer(serializers.Serializer[Any]):
    """What somebody adds to the luck: anything that nobody could foresee."""

    text = serializers.CharField(max_length=100)


class AddLuckView(API):
    """The luck of a tournament."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Add to the luck",
        description="Between the closing of entries and the start; entrants, arbiters and the organiser, each once.",
        request=AddedLuckSerializer,
        responses={201: NonceSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = tournament_or_404(request, slug)
        asked = AddedLuckSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        nonce = nonce_add(tournament=tournament, by=signed_in(request), **asked.validated_data)
        return Response(NonceSerializer(nonce).data, status=status.HTTP_201_CREATED)


def _answer(request: Request, slug: str) -> Response:
    tournament = counted_or_404(request, slug)
    return Response(TournamentDetailSerializer(tournament, context={"request": request}).data)
