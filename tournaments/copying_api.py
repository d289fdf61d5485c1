"""Holding a tournament again, over the API."""

from typing import Any, cast

from django.http import HttpRequest
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from contests.actions import ERRORS
from contests.terms_api import require_valid
from tournaments.api import created
from tournaments.copying_form import CopyForm
from tournaments.models import COPY_DAYS_MOST
from tournaments.serializers import TournamentDetailSerializer
from tournaments.services import tournament_copy
from tournaments.views.lookups import own_tournament
from web.api_view import API, JSONBody
from web.serializers import example


@example(name="Harvest Cup 2", days=7)
class CopySerializer(serializers.Serializer[Any]):
    """The name of the copy, and how much later it is."""

    name = serializers.CharField(max_length=80)
    days = serializers.IntegerField(min_value=1, max_value=COPY_DAYS_MOST)


class CopyView(API):
    """A draft like the tournament, some days later."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Hold a tournament again",
        description="A draft with its settings, arbiters and series; all times are so many days later, at the same"
        " hours of its time zone. While the draft is there, the same request returns it. For its organiser.",
        request=CopySerializer,
        responses={201: TournamentDetailSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(cast(HttpRequest, request), slug)
        sent = CopySerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        form = CopyForm(sent.validated_data, tournament=tournament)
        require_valid(form)
        return created(request, tournament_copy(tournament=tournament, **form.cleaned_data).slug)
