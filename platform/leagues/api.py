"""API of leagues: leagues, seasons, ladders and matches for everyone who may see them; joining and leaving."""

from collections.abc import Sequence
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
from leagues.models import (
    Exclusion,
    ExclusionAct,
    ExclusionBy,
    League,
    LeagueMatch,
    Membership,
    MembershipState,
    Season,
)
from leagues.models.league import REASON_MOST
from leagues.organising_api import NewLeagueSerializer, league_create_from_request
from leagues.selectors.ladder import LadderRow, ladder_paged
from leagues.selectors.pairs import NearCopy, PairRow, season_near_copy_pairs_of, season_pairs_of
from leagues.selectors.permissions import leagues_listed
from leagues.serializers import (
    LadderQuery,
    LadderSerializer,
    LeagueDetailSerializer,
    LeagueQuery,
    LeagueSerializer,
    NearCopySerializer,
    PairSerializer,
    SeasonSerializer,
)
from leagues.services import league_bot_join, league_bot_leave
from leagues.views.lookups import league_or_404, own_league, season_or_404
from matches.models import Match
from matches.pages.api import MatchesView
from matches.visibility import matches_visible
from teams.selectors import acts_for_owner
from web.api_errors import Refused
from web.api_examples import TIME, api_example_shown, serializer_example
from web.api_view import Item, JSONBody, Listing
from web.page_cache import NOW_SECONDS


