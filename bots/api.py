"""The API of bots, their versions and the verdicts on them. Authors change their own bots with a token."""

from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from bots import selectors, services
from bots.aliases import author_aliases
from bots.deletion import bot_delete, version_delete
from bots.models import Bot, BotVersion
from bots.serializers import (
    BotChangeSerializer,
    BotSerializer,
    NewBotSerializer,
    UploadSerializer,
    VersionLineSerializer,
    VersionSerializer,
)
from bots.uploads import KIB, upload_bytes
from bots.views import bot_source_response
from teams.selectors import team_owners_of, teams_of
from web.api_errors import Refused, api_error_descriptions
from web.api_view import API, Cursors, Item, JSONBody, Listing

ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 409, 413, 429, 503)


class BotsView(Listing):
    """My bots and those of my teams, the newest first."""

    write_scope = "upload"
    serializer_class = BotSerializer
    pagination_class = Cursors
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody, FormParser, MultiPartParser)
    throttle_scope = "upload"

    def get_queryset(self) -> QuerySet[Bot]:
        return selectors.bots_of_user_and_teams(self.request.user)

    @extend_schema(summary="Create a bot", request=NewBotSerializer, responses={201: BotSerializer, **ERRORS})
    def post(self, request: Request) -> Response:
        described = NewBotSerializer(data=request.data, context=self.get_serializer_context())
        described.is_valid(raise_exception=True)
        values = dict(described.validated_data)
        owner = cast(AbstractUser, request.user)
        if slug := values.pop("team", ""):
            team = teams_of(owner).filter(slug=slug).first()
            if team is None:
                raise Refused("unknown_team", _("You are not a member of a team with this slug."), "team")
            owner = team.account
        alias = None
        if slug := values.pop("group", ""):
            alias = next((one for one in author_aliases(owner.pk) if one.group.slug == slug), None)
            if alias is None:
                raise Refused("unknown_group", _("You have no alias in a group with this slug."), "group")
        bot = services.bot_create(owner=owner, alias=alias, **values)
        location = reverse("api:bot", args=[bot.slug])
        data = self.get_serializer(bot).data
        return Response(data, status=status.HTTP_201_CREATED, headers={"Location": location})


