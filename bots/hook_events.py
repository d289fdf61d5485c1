"""The webhook events of bots: the verdict of a version."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from bots.models import BotVersion, VersionState
from hooks.kinds import kind_register
from hooks.selectors import has_active_hooks
from hooks.services import Event, deliveries_write
from web.email import link_to

VERDICT: Final = "version.verdict"


class VerdictDataSerializer(serializers.Serializer[Any]):
    """A version has passed its check, or has not; `url` tells why."""

    bot = serializers.SlugField()
    version = serializers.IntegerField()
    state = serializers.ChoiceField(choices=[VersionState.ACCEPTED.value, VersionState.REFUSED.value])
    verdict = serializers.CharField(allow_blank=True, help_text="What it did wrong in a word; empty when accepted.")
    url = serializers.CharField(help_text="The version in the API.")
    page = serializers.CharField()


def register() -> None:
    """Offer these kinds to webhooks."""
    kind_register(VERDICT, _("one of my uploads has been checked"), VerdictDataSerializer)


def verdict_tell(*, version_id: int) -> None:
    """Tell the author's webhooks of a verdict, in the transaction that gives it."""
    if not has_active_hooks():
        return
    version = BotVersion.objects.select_related("bot").get(pk=version_id)
    data = {
        "bot": version.bot.slug,
        "version": version.number,
        "state": version.state,
        "verdict": version.report.get("verdict", "") if version.state == VersionState.REFUSED else "",
        "url": link_to("api:version", version.bot.slug, version.number),
        "page": link_to("bots:version", version.bot.slug, version.number),
    }
    deliveries_write(events=[Event(VERDICT, [version.bot.owner_id], data)])
