"""Hooks, deliveries and messages as JSON."""

import json
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_serializer
from rest_framework import serializers

from hooks.filters import NothingToBeAbout, hook_about_read
from hooks.http_post import BadAddress, hook_url_check
from hooks.kinds import Kind, hook_kinds_offered
from hooks.messages import hook_message_secret_of
from hooks.models import Delivery, DeliveryState, Hook, MessageFormat, PausedBecause
from web.api_examples import SITE, TIME, api_example_shown, serializer_example
from web.serializers import serializer_address

FORMATS: Final = [(one.value, one.value) for one in MessageFormat]


class TestDataSerializer(serializers.Serializer[Any]):
    """A test message, sent from the page of a webhook."""

    hook = serializers.IntegerField(help_text="The number of the webhook.")


class KindsField(serializers.ListField):
    """Kinds of events: at least one, each once."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=serializers.CharField(max_length=40), allow_empty=False, max_length=50, **kwargs)

    def to_internal_value(self, data: Any) -> list[str]:
        chosen: list[str] = super().to_internal_value(data)
        known = dict(hook_kinds_offered())
        if unknown := [name for name in chosen if name not in known]:
            detail, choices = _("%(value)s is not one of the choices: %(choices)s."), ", ".join(known)
            sentences = [detail % {"value": name[:40], "choices": choices} for name in unknown]
            raise serializers.ValidationError(sentences, "invalid_choice")
        return [name for name in known if name in chosen]


@serializer_example(url="https://example.org/pecking", kinds=["version.verdict", "match.finished"])
@api_example_shown(
    format="json", about="", paused_because="", paused_at=None, left_out_at=None, page=f"{SITE}/webhooks/1/"
)
class HookSerializer(serializers.ModelSerializer[Hook]):
    """A webhook of mine: its address, and the kinds of events that it gets."""

    url = serializers.CharField(max_length=500, help_text="An HTTPS URL with a public address.")
    format = serializers.ChoiceField(
        choices=FORMATS,
        required=False,
        help_text="`json` for a program, or the message form of a chat service.",
    )
    about = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=300,
        help_text="`tournament/SLUG`, `league/SLUG`, `series/SLUG` or `group/SLUG`, or the URL of its page: send only"
        " events about it. Empty for all.",
    )
    kinds = KindsField(
        help_text="The kinds of events it gets: version.verdict, match.finished, tournament.started, ..."
    )
    is_paused = serializers.BooleanField(read_only=True)
    paused_because = serializers.ChoiceField(
        choices=[(one.value, one.value) for one in PausedBecause if one.value],
        read_only=True,
        allow_blank=True,
        help_text="Empty while it is active.",
    )
    left_out_at = serializers.DateTimeField(
        read_only=True, allow_null=True, help_text="When an event was last not sent because of the daily limit."
    )
    page = serializers.SerializerMethodField(help_text="Its page.")

    class Meta:
        model = Hook
        fields: tuple[str, ...] = (
            *(
                "id",
                "url",
                "kinds",
                "format",
                "about",
                "is_paused",
                "paused_because",
                "paused_at",
                "left_out_at",
                "created_at",
                "page",
            ),
        )
        read_only_fields = ("paused_at", "created_at")

    def validate_url(self, url: str) -> str:
        """Check the address here too, so that all errors are reported together."""
        try:
            return hook_url_check(url)
        except BadAddress as error:
            raise serializers.ValidationError(str(error), error.code) from error

    def validate_about(self, about: str) -> str:
        """Check the filter here too, so that all errors are reported together."""
        try:
            return hook_about_read(about)
        except NothingToBeAbout as error:
            raise serializers.ValidationError(str(error), error.code) from error

    def get_page(self, hook: Hook) -> str:
        return serializer_address(self, "hooks:detail", hook.pk)


@api_example_shown(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1o6xnC5W3kI=")  # noqa: S106 - nobody's
class HookSecretSerializer(HookSerializer):
    """A webhook with its secret, which is shown only this once."""

    secret = serializers.SerializerMethodField(help_text="`whsec_` and 32 bytes in base64, as Standard Webhooks says.")

    class Meta(HookSerializer.Meta):
        fields = (*HookSerializer.Meta.fields, "secret")

    def get_secret(self, hook: Hook) -> str:
        return hook_message_secret_of(hook.salt)


@api_example_shown(
    message="msg_8d2f6a0c51b94d7f9f3a0b7c62e4d185",
    kind="hook.test",
    state="delivered",
    status_code=204,
    problem="",
    event={"type": "hook.test", "timestamp": TIME, "data": {"hook": 1}},
)
class DeliverySerializer(serializers.ModelSerializer[Delivery]):
    """An event that was sent to a webhook, or waits."""

    message = serializers.CharField(
        source="__str__", read_only=True, help_text="Its `webhook-id`, the same for each attempt."
    )
    state = serializers.ChoiceField(choices=DeliveryState.choices, read_only=True)
    problem = serializers.CharField(
        read_only=True,
        help_text="Why there was no response: address, name, connection, tls, protocol, timeout; or empty.",
    )
    event = serializers.SerializerMethodField(help_text="The message.")

    class Meta:
        model = Delivery
        fields = (
            *("id", "message", "kind", "state", "tries", "status_code", "problem", "created_at", "due_at", "ended_at"),
            "event",
        )
        read_only_fields = fields

    @extend_schema_field(serializers.DictField())
    def get_event(self, delivery: Delivery) -> Any:
        return json.loads(delivery.body)


def hook_message_serializer(kind: Kind) -> type[serializers.Serializer[Any]]:
    """Return the serializer of the whole body of a message of this kind."""
    name = "".join(part.title() for part in kind.name.replace("_", ".").split("."))
    members: dict[str, Any] = {
        "__doc__": f"What is sent of `{kind.name}`.",
        "__module__": __name__,
        "type": serializers.CharField(help_text=f"`{kind.name}`"),
        "timestamp": serializers.DateTimeField(help_text="When it happened."),
        "data": kind.document(),
    }
    made = type(f"{name}MessageSerializer", (serializers.Serializer,), members)
    shown: type[serializers.Serializer[Any]] = extend_schema_serializer(component_name=f"{name}Message")(made)
    return shown
