"""The API of times: premieres and plans of rounds, the timeline, and the ceremony."""

from collections.abc import Callable
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS, action_operation
from matches.models import Broadcast
from tournaments.actions import ACTIONS, AnnouncedCeremonySerializer, CeremonySerializer
from tournaments.entering_api import SignedInToWrite
from tournaments.models import Round
from tournaments.selectors.pages.ceremony import CeremonyShown, ceremony_shown
from tournaments.selectors.rounds.plans import PlannedRound, round_planned_at, round_plans_of
from tournaments.selectors.rounds.timeline import MOVABLE, ActState, TimelineAct, tournament_timeline_of
from tournaments.services import round_plan_premiere_set, round_plan_set, tournament_timeline_edit
from tournaments.views.ceremonies import shown_ceremony
from tournaments.views.lookups import own_tournament
from web.api_examples import TIME, api_example_shown, serializer_example
from web.api_view import API, Item, JSONBody, Listing, OneOf


class PremiereSerializer(serializers.Serializer[Any]):
    """When the matches of a round are shown to everyone, and at which tempo. Null and empty if there is no premiere."""

    premieres_at = serializers.DateTimeField(allow_null=True)
    tempo = OneOf(choices=Broadcast.choices, allow_blank=True, help_text="A round that has begun keeps its tempo.")


@serializer_example(premieres_at="2027-01-30T19:00:00Z", tempo="story")
class AnnouncedSerializer(PremiereSerializer):
    """The requested premiere of a round."""

    premieres_at = serializers.DateTimeField(help_text="At most 60 days ahead, and not before the round begins.")
    tempo = OneOf(choices=[one for one in Broadcast.choices if one[0]])


