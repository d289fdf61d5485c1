"""The API operation that estimates the workload of a tournament before it is created."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.permissions import organiser_permission_require
from tournaments.settings_api import ERRORS, NewTournamentSerializer, settings_api_form
from tournaments.views.drafts import tournament_draft_view_planned
from tournaments.workload import workload_allowance_of, workload_taken
from web.api_examples import api_example_shown
from web.api_view import API
from web.requests import request_user


@api_example_shown(
    entries=16, rounds=15, matches=120, games=960, usual_hours=0.4, most_hours=2.7, taken_hours=0.0, allowed_hours=200.0
)
class EstimateSerializer(serializers.Serializer[Any]):
    """The workload for the greatest number of bots, in hours of one worker. 0 rounds: too few bots for a table."""

    entries = serializers.IntegerField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    usual_hours = serializers.FloatField(help_text="If games take as long as they usually do.")
    most_hours = serializers.FloatField(help_text="If every bot uses all its limits.")
    taken_hours = serializers.FloatField(help_text="Of my other unfinished tournaments.")
    allowed_hours = serializers.FloatField(
        allow_null=True, help_text="For all my unfinished tournaments; null: no limit."
    )


class EstimateView(API):
    """The estimated workload of a tournament."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Estimate a tournament",
        description="Takes the same data as POST `tournaments/`. Nothing is created.",
        request=NewTournamentSerializer,
        responses={200: EstimateSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        organiser_permission_require(request.user)
        organiser = request_user(request)
        _stages, plan, workload = tournament_draft_view_planned(settings_api_form(request))
        data = {
            "entries": workload.entries,
            "rounds": plan.rounds if plan else 0,
            "matches": plan.matches if plan else 0,
            "games": workload.games,
            "usual_hours": workload.usual,
            "most_hours": workload.most,
            "taken_hours": workload_taken(organiser),
            "allowed_hours": workload_allowance_of(organiser),
        }
        return Response(EstimateSerializer(data).data)
