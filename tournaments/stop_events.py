"""The event that a tournament does not go on by itself, for webhooks and notices of its organiser."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID, uuid5

from django.core.cache import caches
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from hooks.kinds import KindSection, kind_register
from hooks.services import Event
from notices.models import EmailRate
from notices.services import events_publish
from tournaments.hook_events import TournamentDataSerializer
from tournaments.models import Tournament
from web.email import link_to
from web.errors import Refusal

STOPPED: Final = "tournament.stopped"
EVENTS: Final = UUID("0d0f7c3e-6b1b-4d77-9b52-6a0b8a5c2a41")
DAY: Final = 86_400  # seconds


class Stop(models.TextChoices):
    """Why it does not go on. The detail: the reason in words; of ``REVIEW`` the number of the round, of ``HELD``
    nothing."""

    GAME = "game", gettext_lazy("paused: its game cannot be played")
    REFUSED = "refused", gettext_lazy("an automatic step was refused")
    REVIEW = "review", gettext_lazy("a round waits for approval")
    HELD = "held", gettext_lazy("matches are on hold after errors of the platform")


class StoppedDataSerializer(TournamentDataSerializer):
    """A tournament that does not go on by itself, and why."""

    stopped_because = serializers.ChoiceField(choices=Stop.choices)
    detail = serializers.CharField(
        allow_blank=True, help_text="The reason in words; of `review` the number of the round, of `held` empty."
    )


def stop_events_register() -> None:
    """Offer this kind."""
    label = gettext_lazy("a tournament I run has stopped and waits for me")
    kind_register(STOPPED, label, StoppedDataSerializer, _sentence, email=EmailRate.NOW, section=KindSection.ORGANISING)


def stop_notify(tournament: Tournament, why: Stop, detail: str, code: str = "") -> None:
    """Tell the organiser that the tournament does not go on by itself, in the transaction of that; of the same reason
    once a day at most, however often this is called. ``code``: what makes a reason the same, where its words hold
    figures that change; by default the ``detail``."""
    today = timezone.now().date().isoformat()
    data = {
        "tournament": tournament.slug,
        "name": tournament.name,
        "state": tournament.state,
        "stopped_because": why.value,
        "detail": detail,
        "url": link_to("api-tournaments:detail", tournament.slug),
        "page": link_to("tournaments:detail", tournament.slug),
    }
    event_id = uuid5(EVENTS, f"{tournament.pk} {why} {code or detail} {today}")
    events_publish(events=[Event(STOPPED, {tournament.organiser_id}, data, event_id)])


def refusal_notify(tournament: Tournament, error: Refusal) -> None:
    """Tell the organiser that what was due was refused, and is tried again."""
    stop_notify_again(tournament, Stop.REFUSED, str(error), error.code)


def stop_notify_again(tournament: Tournament, why: Stop, detail: str = "", code: str = "") -> None:
    """Do the same for what lasts, with every sweep: the cache only saves repeating it."""
    key = f"tournament-stopped/{tournament.pk}/{why}/{code}"
    if caches["optional"].get(key):
        return
    with transaction.atomic():
        stop_notify(tournament, why, detail, code)
    caches["optional"].set(key, True, DAY)


def _sentence(data: Mapping[str, Any]) -> str:
    if data["stopped_because"] == Stop.GAME:
        return _("%(name)s is paused because of its game: %(detail)s") % data
    if data["stopped_because"] == Stop.REVIEW:
        return _("%(name)s: round %(detail)s waits for your approval.") % data
    if data["stopped_because"] == Stop.HELD:
        return _("%(name)s: matches are on hold after errors of the platform. Replay them to continue.") % data
    return _("%(name)s cannot continue: %(detail)s") % data
