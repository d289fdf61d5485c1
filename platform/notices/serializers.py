"""Notices and channels as JSON."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from notices.following import Followed
from notices.models import EmailRate, Notice, PushSubscription
from notices.selectors import line_of, notice_kinds
from web.api_examples import SITE, TIME, example_shown
from web.serializers import address, example
from web.zones import zone_names


@example_shown(
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
    page = serializers.SerializerMethodField(help_text="The page that it is about; marks it as read.")

    class Meta:
        model = Notice
        fields = ("id", "kind", "text", "data", "created_at", "read_at", "page")
        read_only_fields = fields

    def get_text(self, notice: Notice) -> str:
        return line_of(notice).text

    def get_page(self, notice: Notice) -> str:
        return address(self, "notices:follow", notice.pk)


@example_shown(
    kind="tournament", slug="barnyard-swiss", name="Barnyard Swiss", page=f"{SITE}/tournaments/barnyard-swiss/"
)
class FollowedSerializer(serializers.Serializer[Any]):
    """What I follow."""

    kind = serializers.CharField(source="kind.name", help_text="`bot`, `team`, `tournament`, `league` or `series`.")
    slug = serializers.CharField()
    name = serializers.CharField()
    page = serializers.SerializerMethodField()

    def get_page(self, followed: Followed) -> str:
        return address(self, followed.kind.page, followed.slug)


@example_shown(browser="Firefox, Android", created_at=TIME)
class DeviceSerializer(serializers.ModelSerializer[PushSubscription]):
    """A browser that shows my notices while no page of the site is open."""

    browser = serializers.CharField(read_only=True, help_text="Its name and system; empty if they are not known.")

    class Meta:
        model = PushSubscription
        fields = ("id", "browser", "created_at")
        read_only_fields = fields


class ChannelsSerializer(serializers.Serializer[Any]):
    """How I learn of a kind of event."""

    kind = serializers.CharField(max_length=40)
    in_inbox = serializers.BooleanField()
    email = serializers.ChoiceField(choices=EmailRate.choices, help_text="When an e-mail is sent.")
    push = serializers.BooleanField(
        required=False, help_text="Whether it is sent to my devices; stays as it is where it is not sent."
    )

    def validate_kind(self, kind: str) -> str:
        known = [one.name for one in notice_kinds()]
        if kind not in known:
            detail = _("%(value)s is none of the choices: %(choices)s.")
            raise serializers.ValidationError(detail % {"value": kind[:40], "choices": ", ".join(known)})
        return kind


class QuietHoursSerializer(serializers.Serializer[Any]):
    """When I get no e-mails about notices and none on devices; those that are due are sent at the end."""

    start = serializers.TimeField(help_text="Local time.")
    end = serializers.TimeField(help_text="Local time; of the next day where it is before the start.")
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


@example(
    channels=[{"kind": "tournament.round", "in_inbox": True, "email": "daily", "push": False}],
    quiet_hours={"start": "22:00:00", "end": "07:00:00", "time_zone": "Europe/Zurich"},
)
class ChannelListSerializer(serializers.Serializer[Any]):
    """My channels by kind, and quiet hours; a PATCH changes what it names."""

    channels = ChannelsSerializer(many=True, allow_empty=False, required=False)
    quiet_hours = QuietHoursSerializer(allow_null=True, required=False, help_text="Null for none.")

    def validate_channels(self, channels: list[dict[str, Any]]) -> list[dict[str, Any]]:
        if len({one["kind"] for one in channels}) < len(channels):
            raise serializers.ValidationError(_("A kind is there twice."))
        return channels
