"""Notices over the API: a person's own, and nobody else's."""

from dataclasses import asdict
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from notices import services
from notices.devices import device_remove, devices_of
from notices.following import Followed, followed_by, followed_of, follows_of
from notices.models import Follow, Notice, PushSubscription
from notices.quiet import Quiet, quiet_hours
from notices.selectors import Channels, channels_of, notices_of, readable
from notices.serializers import (
    ChannelListSerializer,
    DeviceSerializer,
    FollowedSerializer,
    NoticeSerializer,
    QuietHoursSerializer,
)
from web.api_errors import problems
from web.api_view import API, Cursors, JSONBody, Listing

ERRORS: Final = problems(400, 401, 403, 404, 429, 503)


class NoticesView(Listing):
    """My notices, newest first."""

    serializer_class: Any = NoticeSerializer
    permission_classes = (IsAuthenticated,)
    pagination_class = Cursors

    def get_queryset(self) -> QuerySet[Notice]:
        return notices_of(self.request.user)

    def lines(self, page: list[Any]) -> list[Any]:
        return readable(self.request.user, page)


class _Read(API):
    """What is marked as read by a POST without a body."""

    write_scope = "hooks"
    permission_classes = (IsAuthenticated,)
    throttle_scope = "hooks"


class ReadView(_Read):
    """One notice."""

    @extend_schema(summary="Mark a notice as read", request=None, responses={200: NoticeSerializer, **ERRORS})
    def post(self, request: Request, pk: int) -> Response:
        notice = get_object_or_404(notices_of(request.user), pk=pk)
        if not readable(request.user, [notice]):
            raise Http404
        services.notices_read(person=cast(AbstractUser, request.user), notice_id=pk)
        notice.refresh_from_db()
        return Response(NoticeSerializer(notice, context={"request": request}).data)


class ReadAllView(_Read):
    """All notices."""

    @extend_schema(summary="Mark all notices as read", request=None, responses={204: None, **ERRORS})
    def post(self, request: Request) -> Response:
        services.notices_read(person=cast(AbstractUser, request.user))
        return Response(status=204)


class FollowingView(Listing):
    """What I follow, the newest first."""

    serializer_class: Any = FollowedSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Follow]:
        return follows_of(self.request.user)

    def lines(self, page: list[Any]) -> list[Any]:
        return followed_by(self.request.user, page)


class FollowView(_Read):
    """A bot, a team, a tournament, a league or a series."""

    @extend_schema(
        summary="Follow",
        description="The same request twice changes nothing. 409 `limit`: you follow as much as one may.",
        request=None,
        responses={200: FollowedSerializer, **problems(400, 401, 403, 404, 409, 429, 503)},
    )
    def put(self, request: Request, kind: str, slug: str) -> Response:
        followed = self._found(kind, slug)
        services.follow_create(person=request.user, followed=followed)
        return Response(FollowedSerializer(followed, context={"request": request}).data)

    @extend_schema(summary="Unfollow", request=None, responses={204: None, **ERRORS})
    def delete(self, request: Request, kind: str, slug: str) -> Response:
        services.follow_end(person=request.user, followed=self._found(kind, slug))
        return Response(status=204)

    def _found(self, kind: str, slug: str) -> Followed:
        followed = followed_of(self.request.user, kind, slug)
        if followed is None:
            raise Http404
        return followed


class DevicesView(Listing):
    """My devices that show notices, the newest first. A browser is added on the page of the settings."""

    serializer_class: Any = DeviceSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[PushSubscription]:
        return devices_of(self.request.user)


class DeviceView(_Read):
    """A device of mine."""

    @extend_schema(summary="Remove a device", description="It gets nothing more.", responses={204: None, **ERRORS})
    def delete(self, request: Request, pk: int) -> Response:
        if not device_remove(person=request.user, device_id=pk):
            raise Http404
        return Response(status=204)


class ChannelsView(API):
    """How I learn of events: the inbox, e-mails and devices, by kind."""

    write_scope = "hooks"
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "hooks"

    @extend_schema(summary="My channels by kind", responses={200: ChannelListSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        return self._answer(request)

    @extend_schema(
        summary="Change channels",
        description="Kinds that are not named stay as they are, and so do quiet hours.",
        request=ChannelListSerializer,
        responses={200: ChannelListSerializer, **ERRORS},
    )
    def patch(self, request: Request) -> Response:
        sent = ChannelListSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        person, asked = cast(AbstractUser, request.user), sent.validated_data
        stored = {kind.name: channels for kind, channels in channels_of(person)}
        changed = {
            one["kind"]: Channels(one["in_inbox"], one["email"], one.get("push", stored[one["kind"]].push))
            for one in asked.get("channels", ())
        }
        services.channels_set(person=person, channels=changed)
        if "quiet_hours" in asked:
            services.quiet_hours_set(person=person, quiet=Quiet(**hours) if (hours := asked["quiet_hours"]) else None)
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        rows = [
            {"kind": kind.name, "in_inbox": channels.in_inbox, "email": channels.email, "push": channels.push}
            for kind, channels in channels_of(request.user)
        ]
        hours = quiet_hours(request.user)
        shown = QuietHoursSerializer(asdict(hours)).data if hours else None
        return Response({"channels": rows, "quiet_hours": shown})
