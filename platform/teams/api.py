"""Teams over the API: the user's teams, their members, links and captains."""

from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from teams import services
from teams.errors import NotTheCaptain, NoWayIntoTeam
from teams.models import NAME_MOST, Team, TeamInvitation, TeamMember
from teams.selectors import may_lead_team, team_links, teams_of
from teams.services import DAYS_MOST, USES_MOST
from web.api_errors import Refused, api_error_descriptions
from web.api_examples import SITE, TIME, api_example_shown, serializer_example
from web.api_view import API, Item, JSONBody, Listing
from web.invitations import GUESSES, invitation_token_digests
from web.serializers import serializer_address

LINK: Final = f"{SITE}/teams/join/cCg7BLkq/"


@api_example_shown(username="ada", is_captain=True, joined_at=TIME)
class TeamMemberSerializer(serializers.ModelSerializer[TeamMember]):
    """A member of a team."""

    username = serializers.CharField(source="person.username", read_only=True)

    class Meta:
        model = TeamMember
        fields = ("username", "is_captain", "joined_at")
        read_only_fields = fields


@serializer_example(name="The Hens")
@api_example_shown(slug="the-hens", created_at=TIME, page=f"{SITE}/teams/the-hens/")
class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team. Its name is the `author` of its bots."""

    name = serializers.CharField(max_length=NAME_MOST)
    members = TeamMemberSerializer(many=True, read_only=True, help_text="The captain first.")
    page = serializers.SerializerMethodField(help_text="Its page.")

    class Meta:
        model = Team
        fields = ("slug", "name", "members", "created_at", "page")
        read_only_fields = ("slug", "created_at")

    def get_page(self, team: Team) -> str:
        return serializer_address(self, "teams:detail", team.slug)


@serializer_example(uses=3, days=7)
class TeamLinkMakingSerializer(serializers.Serializer[Any]):
    """A new link that lets people join a team."""

    uses = serializers.IntegerField(min_value=1, max_value=USES_MOST, default=3)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, default=7)


@api_example_shown(id=1, uses=3, uses_left=3, expires_at=TIME)
class TeamLinkSerializer(serializers.ModelSerializer[TeamInvitation]):
    """A link that lets people join a team, without its token."""

    uses = serializers.IntegerField(source="uses_most", read_only=True)

    class Meta:
        model = TeamInvitation
        fields: tuple[str, ...] = ("id", "uses", "uses_left", "expires_at")
        read_only_fields = fields


@api_example_shown(id=1, uses=3, uses_left=3, expires_at=TIME, link=LINK)
class MadeTeamLinkSerializer(TeamLinkSerializer):
    """A new link with its token, which is shown only this once."""

    link = serializers.SerializerMethodField()

    class Meta(TeamLinkSerializer.Meta):
        fields = (*TeamLinkSerializer.Meta.fields, "link")
        read_only_fields = fields

    def get_link(self, made: TeamInvitation) -> str:
        return serializer_address(self, "teams:follow", self.context["token"])


@serializer_example(link=LINK)
class TeamJoinSerializer(serializers.Serializer[Any]):
    """The link from the captain, or its token."""

    link = serializers.CharField(max_length=300)


ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 429, 503)
NO_STORE: Final = {"Cache-Control": "no-store"}  # a response with a token must not be stored


def _by(request: Request) -> AbstractUser:
    return cast(AbstractUser, request.user)


def _with_members(teams: QuerySet[Team]) -> QuerySet[Team]:
    people = TeamMember.objects.select_related("person").order_by("-is_captain", "joined_at", "pk")
    return teams.select_related("account").prefetch_related(Prefetch("members", people))


def _team(slug: str) -> Team:
    return get_object_or_404(_with_members(Team.objects.all()), slug=slug)


class TeamsView(Listing):
    """My teams."""

    write_scope = "upload"
    serializer_class: Any = TeamSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[Team]:
        return _with_members(teams_of(self.request.user))

    @extend_schema(
        summary="Create a team",
        description="I become its captain. 409 `limit`: I have reached the limit of teams.",
        request=TeamSerializer,
        responses={201: TeamSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = self.get_serializer(data=request.data)
        sent.is_valid(raise_exception=True)
        team = services.team_create(by=_by(request), **sent.validated_data)
        headers = {"Location": reverse("api-teams:team", args=[team.slug])}
        return Response(self.get_serializer(_team(team.slug)).data, status=status.HTTP_201_CREATED, headers=headers)


class TeamView(Item):
    """A team and its members, which are public."""

    serializer_class: Any = TeamSerializer

    def get_object(self) -> Team:
        return _team(self.kwargs["slug"])


class TeamJoinView(API):
    """Join a team."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    @extend_schema(
        summary="Join a team",
        description="409 `invitation`: the link does not work. 409 `limit`: I have reached the limit of teams.",
        request=TeamJoinSerializer,
        responses={200: TeamSerializer, **ERRORS},
    )
    def post(self, request: Request) -> Response:
        sent = TeamJoinSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        asker = cast(HttpRequest, request)
        if not GUESSES.may_try(asker):
            detail = _("Too many attempts. Wait ten minutes, then try again.")
            wait = GUESSES.seconds_left(asker)
            raise Refused("throttled", detail, "link", status.HTTP_429_TOO_MANY_REQUESTS, wait)
        try:
            member = services.team_member_join(
                person=_by(request), digests=invitation_token_digests(sent.validated_data["link"])
            )
        except NoWayIntoTeam:
            GUESSES.count(asker)
            raise
        return Response(TeamSerializer(_team(member.team.slug), context={"request": request}).data)


