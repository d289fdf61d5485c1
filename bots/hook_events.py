"""The event about the verdict on a version, for webhooks and notices."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from bots.models import BotVersion, VersionState
from bots.verdicts import bot_verdict_explanation
from hooks.kinds import hook_kind_register
from hooks.services import Event
from notices.selectors import has_notice_readers
from notices.services import notice_events_publish
from web.email import email_link_to

VERDICT: Final = "version.verdict"


class VerdictDataSerializer(serializers.Serializer[Any]):
    """A version has passed its check, or has not; `url` tells why."""

    bot = serializers.SlugField()
    name = serializers.CharField(help_text="The name of the bot.")
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[VersionState.ACCEPTED.value, VersionState.REFUSED.value])
    verdict = serializers.CharField(allow_blank=True, help_text="What it did wrong in a word; empty when accepted.")
    url = serializers.CharField(help_text="The version in the API.")
    page = serializers.CharField()


def verdict_event_register() -> None:
    """Register the event kind."""
    hook_kind_register(
        VERDICT, gettext_lazy("one of my uploads has been checked"), VerdictDataSerializer, _verdict_sentence
    )


def verdict_event_publish(*, version_id: int) -> None:
    """Notify the author of a verdict. Call it in the transaction that stores the verdict."""
    if not has_notice_readers(VERDICT):
        return
    version = BotVersion.objects.select_related("bot").get(pk=version_id)
    data = {
        "bot": version.bot.slug,
        "name": version.bot.name,
        "version": version.number,
        "state": version.state,
        "verdict": version.report.get("verdict", "") if version.state == VersionState.REFUSED else "",
        "url": email_link_to("api:version", version.bot.slug, version.number),
        "page": email_link_to("bots:version", version.bot.slug, version.number),
    }
    notice_events_publish(events=[Event(VERDICT, [version.bot.owner_id], data)])


def _verdict_sentence(data: Mapping[str, Any]) -> str:
    if data["state"] == VersionState.ACCEPTED:
        return _("%(name)s, version %(version)d, has passed its check.") % data
    reason = bot_verdict_explanation(data["verdict"]).title
    return _("%(name)s, version %(version)d, was refused. %(reason)s") % {**data, "reason": reason}
