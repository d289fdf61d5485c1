"""The models of webhooks and deliveries. The rows of deliveries are the outbox and the queue."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from hooks.kinds import hook_kinds_known


class PausedBecause(models.TextChoices):
    """Why a hook is paused."""

    NOT = "", _("active")
    OWNER = "owner", _("you paused it")
    FAILING = "failing", _("a delivery failed six times")
    GONE = "gone", _("its server answered 410: gone")


class MessageFormat(models.TextChoices):
    """The format of messages: JSON for programs, or that of a chat service."""

    JSON = "json", _("JSON, for a program")
    DISCORD = "discord", "Discord"
    SLACK = "slack", "Slack"
    MATTERMOST = "mattermost", "Mattermost"
    TEAMS = "teams", "Microsoft Teams"


class Hook(models.Model):
    """A URL that gets a person's events of ``kinds``. A filter ``about``, such as "tournament/spring-cup", restricts
    them to one tournament, league, series or group.

    The secret is derived from the site's key and ``salt`` (``hooks.messages``), and is not stored. For a day after it
    was replaced, deliveries are also signed with the secret of ``old_salt``.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="hooks")
    url = models.CharField(max_length=500)
    kinds = models.JSONField(default=list)
    format = models.CharField(
        max_length=10, choices=MessageFormat.choices, default=MessageFormat.JSON, db_default=MessageFormat.JSON.value
    )
    about = models.CharField(max_length=120, default="", db_default="", blank=True)
    salt = models.CharField(max_length=43)
    old_salt = models.CharField(max_length=43, blank=True)
    old_salt_until_at = models.DateTimeField(null=True)
    paused_because = models.CharField(
        max_length=10, choices=PausedBecause.choices, default=PausedBecause.NOT, blank=True
    )
    paused_at = models.DateTimeField(null=True)
    left_out_at = models.DateTimeField(null=True)  # when an event was last not sent because of the daily limit
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(paused_because="", paused_at__isnull=True)
                | (~Q(paused_because="") & Q(paused_at__isnull=False)),
                name="hook_paused_has_a_time",
            ),
            models.CheckConstraint(condition=Q(paused_because__in=PausedBecause.values), name="hook_pause_known"),
            models.CheckConstraint(condition=Q(format__in=MessageFormat.values), name="hook_format_known"),
            models.CheckConstraint(
                condition=Q(old_salt="", old_salt_until_at__isnull=True)
                | (~Q(old_salt="") & Q(old_salt_until_at__isnull=False)),
                name="hook_old_secret_ends",
            ),
        ]

    def __str__(self) -> str:
        return self.url

    @property
    def is_paused(self) -> bool:
        return self.paused_because != PausedBecause.NOT

    @property
    def server(self) -> str:
        """The server of the URL; the rest of the URL may be secret."""
        return urlsplit(self.url).netloc


class DeliveryState(models.TextChoices):
    """waiting -> delivered | failed. Both can be sent again: -> waiting."""

    WAITING = "waiting", _("waiting")
    DELIVERED = "delivered", _("delivered")
    FAILED = "failed", _("failed")


class DeliveryProblem(models.TextChoices):
    """Why there was no response."""

    NONE = "", ""
    ADDRESS = "address", _("not a public address")
    NAME = "name", _("no server of that name")
    CONNECTION = "connection", _("no connection")
    TLS = "tls", _("its certificate does not hold")
    PROTOCOL = "protocol", _("no answer by HTTP")
    TIMEOUT = "timeout", _("no answer in time")
    OURS = "ours", _("a fault of this site")


class Delivery(models.Model):
    """An event for a hook, written in the transaction of its cause.

    ``event`` is the id of the message, the same for each attempt; ``body`` is the exact text of the message. The
    sending task claims the delivery until ``claimed_until_at``. ``claims`` counts the claims, and only the last claim
    may record the outcome. ``tries`` counts attempts with a response or a timeout. ``status_code`` or ``problem`` is
    the result of the last attempt.
    """

    hook = models.ForeignKey(Hook, models.CASCADE, related_name="deliveries")
    event = models.UUIDField()
    kind = models.CharField(max_length=40)
    body = models.TextField()
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.WAITING)
    due_at = models.DateTimeField()
    claims = models.PositiveSmallIntegerField(default=0)
    claimed_until_at = models.DateTimeField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    status_code = models.PositiveSmallIntegerField(null=True)
    problem = models.CharField(max_length=20, choices=DeliveryProblem.choices, default=DeliveryProblem.NONE, blank=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "deliveries"
        constraints = [
            models.UniqueConstraint("hook", "event", name="delivery_once_per_event"),
            models.CheckConstraint(condition=Q(state__in=DeliveryState.values), name="delivery_state_known"),
            models.CheckConstraint(
                condition=Q(state="waiting", ended_at__isnull=True)
                | (~Q(state="waiting") & Q(ended_at__isnull=False, claimed_until_at__isnull=True)),
                name="delivery_ended_has_a_time_and_no_claim",
            ),
        ]
        indexes = [models.Index(F("due_at"), name="delivery_waiting_by_time", condition=Q(state="waiting"))]

    def __str__(self) -> str:
        return f"msg_{self.event.hex}"

    @property
    def label(self) -> Any:
        """The label of the kind, or its name if no app registers it any more."""
        known = hook_kinds_known().get(self.kind)
        return known.label if known else self.kind