class BotView(Item):
    """A bot."""

    write_scope = "upload"
    serializer_class = BotSerializer

    def get_object(self) -> Bot:
        return get_object_or_404(selectors.bots_public(), slug=self.kwargs["slug"])

    @extend_schema(
        summary="Change a bot",
        description="Only the fields that are sent change. `blurb` is the bot's description in one line."
        " `organisers_may_enter` says whether organisers may enter the bot in their tournaments. `notes_shown` says"
        " whether everybody may read its explanations of its moves. `challenged_by` says who may challenge it:"
        " `everyone`, `ask` (everyone, if you accept), `nobody`, or the empty text (everyone while the bot plays in a"
        " league, otherwise nobody). The bot's address does not change.",
        request=BotChangeSerializer,
        responses={200: BotSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(selectors.bots_public(), slug=slug, owner__in=team_owners_of(request.user))
        sent = BotChangeSerializer(bot, data=request.data, partial=True)
        sent.is_valid(raise_exception=True)
        bot = services.bot_update(bot=bot, **sent.validated_data)
        return Response(self.get_serializer(bot).data)

    @extend_schema(
        summary="Delete a bot",
        description="This cannot be undone. The bot leaves the contests in which it takes part. Its results stay,"
        " without its name and the name of its author.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str) -> Response:
        bot_delete(bot=get_object_or_404(Bot, slug=slug, owner__in=team_owners_of(request.user)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class VersionsView(Listing):
    """The versions of a bot, the newest first."""

    write_scope = "upload"
    serializer_class = VersionLineSerializer
    parser_classes = (MultiPartParser,)
    throttle_scope = "upload"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if request.method == "POST":
            self.limits = selectors.bot_upload_limits_of(request.user)
            self.max_body = self.limits.upload + 64 * KIB  # the file, and the rest of the form
        super().initial(request, *args, **kwargs)

    def get_queryset(self) -> QuerySet[BotVersion]:
        bot = get_object_or_404(Bot, slug=self.kwargs["slug"])
        return selectors.bot_versions_of(bot).select_related("bot")

    @extend_schema(
        summary="Upload a version",
        description="The answer is 201 if the file is a new version. The site then checks it; read the verdict at the"
        " address in `Location`. The answer is 200 if an earlier version has the same file. This version is returned"
        " and does not change. If it is accepted but not current, `make-current` makes it current.",
        request={"multipart/form-data": UploadSerializer},
        responses={200: VersionSerializer, 201: VersionSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug, owner__in=team_owners_of(request.user))
        sent = UploadSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        file = sent.validated_data["file"]
        version, is_new = services.version_upload(
            bot=bot,
            filename=file.name,
            data=upload_bytes(file, self.limits),
            by=cast(AbstractUser, request.user),
            **{name: sent.validated_data[name] for name in ("message", "authorship", "model")},
        )
        return _version_response(request, version, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


class VersionView(Item):
    """A version and its verdict.

    Everybody may read the state. Only the bot's author receives `report`, `filename` and `message`; for others they are
    null.
    """

    write_scope = "upload"
    serializer_class = VersionSerializer

    def get_object(self) -> BotVersion:
        versions = BotVersion.objects.select_related("bot__owner")
        return get_object_or_404(versions, bot__slug=self.kwargs["slug"], number=self.kwargs["number"])

    @extend_schema(
        summary="Delete a version",
        description="This cannot be undone. The current version cannot be deleted.",
        responses={204: None, **ERRORS},
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        mine = BotVersion.objects.filter(bot__slug=slug, bot__owner__in=team_owners_of(request.user))
        if not version_delete(version=get_object_or_404(mine, number=number)):
            detail = _("The current version cannot be deleted: make another one current first.")
            raise Refused("is_current", detail, status_code=status.HTTP_409_CONFLICT)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SourceView(API):
    """The file of a version as it was uploaded, for the bot's author.

    The answer is 404 if the site no longer stores the file.
    """

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **api_error_descriptions(401, 403, 404, 503)}
    )
    def get(self, request: Request, slug: str, number: int) -> HttpResponse:
        mine = BotVersion.objects.select_related("package").filter(
            bot__slug=slug, bot__owner__in=team_owners_of(request.user)
        )
        response = bot_source_response(get_object_or_404(mine.filter(kept__gt=0), number=number), slug)
        response["Content-Type"] = "application/octet-stream"
        return response


class MakeCurrentView(API):
    """Make an accepted version the one that new matches use."""

    write_scope = "upload"
    permission_classes = (IsAuthenticated,)
    throttle_scope = "upload"

    @extend_schema(summary="Make a version current", request=None, responses={200: VersionSerializer, **ERRORS})
    def post(self, request: Request, slug: str, number: int) -> Response:
        mine = BotVersion.objects.filter(bot__slug=slug, bot__owner__in=team_owners_of(request.user))
        version = get_object_or_404(mine.select_related("bot__owner"), number=number)
        if not services.version_make_current(version=version):
            detail = _("Only an accepted version can be made current.")
            raise Refused("not_accepted", detail, status_code=status.HTTP_409_CONFLICT)
        version.bot.refresh_from_db()
        return _version_response(request, version, status.HTTP_200_OK)


def _version_response(request: Request, version: BotVersion, status_code: int) -> Response:
    created = status_code == status.HTTP_201_CREATED
    headers = {"Location": reverse("api:version", args=[version.bot.slug, version.number])} if created else {}
    data = VersionSerializer(version, context={"request": request}).data
    return Response(data, status=status_code, headers=headers)
