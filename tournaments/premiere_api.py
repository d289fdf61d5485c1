"""The premiere of a round over the API, for who organises the tournament."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from matches.models import Broadcast
from tournaments.entering_api import ERRORS
from tournaments.models import Round
from tournaments.services import round_premiere_set
from tournaments.views.lookups import own_tournament
from web.api_view import Item, JSONBody, OneOf
from web.serializers import example


class PremiereSerializer(serializers.Serializer[Any]):
    """When the matches of a round are shown to everyone, and at which tempo; null and empty without a premiere."""

    premieres_at = serializers.DateTimeField(allow_null=True)
    tempo = OneOf(choices=Broadcast.choices, allow_blank=True, help_text="A round that has begun keeps its own.")


@example(premieres_at="2027-01-30T19:00:00Z", tempo="story")
class AnnouncedSerializer(PremiereSerializer):
    """What is asked for."""

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
        description="Its matches are played when the round begins and shown from then on, all tables at once. The"
        " same request twice changes nothing.",
        request=AnnouncedSerializer,
        responses={200: PremiereSerializer, **ERRORS},
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        played = self.get_object()
        asked = AnnouncedSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        round_premiere_set(played=played, **asked.validated_data)
        return Response(PremiereSerializer(played).data)

    @extend_schema(
        summary="Call the premiere of a round off",
        description="What has been played already is shown at once.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        round_premiere_set(played=self.get_object(), premieres_at=None)
        return Response(status=status.HTTP_204_NO_CONTENT)
