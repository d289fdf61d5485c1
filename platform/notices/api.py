"""Notices over the API: the user's inbox, channels, devices and follows."""

from dataclasses import asdict
from typing import Any, Final, cast

from django.contrib.auth.models import AbstractUser
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from notices import services
from notices.following import Followed, follow_create, follow_end, followed_by, followed_of, follows_of
from notices.models import EmailRate, Follow, Notice, PushSubscription
from notices.quiet_hours import Quiet, quiet_hours, quiet_hours_set
from notices.selectors import Channels, notice_channels_of, notice_kinds, notice_line_of, notices_of, notices_readable
from notices.web_push import web_push_device_remove, web_push_devices_of
from web.api_errors import api_error_descriptions
from web.api_examples import SITE, TIME, api_example_shown, serializer_example
from web.api_view import API, Cursors, JSONBody, Listing
from web.serializers import serializer_address
from web.zones import zone_names


@api_example_shown(
    kind="tournament.finished",
    text="Barnyard Swiss has finished.",
    created_at=TIME,
    read_at=None,
    data={"tournament": "barnyard-swiss", "state": "finished"},
    page=f"{SITE}/notices/1/",
)
class NoticeSerializer(serializers.ModelSerializer[Notice]):
    """A notice of my inbox."""

    text = serializers.SerializerMethodField(help_text="One sentence, in the language of the request.")
    data = serializers.DictField(  # type: ignore[assignment]  # the name of a field in the API
        read_only=True, help_text="As in the webhook message of this kind."
    )
    page = serializers.SerializerMethodField(
        help_text="The page that it is about. Opening it marks the notice as read."
    )

    class Meta:
        model = Notice
        fields = ("id", "kind", "text", "data", "created_at", "read_at", "page")
        read_only_fields = fields

    def get_text(self, notice: Notice) -> str:
        return notice_line_of(notice).text

    def get_page(self, notice: Notice) -> str:
        return serializer_address(self, "notices:follow", notice.pk)


@api_example_shown(
    kind="tournament", slug="barnyard-swiss", name="Barnyard Swiss", page=f"{SITE}/tournaments/barnyard-swiss/"
)
class FollowedSerializer(serializers.Serializer[Any]):
    """An object that I follow."""

    kind = serializers.CharField(
        source="kind.name", help_text="`bot`, `person`, `team`, `tournament`, `league` or `series`."
    )
    slug = serializers.CharField()
    name = serializers.CharField()
    page = serializers.SerializerMethodField()

    def get_page(self, followed: Followed) -> str:
        return serializer_address(self, followed.kind.page, followed.slug)


@api_example_shown(browser="Firefox, Android", created_at=TIME)
class DeviceSerializer(serializers.ModelSerializer[PushSubscription]):
    """A browser that shows my notices while no page of the site is open."""

    browser = serializers.CharField(read_only=True, help_text="Its name and system; empty if unknown.")

    class Meta:
        model = PushSubscription
        fields = ("id", "browser", "created_at")
        read_only_fields = fields


class ChannelsSerializer(serializers.Serializer[Any]):
    """The channels on which I get a kind of event."""

    kind = serializers.CharField(max_length=40)
    in_inbox = serializers.BooleanField()
    email = serializers.ChoiceField(choices=EmailRate.choices, help_text="When an email is sent.")
    push = serializers.BooleanField(
        required=False, help_text="Whether it is sent to my devices. If missing, it is not changed."
    )

    def validate_kind(self, kind: str) -> str:
        known = [one.name for one in notice_kinds()]
        if kind not in known:
            detail = _("%(value)s is not one of the choices: %(choices)s.")
            raise serializers.ValidationError(detail % {"value": kind[:40], "choices": ", ".join(known)})
        return kind


class QuietHoursSerializer(serializers.Serializer[Any]):
    """The hours without emails and without notices on devices. What is due then is sent at their end."""

    start = serializers.TimeField(help_text="Local time.")
    end = serializers.TimeField(help_text="Local time, on the next day if it is before the start.")
    time_zone = serializers.CharField(max_length=50, help_text="An IANA name.")

    def validate_time_zone(self, name: str) -> str:
        if name not in zone_names():
            raise serializers.ValidationError(_("This time zone is not known."))
        return name

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["start"] == attrs["end"]:
            detail = _("The quiet hours need an end that differs from their beginning.")
            raise serializers.ValidationError({"end": detail})
        return attrs


