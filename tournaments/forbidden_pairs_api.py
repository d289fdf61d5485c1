"""The API of the pairs and groups of bots that are kept apart."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.urls import reverse
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from bots.serializers import NamedBotSerializer
from tournaments.entering_api import SignedInToWrite
from tournaments.models import ForbiddenPair, KeptGroup
from tournaments.rounds_api import TwoBotsSerializer, round_api_entries
from tournaments.services import forbidden_group_create, forbidden_pair_create
from tournaments.settings_api import ERRORS
from tournaments.views.forbidden_pairs import GROUP_MOST, forbidden_pair_form_entries
from tournaments.views.lookups import own_tournament, tournament_or_404
from web.api_errors import Refused
from web.api_examples import serializer_example
from web.api_view import Listing


class ForbiddenPairSerializer(serializers.ModelSerializer[ForbiddenPair]):
    """Two bots that rounds drawn by standings keep apart."""

    one = NamedBotSerializer(source="one.bot")
    other = NamedBotSerializer(source="other.bot")

    class Meta:
        model = ForbiddenPair
        fields = ("id", "one", "other", "created_at")
        read_only_fields = fields


class ForbiddenPairsView(Listing):
    """The pairs of bots that are kept apart."""

    serializer_class = ForbiddenPairSerializer
    permission_classes = (SignedInToWrite,)

    def get_queryset(self) -> QuerySet[ForbiddenPair]:
        pairs = tournament_or_404(self.request, self.kwargs["slug"]).forbidden_pairs
        return pairs.select_related("one__bot__owner", "other__bot__owner")

    @extend_schema(
        summary="Keep two bots apart",
        description="From the next round drawn by standings on. Repeating the request changes nothing. For the"
        " organiser.",
        request=TwoBotsSerializer,
        responses={201: ForbiddenPairSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        bots = TwoBotsSerializer(data=request.data)
        bots.is_valid(raise_exception=True)
        entered = tournament.entries.filter(is_withdrawn=False).select_related("bot")
        pair = forbidden_pair_create(tournament=tournament, **round_api_entries(entered, bots.validated_data))
        location = reverse("api-tournaments:forbidden-pair", args=[slug, pair.pk])
        data = self.get_serializer(pair).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})


class KeptGroupSerializer(serializers.ModelSerializer[KeptGroup]):
    """Bots that rounds drawn by standings keep apart from each other. In the last third of the rounds, points have
    priority.
    """

    is_of_author = serializers.BooleanField(help_text="They are the bots of one author, which the terms keep apart.")
    bots = serializers.SerializerMethodField()

    class Meta:
        model = KeptGroup
        fields = ("id", "is_of_author", "bots", "created_at")
        read_only_fields = fields

    @extend_schema_field(NamedBotSerializer(many=True))
    def get_bots(self, group: KeptGroup) -> Any:
        return NamedBotSerializer([entry.bot for entry in group.entries.all()], many=True, context=self.context).data


@serializer_example(names=["rooster", "hen", "grace"])
class GroupOfBotsSerializer(serializers.Serializer[Any]):
    """Bots of a tournament, by name or slug. The name of an author stands for all of their bots in the tournament."""

    names = serializers.ListField(child=serializers.CharField(max_length=150), min_length=1, max_length=GROUP_MOST)


class KeptGroupsView(Listing):
    """The groups of bots that are kept apart."""

    serializer_class = KeptGroupSerializer
    permission_classes = (SignedInToWrite,)

    def get_queryset(self) -> QuerySet[KeptGroup]:
        groups = tournament_or_404(self.request, self.kwargs["slug"]).kept_groups
        return groups.prefetch_related("entries__bot__owner")

    @extend_schema(
        summary="Keep a group apart",
        description="From the next round drawn by standings on. Repeating the request changes nothing. For the"
        " organiser.",
        request=GroupOfBotsSerializer,
        responses={201: KeptGroupSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        tournament = own_tournament(request, slug)
        asked = GroupOfBotsSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        try:
            entries = forbidden_pair_form_entries(
                tournament.entries.filter(is_withdrawn=False), asked.validated_data["names"]
            )
        except ValidationError as error:
            raise Refused("unknown_bot", error.messages[0], "names") from None
        group = forbidden_group_create(tournament=tournament, entries=entries)
        location = reverse("api-tournaments:kept-group", args=[slug, group.pk])
        data = self.get_serializer(group).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})
