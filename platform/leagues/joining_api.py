"""Joining leagues and leaving them over the API."""

from functools import cached_property
from typing import Any, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from bots.models import Bot
from bots.serializers import NamedBotSerializer
from contests.actions import ERRORS
from leagues.models import Exclusion, ExclusionAct, ExclusionBy, League, Membership, MembershipState
from leagues.models.league import REASON_MOST
from leagues.services import bot_join, bot_leave
from leagues.views.lookups import league_or_404
from teams.selectors import acts_for
from web.api_errors import Refused
from web.api_examples import TIME, example_shown
from web.api_view import Item, JSONBody, Listing
from web.serializers import example


@example_shown(act="out", by="organiser", reason="It is the third account of one author.", created_at=TIME)
class ExclusionSerializer(serializers.ModelSerializer[Exclusion]):
    """An act of the organiser or of staff."""

    act = serializers.ChoiceField(choices=ExclusionAct.choices)
    by = serializers.ChoiceField(choices=ExclusionBy.choices)

    class Meta:
        model = Exclusion
        fields = ("act", "by", "reason", "created_at")
        read_only_fields = fields


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """A bot in a league; it plays with its current version."""

    bot = NamedBotSerializer()
    state = serializers.ChoiceField(choices=MembershipState.choices)
    exclusions = ExclusionSerializer(
        many=True, help_text="When it was taken out and let in again, the newest first: the last one holds."
    )

    class Meta:
        model = Membership
        fields = ("bot", "state", "exclusions")
        read_only_fields = fields


@example(bot="rooster")
class JoiningSerializer(serializers.Serializer[Any]):
    """Which bot joins."""

    bot = serializers.SlugField(max_length=90, help_text="The slug of a bot of yours.")
    reason = serializers.CharField(
        required=False, max_length=REASON_MOST, help_text="Of the organiser, who lets a bot in again."
    )


class LeavingSerializer(serializers.Serializer[Any]):
    """Why a bot is taken out."""

    reason = serializers.CharField(
        required=False,
        max_length=REASON_MOST,
        help_text="Needed of the organiser, who takes out somebody else's bot. Everybody can read it.",
    )


class MembersView(Listing):
    """The bots of a league in the order in which they joined, those that have left included."""

    write_scope = "upload"
    serializer_class = MemberSerializer
    parser_classes = (JSONBody, FormParser, MultiPartParser)

    @cached_property
    def league(self) -> League:
        return league_or_404(self.request, self.kwargs["slug"])

    def get_queryset(self) -> QuerySet[Membership]:
        return self.league.memberships.select_related("bot__owner").prefetch_related("exclusions").order_by("pk")

    @extend_schema(
        summary="Join",
        description="With one of my bots, or as the organiser a house bot, or one that was taken out and is let in"
        " again. It plays with whatever version is current. Where the league says `enters_cups`, who joins agrees that"
        " its organiser enters the bot in the league's cups, until it leaves.",
        request=JoiningSerializer,
        responses={201: MemberSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        asked = JoiningSerializer(data=request.data)
        league = self.league
        asked.is_valid(raise_exception=True)
        bot = Bot.objects.filter(slug=asked.validated_data["bot"]).first()
        if bot is None:
            raise Refused("unknown_bot", _("There is no bot of this name in addresses."), "bot")
        if not acts_for(request.user, bot.owner_id):
            self.scope_require("organise")
        reason = asked.validated_data.get("reason", "")
        member = bot_join(league=league, bot=bot, by=cast(AbstractUser, request.user), reason=reason)
        location = reverse("api-leagues:member", args=[slug, member.bot.slug])
        data = self.get_serializer(member).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})


class MemberView(Item):
    """A bot in a league."""

    write_scope = "upload"
    serializer_class = MemberSerializer

    def get_object(self) -> Membership:
        league = league_or_404(self.request, self.kwargs["slug"])
        members = league.memberships.select_related("bot__owner", "league").prefetch_related("exclusions")
        return get_object_or_404(members, bot__slug=self.kwargs["bot"])

    @extend_schema(
        summary="Leave",
        description="Takes a bot of mine out, or any as the organiser. Its results stand. The matches that mine was"
        " drawn for are still played. Those of a bot that the organiser takes out are called off, and it stays out,"
        " for the reason given, until it is let in again.",
        parameters=[LeavingSerializer],
        responses={200: MemberSerializer, **ERRORS},
    )
    def delete(self, request: Request, slug: str, bot: str) -> Response:
        membership = self.get_object()
        if not acts_for(request.user, membership.bot.owner_id):
            self.scope_require("organise")
        asked = LeavingSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        reason = asked.validated_data.get("reason", "")
        member = bot_leave(membership=membership, by=cast(AbstractUser, request.user), reason=reason)
        return Response(self.get_serializer(member).data)
