"""The event that a webhook was paused because its deliveries failed, for its owner.

Notices are in a higher room, which registers the function that publishes events (decision 10).
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit
from uuid import UUID, uuid5

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import KindSection, hook_kind_register
from hooks.models import Hook, PausedBecause
from hooks.services import Event
from web.email import email_link_to

HOOK_PAUSED: Final = "hook.paused"
EVENTS: Final = UUID("0b6f0f0e-51c8-4f0e-8a35-6f4c2f5b7d19")

Publish: TypeAlias = Callable[..., int]
_PUBLISH: Final[list[Publish]] = []


class HookPausedDataSerializer(serializers.Serializer[Any]):
    """A webhook is paused; `url` is the webhook in the API."""

    hook = serializers.IntegerField(help_text="The number of the webhook.")
    host = serializers.CharField(help_text="The server of its address; the rest may be secret.")
    url = serializers.CharField()
    page = serializers.CharField()


def hook_paused_event_register() -> None:
    """Register the event kind."""
    label = gettext_lazy("a webhook of mine is paused because it fails")
    hook_kind_register(
        HOOK_PAUSED, label, HookPausedDataSerializer, _sentence, email="now", section=KindSection.ORGANISING
    )


def hook_paused_publish_register(publish: Publish) -> None:
    """Register the function ``publish``, which publishes events in the transaction of their cause."""
    if publish not in _PUBLISH:
        _PUBLISH.append(publish)


def hook_paused_event_publish(hook: Hook) -> None:
    """Notify the owner of a hook that was paused because its deliveries failed. Call it in the transaction that pauses
    the hook. Each pause is notified once.
    """
    if hook.paused_because not in (PausedBecause.FAILING, PausedBecause.GONE):
        return
    data = {
        "hook": hook.pk,
        "host": urlsplit(hook.url).hostname or "",
        "url": email_link_to("api-hooks:hook", hook.pk),
        "page": email_link_to("hooks:detail", hook.pk),
    }
    event = Event(HOOK_PAUSED, {hook.owner_id}, data, uuid5(EVENTS, f"{hook.pk} {hook.paused_at}"))
    for publish in _PUBLISH:
        publish(events=[event])


def _sentence(data: Mapping[str, Any]) -> str:
    return _("Your webhook to %(host)s does not accept deliveries and is paused. Resume it when it works again.") % data