class PremiereView(Item):
    """The premiere of a round, for its organiser."""

    serializer_class = PremiereSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    def get_object(self) -> Round:
        tournament = own_tournament(self.request, self.kwargs["slug"])
        rounds = Round.objects.select_related("tournament")
        return get_object_or_404(rounds, tournament=tournament, number=self.kwargs["number"])

    @extend_schema(
        summary="Announce or move the premiere of a round",
        description="The matches are played when the round begins, and shown from this time on, all tables at once."
        " Repeating the request changes nothing.",
        request=AnnouncedSerializer,
        responses={200: PremiereSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        played = self.get_object()
        announced = AnnouncedSerializer(data=request.data)
        announced.is_valid(raise_exception=True)
        round_plan_premiere_set(played=played, **announced.validated_data)
        return Response(PremiereSerializer(played).data)

    @extend_schema(
        summary="Cancel the premiere of a round",
        description="Matches that have been played are shown at once.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        round_plan_premiere_set(played=self.get_object(), premieres_at=None)
        return Response(status=status.HTTP_204_NO_CONTENT)


@serializer_example(starts_at=None, premieres_at="2027-01-30T19:00:00Z", tempo="story")
class PlanSerializer(serializers.Serializer[Any]):
    """When a round begins and is shown."""

    starts_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="null: as in the calendar of the tournament."
    )
    premieres_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="The round is shown from this time on; null: no premiere."
    )
    tempo = OneOf(choices=Broadcast.choices, required=False, allow_blank=True, help_text="The tempo of the premiere.")


@api_example_shown(stage=2, place=0, number=0, begun=False, starts_at=None, premieres_at=TIME, tempo="story")
class PlannedRoundSerializer(serializers.Serializer[Any]):
    """A round with its plan, drawn or not."""

    stage = serializers.IntegerField(source="stage.number")
    place = serializers.IntegerField(help_text="The number of the round in its stage; 0: the final of a knockout.")
    number = serializers.IntegerField(help_text="The number of the round in the tournament; 0 until it is drawn.")
    begun = serializers.BooleanField(help_text="If true, its plan cannot change.")
    starts_at = serializers.DateTimeField(allow_null=True, help_text="null: as in the calendar of the tournament.")
    premieres_at = serializers.DateTimeField(allow_null=True, help_text="The round is shown from this time on.")
    tempo = OneOf(choices=Broadcast.choices, allow_blank=True, help_text="The tempo of the premiere.")


class PlanView(Listing):
    """The plans of all rounds, drawn or not, for the organiser."""

    serializer_class = PlannedRoundSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> list[PlannedRound]:  # type: ignore[override]
        return round_plans_of(own_tournament(self.request, self.kwargs["slug"]))


class PlanRoundView(Item):
    """The plan of a round, for its organiser."""

    serializer_class = PlannedRoundSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    def get_object(self) -> PlannedRound:
        tournament = own_tournament(self.request, self.kwargs["slug"])
        planned = round_planned_at(tournament, self.kwargs["stage_number"], self.kwargs["place"])
        if planned is None:
            raise Http404
        return planned

    @extend_schema(
        summary="Plan when a round begins and is shown",
        description="Possible until the round begins, drawn or not. `place` 0 is the final of a knockout. Omitted"
        " fields are reset. Repeating the request changes nothing.",
        request=PlanSerializer,
        responses={200: PlannedRoundSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, stage_number: int, place: int) -> Response:
        planned = self.get_object()
        asked = PlanSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        round_plan_set(tournament=planned.stage.tournament, stage=stage_number, place=place, **asked.validated_data)
        return Response(PlannedRoundSerializer(self.get_object()).data)


ACTS = (
    *("opens", "reminder", "closes", "starts", "round", "premiere", "ends", "ceremony", "results", "certificates"),
    "sources",
)


@api_example_shown(act="round", text="Round 2", round=0, when=TIME, progress="coming", note="")
class TimelineActSerializer(serializers.Serializer[Any]):
    """An act of the timeline, which has happened or will happen."""

    act = serializers.ChoiceField(choices=ACTS)
    text = serializers.CharField()
    round = serializers.IntegerField(help_text="The number of a drawn round, else 0.")
    when = serializers.DateTimeField(allow_null=True, help_text="null: it has no time, or the time was not recorded.")
    progress = serializers.ChoiceField(
        choices=[one.value for one in ActState],
        source="state.value",
        help_text="`late`: its time has passed, and it still waits; `follows`: it happens after the act before it.",
    )
    note = serializers.CharField(allow_blank=True, help_text="What the act waits for.")


@api_example_shown(
    acts=[{"act": "round", "text": "Round 2", "round": 0, "when": TIME, "progress": "coming", "note": ""}]
)
class TimelineSerializer(serializers.Serializer[Any]):
    """All acts of the timeline, the earliest first."""

    acts = TimelineActSerializer(many=True)


@serializer_example(act="starts", when="2027-01-30T19:00:00Z")
class MovedActSerializer(serializers.Serializer[Any]):
    """A new time for an act; null: it waits for the organiser."""

    act = serializers.ChoiceField(choices=MOVABLE)
    when = serializers.DateTimeField(allow_null=True)


class TimelineView(API):
    """The timeline of a tournament, for its organiser: what has happened, and what will happen automatically."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    @extend_schema(summary="The timeline of a tournament", responses={200: TimelineSerializer, **ERRORS})
    def get(self, request: Request, slug: str) -> Response:
        return _timeline_response(tournament_timeline_of(own_tournament(request, slug)))

    @extend_schema(
        summary="Move an act, or stop it",
        description="Rounds and premieres are moved with `plan/`. Repeating the request changes nothing.",
        request=MovedActSerializer,
        responses={200: TimelineSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        asked = MovedActSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        tournament_timeline_edit(tournament=tournament, **asked.validated_data)
        return _timeline_response(tournament_timeline_of(own_tournament(request, slug)))


def _timeline_response(acts: list[TimelineAct]) -> Response:
    return Response(TimelineSerializer({"acts": acts}).data)


ANNOUNCE, CANCEL = ACTIONS["ceremony-announce"], ACTIONS["ceremony-cancel"]


def _ceremony_api_shown(request: Request, slug: str) -> Any:
    """Return the current data of the tournament's ceremony."""
    return CeremonySerializer(ceremony_shown(shown_ceremony(request, slug))).data


def schedule_api_ceremony_act(act: str) -> Callable[..., Response]:
    """Return the API operation for an action of the ceremony: "start", "advance", "pace" or "accept"."""
    return action_operation(
        ACTIONS[f"ceremony-{act}"],
        CeremonySerializer,
        shown=_ceremony_api_shown,
        operation_id=f"tournaments_ceremony_{act}",
        status_code=status.HTTP_200_OK,
    )


class CeremonyView(Item):
    """The ceremony of a tournament, with the ranks that it has revealed, from the last place up."""

    serializer_class = CeremonySerializer
    permission_classes = (SignedInToWrite,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)
    write_scope = "organise"

    def get_object(self) -> CeremonyShown:
        return ceremony_shown(shown_ceremony(self.request, self.kwargs["slug"]))

    @extend_schema(
        summary=ANNOUNCE.summary,
        description=ANNOUNCE.description,
        request=AnnouncedCeremonySerializer,
        responses={200: CeremonySerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str) -> Response:
        tournament = ANNOUNCE.who(request, slug)
        asked = AnnouncedCeremonySerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        ANNOUNCE.do(request, tournament, **asked.validated_data)
        return Response(_ceremony_api_shown(request, slug))

    @extend_schema(summary=CANCEL.summary, description=CANCEL.description, responses={204: None, **ERRORS})
    def delete(self, request: Request, slug: str) -> Response:
        CANCEL.do(request, CANCEL.who(request, slug))
        return Response(status=status.HTTP_204_NO_CONTENT)