class LeaguesView(Listing):
    """The leagues, newest first. Only the organiser sees a draft."""

    strangers_share = NOW_SECONDS
    serializer_class = LeagueSerializer
    query = LeagueQuery

    def get_queryset(self) -> QuerySet[League]:
        return leagues_listed(self.request.user).filter(**self.asked)

    @extend_schema(
        summary="Create a league",
        description="A draft, which nobody else sees until it opens. For organisers.",
        request=NewLeagueSerializer,
        responses={201: LeagueDetailSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        return league_create_from_request(request)


class LeagueView(Item):
    """A league with its settings."""

    serializer_class = LeagueDetailSerializer

    def get_object(self) -> League:
        return league_or_404(self.request, self.kwargs["slug"])


class SeasonsView(Listing):
    """The seasons of a league, newest first."""

    serializer_class = SeasonSerializer

    def get_queryset(self) -> QuerySet[Season]:
        return league_or_404(self.request, self.kwargs["slug"]).seasons.order_by("-number")


class SeasonLadderView(Listing):
    """The ladder of a season, current or final, division by division, in the order of its page.

    The order is by rating. Bots with a provisional rating come below the others, then bots that have not played."""

    serializer_class = LadderSerializer
    query = LadderQuery

    def get_queryset(self) -> Sequence[LadderRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        return ladder_paged(season, **self.asked, by_rating=True)


class SeasonPairsView(Listing):
    """All pairs of bots that met in a season, largest deviation from the expected result first. For the organiser."""

    serializer_class = PairSerializer

    def get_queryset(self) -> Sequence[PairRow]:  # type: ignore[override]  # any sequence, see ``Listing``
        own_league(self.request, self.kwargs["slug"])
        return season_pairs_of(season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])).rows


class NearCopiesView(Listing):
    """Pairs of bots of one author on a ladder whose programs are nearly equal, most similar first. For the
    organiser."""

    serializer_class = NearCopySerializer

    def get_queryset(self) -> Sequence[NearCopy]:  # type: ignore[override]  # any sequence, see ``Listing``
        own_league(self.request, self.kwargs["slug"])
        return season_near_copy_pairs_of(season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"]))


class SeasonMatches(MatchesView):
    """The matches of a season that the reader may see, newest first."""

    strangers_share = 0  # ``season_or_404`` sets the time for which the response may be cached

    def matches(self) -> QuerySet[Match]:
        season = season_or_404(self.request, self.kwargs["slug"], self.kwargs["number"])
        chosen = LeagueMatch.objects.filter(season=season).values("match")  # a join would sort all of the season
        return matches_visible(self.request.user).filter(pk__in=chosen)


@api_example_shown(act="out", by="organiser", reason="It is the third account of one author.", created_at=TIME)
class ExclusionSerializer(serializers.ModelSerializer[Exclusion]):
    """An exclusion or readmission of a bot, by the organiser or by staff."""

    act = serializers.ChoiceField(choices=ExclusionAct.choices)
    by = serializers.ChoiceField(choices=ExclusionBy.choices)

    class Meta:
        model = Exclusion
        fields = ("act", "by", "reason", "created_at")
        read_only_fields = fields


class MemberSerializer(serializers.ModelSerializer[Membership]):
    """The membership of a bot in a league. The bot plays with its current version."""

    bot = NamedBotSerializer()
    state = serializers.ChoiceField(choices=MembershipState.choices)
    exclusions = ExclusionSerializer(
        many=True, help_text="Exclusions and readmissions, newest first. The newest is in force."
    )

    class Meta:
        model = Membership
        fields = ("bot", "state", "exclusions")
        read_only_fields = fields


@serializer_example(bot="rooster")
class JoiningSerializer(serializers.Serializer[Any]):
    """The bot that joins."""

    bot = serializers.SlugField(max_length=90, help_text="The slug of a bot of yours.")
    reason = serializers.CharField(
        required=False, max_length=REASON_MOST, help_text="Why the organiser readmits an excluded bot."
    )


class LeavingSerializer(serializers.Serializer[Any]):
    """The reason for excluding a bot."""

    reason = serializers.CharField(
        required=False,
        max_length=REASON_MOST,
        help_text="Required if the organiser excludes another author's bot. It is public.",
    )


class MembersView(Listing):
    """The bots of a league in the order in which they joined, including bots that have left."""

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
        description="With one of my bots. As the organiser also with a house bot, or with an excluded bot, which is"
        " readmitted. A member always plays with its current version. If the league has `enters_cups`, the organiser"
        " may enter its members in cups of the league; joining agrees to this.",
        request=JoiningSerializer,
        responses={201: MemberSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        asked = JoiningSerializer(data=request.data)
        league = self.league
        asked.is_valid(raise_exception=True)
        bot = Bot.objects.filter(slug=asked.validated_data["bot"]).first()
        if bot is None:
            raise Refused("unknown_bot", _("There is no bot with this slug."), "bot")
        if not acts_for_owner(request.user, bot.owner_id):
            self.scope_require("organise")
        reason = asked.validated_data.get("reason", "")
        member = league_bot_join(league=league, bot=bot, by=cast(AbstractUser, request.user), reason=reason)
        location = reverse("api-leagues:member", args=[slug, member.bot.slug])
        data = self.get_serializer(member).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})


class MemberView(Item):
    """The membership of a bot in a league."""

    write_scope = "upload"
    serializer_class = MemberSerializer

    def get_object(self) -> Membership:
        league = league_or_404(self.request, self.kwargs["slug"])
        members = league.memberships.select_related("bot__owner", "league").prefetch_related("exclusions")
        return get_object_or_404(members, bot__slug=self.kwargs["bot"])

    @extend_schema(
        summary="Leave",
        description="Removes a bot of mine, or as the organiser any bot. Its results stay valid. If I remove my bot,"
        " its queued matches are still played. If the organiser removes it, they are cancelled, and the bot is excluded"
        " for the given reason until it is readmitted.",
        parameters=[LeavingSerializer],
        responses={200: MemberSerializer, **ERRORS},
    )
    def delete(self, request: Request, slug: str, bot: str) -> Response:
        membership = self.get_object()
        if not acts_for_owner(request.user, membership.bot.owner_id):
            self.scope_require("organise")
        asked = LeavingSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        reason = asked.validated_data.get("reason", "")
        member = league_bot_leave(membership=membership, by=cast(AbstractUser, request.user), reason=reason)
        return Response(self.get_serializer(member).data)