@serializer_example(
    channels=[{"kind": "tournament.round", "in_inbox": True, "email": "daily", "push": False}],
    quiet_hours={"start": "22:00:00", "end": "07:00:00", "time_zone": "Europe/Zurich"},
)
class ChannelListSerializer(serializers.Serializer[Any]):
    """My channels by kind, and my quiet hours. A PATCH changes only the fields that it contains."""

    channels = ChannelsSerializer(many=True, allow_empty=False, required=False)
    quiet_hours = QuietHoursSerializer(allow_null=True, required=False, help_text="Null for none.")

    def validate_channels(self, channels: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({one["kind"] for one in channels}) < len(channels):
            raise serializers.ValidationError(_("A kind is listed twice."))
        return channels


ERRORS: Final = api_error_descriptions(400, 401, 403, 404, 429, 503)


class NoticesView(Listing):
    """My notices, newest first."""

    serializer_class: Any = NoticeSerializer
    permission_classes = (IsAuthenticated,)
    pagination_class = Cursors

    def get_queryset(self) -> QuerySet[Notice]:
        return notices_of(self.request.user)

    def lines(self, page: list[Any]) -> list[Any]:
        return notices_readable(self.request.user, page)


class _Read(API):
    """The base of operations without a body that mark notices or change follows."""

    write_scope = "hooks"
    permission_classes = (IsAuthenticated,)
    throttle_scope = "hooks"


class ReadView(_Read):
    """Mark one notice as read."""

    @extend_schema(summary="Mark a notice as read", request=None, responses={200: NoticeSerializer, **ERRORS})
    def post(self, request: Request, pk: int) -> Response:
        notice = get_object_or_404(notices_of(request.user), pk=pk)
        if not notices_readable(request.user, [notice]):
            raise Http404
        services.notices_mark_read(person=cast(AbstractUser, request.user), notice_id=pk)
        notice.refresh_from_db()
        return Response(NoticeSerializer(notice, context={"request": request}).data)


class ReadAllView(_Read):
    """Mark all notices as read."""

    @extend_schema(summary="Mark all notices as read", request=None, responses={204: None, **ERRORS})
    def post(self, request: Request) -> Response:
        services.notices_mark_read(person=cast(AbstractUser, request.user))
        return Response(status=204)


class FollowingView(Listing):
    """What I follow, newest first."""

    serializer_class: Any = FollowedSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[Follow]:
        return follows_of(self.request.user)

    def lines(self, page: list[Any]) -> list[Any]:
        return followed_by(self.request.user, page)


class FollowView(_Read):
    """Follow or unfollow a bot, a person, a team, a tournament, a league or a series."""

    @extend_schema(
        summary="Follow",
        description="A repeated request changes nothing. 409 `limit`: you have reached the limit of follows.",
        request=None,
        responses={200: FollowedSerializer, **api_error_descriptions(400, 401, 403, 404, 409, 429, 503)},
    )
    def put(self, request: Request, kind: str, slug: str) -> Response:
        followed = self._found(kind, slug)
        follow_create(person=request.user, followed=followed)
        return Response(FollowedSerializer(followed, context={"request": request}).data)

    @extend_schema(summary="Unfollow", request=None, responses={204: None, **ERRORS})
    def delete(self, request: Request, kind: str, slug: str) -> Response:
        follow_end(person=request.user, followed=self._found(kind, slug))
        return Response(status=204)

    def _found(self, kind: str, slug: str) -> Followed:
        followed = followed_of(self.request.user, kind, slug)
        if followed is None:
            raise Http404
        return followed


class DevicesView(Listing):
    """My devices that show notices, newest first. Browsers are added on the page of the settings."""

    serializer_class: Any = DeviceSerializer
    permission_classes = (IsAuthenticated,)

    def get_queryset(self) -> QuerySet[PushSubscription]:
        return web_push_devices_of(self.request.user)


class DeviceView(_Read):
    """Remove one of my devices."""

    @extend_schema(
        summary="Remove a device", description="Nothing more is sent to it.", responses={204: None, **ERRORS}
    )
    def delete(self, request: Request, pk: int) -> Response:
        if not web_push_device_remove(person=request.user, device_id=pk):
            raise Http404
        return Response(status=204)


class ChannelsView(API):
    """The channels on which I get events (inbox, emails, devices), by kind."""

    write_scope = "hooks"
    permission_classes = (IsAuthenticated,)
    parser_classes = (JSONBody,)
    throttle_scope = "hooks"

    @extend_schema(summary="My channels by kind", responses={200: ChannelListSerializer, **ERRORS})
    def get(self, request: Request) -> Response:
        return self._answer(request)

    @extend_schema(
        summary="Change channels",
        description="Kinds and quiet hours that are missing are not changed.",
        request=ChannelListSerializer,
        responses={200: ChannelListSerializer, **ERRORS},
    )
    def patch(self, request: Request) -> Response:
        sent = ChannelListSerializer(data=request.data)
        sent.is_valid(raise_exception=True)
        person, data = cast(AbstractUser, request.user), sent.validated_data
        stored = {kind.name: channels for kind, channels in notice_channels_of(person)}
        changed = {
            one["kind"]: Channels(one["in_inbox"], one["email"], one.get("push", stored[one["kind"]].push))
            for one in data.get("channels", ())
        }
        services.notice_channels_set(person=person, channels=changed)
        if "quiet_hours" in data:
            quiet_hours_set(person=person, quiet=Quiet(**hours) if (hours := data["quiet_hours"]) else None)
        return self._answer(request)

    def _answer(self, request: Request) -> Response:
        rows = [
            {"kind": kind.name, "in_inbox": channels.in_inbox, "email": channels.email, "push": channels.push}
            for kind, channels in notice_channels_of(request.user)
        ]
        hours = quiet_hours(request.user)
        shown = QuietHoursSerializer(asdict(hours)).data if hours else None
        return Response({"channels": rows, "quiet_hours": shown})
