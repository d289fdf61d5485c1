"""The timeline of a tournament over the API, for who organises it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from tournaments.selectors.rounds.timeline import MOVABLE, ActState, TimelineAct, timeline_of
from tournaments.services import act_move
from tournaments.views.lookups import own_tournament
from web.api_examples import TIME, example_shown
from web.api_view import API, JSONBody
from web.serializers import example

ACTS = (
    *("opens", "reminder", "closes", "starts", "round", "premiere", "ends", "ceremony", "results", "certificates"),
    "sources",
)


@example_shown(act="round", text="Round 2", round=0, when=TIME, progress="coming", note="")
class TimelineActSerializer(serializers.Serializer[Any]):
    """What has happened or comes by itself."""

    act = serializers.ChoiceField(choices=ACTS)
    text = serializers.CharField()
    round = serializers.IntegerField(help_text="Of a round that is drawn its number, else 0.")
    when = serializers.DateTimeField(allow_null=True, help_text="null: it has no time, or it was not kept.")
    progress = serializers.ChoiceField(
        choices=[one.value for one in ActState],
        source="state.value",
        help_text="`late`: its time has come, and it waits; `follows`: after what stands before it.",
    )
    note = serializers.CharField(allow_blank=True, help_text="What it waits for.")


@example_shown(acts=[{"act": "round", "text": "Round 2", "round": 0, "when": TIME, "progress": "coming", "note": ""}])
class TimelineSerializer(serializers.Serializer[Any]):
    """All acts, the earliest first."""

    acts = TimelineActSerializer(many=True)


@example(act="starts", when="2027-01-30T19:00:00Z")
class MovedActSerializer(serializers.Serializer[Any]):
    """Another time for an act, or null: it waits for you."""

    act = serializers.ChoiceField(choices=MOVABLE)
    when = serializers.DateTimeField(allow_null=True)


class TimelineView(API):
    """What a tournament has done and will do by itself, for its organiser."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    @extend_schema(summary="The timeline of a tournament", responses={200: TimelineSerializer, **ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        return _answer(timeline_of(own_tournament(request, slug)))

    @extend_schema(
        summary="Move an act, or stop it",
        description="Rounds and premieres are moved by `plan/`. The same request twice changes nothing.",
        request=MovedActSerializer,
        responses={200: TimelineSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        asked = MovedActSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        act_move(tournament=tournament, **asked.validated_data)
        return _answer(timeline_of(own_tournament(request, slug)))


def _answer(acts: list[TimelineAct]) -> Response:
    return Response(TimelineSerializer({"acts": acts}).data)