class TeamLeaveView(API):
    """Leave a team."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Leave a team",
        description="The captain is succeeded by the active member who joined first. When the last member leaves, the"
        " team is dissolved and its bots are deleted.",
        request=None,
        responses={204: None, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        if not services.team_member_leave(team=_team(slug), person=_by(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


class TeamLinksView(Listing):
    """The valid links that let people join a team, for its captain."""

    write_scope = "upload"
    serializer_class: Any = TeamLinkSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)

    def get_queryset(self) -> QuerySet[TeamInvitation]:
        team = _team(self.kwargs["slug"])
        if not may_lead_team(self.request.user, team):
            raise NotTheCaptain
        return team_links(team)

    @extend_schema(
        summary="Create an invitation link of a team",
        description="For the captain. The response has the link, which is shown only once.",
        request=TeamLinkMakingSerializer,
        responses={201: MadeTeamLinkSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        team = _team(slug)
        if not may_lead_team(request.user, team):
            raise NotTheCaptain
        sent = TeamLinkMakingSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        made, token = services.team_link_create(team=team, by=_by(request), **sent.validated_data)
        data = MadeTeamLinkSerializer(made, context={"request": request, "token": token}).data
        return Response(data, status=status.HTTP_201_CREATED, headers=NO_STORE)


class TeamLinkView(API):
    """Revoke a link."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Revoke an invitation link of a team",
        description="For the captain. Members who have joined stay.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, link_id: int) -> Response:
        if not services.team_link_revoke(team=_team(slug), link_id=link_id, by=_by(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


class TeamMemberView(API):
    """Remove a member."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Remove a member of a team",
        description="For the captain.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, username: str) -> Response:
        team = _team(slug)
        person_id = _person(team, username, request)
        if not services.team_member_remove(team=team, person_id=person_id, by=_by(request)):
            raise Http404
        return Response(status=status.HTTP_204_NO_CONTENT)


class TeamCaptainView(API):
    """Make a member captain."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)

    @extend_schema(
        summary="Make a member captain",
        description="For the captain, who stays a member.",
        request=None,
        responses={200: TeamSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str, username: str) -> Response:
        team = _team(slug)
        services.team_captain_set(team=team, person_id=_person(team, username, request), by=_by(request))
        return Response(TeamSerializer(_team(slug), context={"request": request}).data)


def _person(team: Team, username: str, request: Request) -> int:
    if not may_lead_team(request.user, team):
        raise NotTheCaptain
    return get_object_or_404(TeamMember, team=team, person__username=username).person_id
