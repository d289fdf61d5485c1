"""The API for authors: their bots, uploads and verdicts, with a personal token."""

from collections.abc import Callable
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.generics import ListAPIView
from rest_framework.parsers import FormParser, JSONParser, MultiPartParser
from rest_framework.permissions import SAFE_METHODS, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from bots import selectors, services
from bots.api_errors import ErrorSerializer, Refused, answer_error
from bots.archive import KIB, MAX_UPLOAD, take
from bots.models import Bot, BotVersion
from bots.serializers import BotSerializer, UploadSerializer, VersionSerializer

MAX_BODY: Final = MAX_UPLOAD + 64 * KIB  # the file and the form around it
ERRORS: Final = dict.fromkeys((400, 401, 404, 409, 413, 429), ErrorSerializer)


class AuthorAPI(APIView):
    """Answers errors in our one shape, weighs a body before reading it, and slows down only those who write."""

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return answer_error

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        if int(request.META.get("CONTENT_LENGTH") or 0) > MAX_BODY:
            detail = _("The request is larger than %(limit)d KiB.") % {"limit": MAX_BODY // KIB}
            raise Refused("too_large", detail, "file", status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
        super().initial(request, *args, **kwargs)

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except UnicodeDecodeError as error:  # knox decodes a header of any bytes as UTF-8
            raise AuthenticationFailed(_("Invalid token.")) from error

    def get_throttles(self) -> list[BaseThrottle]:
        return [] if self.request.method in SAFE_METHODS else super().get_throttles()


class Bots(AuthorAPI, ListAPIView[Bot]):
    """My bots, newest first."""

    serializer_class = BotSerializer
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONParser, FormParser, MultiPartParser)
    throttle_scope = "upload"

    def get_queryset(self) -> QuerySet[Bot]:
        return selectors.bots_of(self.request.user)

    @extend_schema(summary="My bots", responses={200: BotSerializer(many=True), **ERRORS})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(summary="Create a bot", request=BotSerializer, responses={201: BotSerializer, **ERRORS})
    def post(self, request: Request) -> Response:
        described = BotSerializer(data=request.data)
        described.is_valid(raise_exception=True)
        bot = services.bot_create(owner=cast(AbstractUser, request.user), **described.validated_data)
        return Response(BotSerializer(bot).data, status=status.HTTP_201_CREATED)


class Versions(AuthorAPI):
    """Versions of one of my bots."""

    permission_classes = (IsAuthenticated,)
    parser_classes = (MultiPartParser,)
    throttle_scope = "upload"

    @extend_schema(
        summary="Upload a version",
        description="201 for a new version, 200 when this very content is a version already. The verdict follows.",
        request={"multipart/form-data": UploadSerializer},
        responses={200: VersionSerializer, 201: VersionSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        bot = get_object_or_404(Bot, slug=slug, owner=request.user.pk)
        sent = UploadSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        file = sent.validated_data["file"]
        version, is_new = services.version_upload(bot=bot, filename=file.name, data=take(file))
        return _answer(request, version, status.HTTP_201_CREATED if is_new else status.HTTP_200_OK)


class Version(AuthorAPI):
    """One version."""

    @extend_schema(
        summary="A version and its verdict",
        description="Anyone may read the state; the report is the owner's.",
        responses={200: VersionSerializer, **ERRORS},
    )
    def get(self, request: Request, slug: str, number: int) -> Response:
        versions = BotVersion.objects.select_related("bot").defer("package")
        return _answer(request, get_object_or_404(versions, bot__slug=slug, number=number), status.HTTP_200_OK)


class MakeCurrent(AuthorAPI):
    """The way back to an earlier version."""

    permission_classes = (IsAuthenticated,)
    throttle_scope = "upload"

    @extend_schema(summary="Make a version current", request=None, responses={200: VersionSerializer, **ERRORS})
    def post(self, request: Request, slug: str, number: int) -> Response:
        mine = BotVersion.objects.filter(bot__slug=slug, bot__owner=request.user.pk)
        version = get_object_or_404(mine.select_related("bot"), number=number)
        if not services.version_make_current(version=version):
            detail = _("Only an accepted version can be made current.")
            raise Refused("not_accepted", detail, status_code=status.HTTP_409_CONFLICT)
        version.bot.refresh_from_db()
        return _answer(request, version, status.HTTP_200_OK)


def _answer(request: Request, version: BotVersion, status_code: int) -> Response:
    return Response(VersionSerializer(version, context={"request": request}).data, status=status_code)
