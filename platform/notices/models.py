"""Notices, channels, quiet hours, devices and follows of a person.

The rows of notices are also the outbox of emails. Messages to devices have their own rows.
"""

from typing import Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class EmailRate(models.TextChoices):
    """When an email about a notice is sent."""

    NEVER = "never", _("never")
    NOW = "now", _("at once")
    DAILY = "daily", _("daily")
    WEEKLY = "weekly", _("weekly")


EVERY_KIND: Final = "*"


class Notice(models.Model):
    """An event of ``kind`` for one person, written in the transaction of its cause.

    ``event`` is the id of the event, the same for all people and in webhooks; the kind defines ``data``. The sentence
    is made when the notice is read, in the reader's language. ``in_inbox`` tells that the notice is listed on the site.

    ``email_at`` is when an email about the notice may be sent; null means never. ``email_batch`` is the id of the email
    that contains the notice; it is set at the first attempt to send that email. ``email_claimed_until`` is the end of a
    task's claim to send the email. ``emailed_at`` is when the mail server accepted the email.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notices")
    event = models.UUIDField()
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict)
    in_inbox = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)
    read_at = models.DateTimeField(null=True, blank=True)
    email_at = models.DateTimeField(null=True, blank=True)
    email_batch = models.UUIDField(null=True, blank=True)
    email_claimed_until = models.DateTimeField(null=True, blank=True)
    emailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("notice")
        verbose_name_plural = _("notices")
        constraints = [
            models.UniqueConstraint("person", "event", name="notice_once_per_event"),
            models.CheckConstraint(
                condition=Q(emailed_at__isnull=True) | Q(email_batch__isnull=False, email_claimed_until__isnull=True),
                name="notice_emailed_in_a_batch",
            ),
            models.CheckConstraint(
                condition=Q(email_batch__isnull=True) | Q(email_at__isnull=False), name="notice_batch_was_due"
            ),
        ]
        indexes = [
            models.Index("person", name="notice_unread", condition=Q(in_inbox=True, read_at__isnull=True)),
            models.Index(
                "email_at", name="notice_email_due", condition=Q(email_at__isnull=False, emailed_at__isnull=True)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.event.hex}"


class NoticeChoice(models.Model):
    """A person's channels for one kind, if they differ from the defaults.

    A row of the kind ``EVERY_KIND`` turns off emails for all kinds without a row, including kinds of later releases.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="notice_choices")
    kind = models.CharField(max_length=40)
    in_inbox = models.BooleanField()
    email = models.CharField(max_length=10, choices=EmailRate.choices)
    push = models.BooleanField(default=False, db_default=False)

    class Meta:
        verbose_name = _("choice of notices")
        verbose_name_plural = _("choices of notices")
        constraints = [
            models.UniqueConstraint("person", "kind", name="notice_choice_once_per_kind"),
            models.CheckConstraint(condition=Q(email__in=EmailRate.values), name="notice_choice_email_known"),
        ]
        indexes = [
            models.Index("kind", name="notice_choice_wanted", condition=Q(in_inbox=True) | ~Q(email="never")),
            models.Index("kind", name="notice_choice_pushed", condition=Q(push=True)),
        ]

    def __str__(self) -> str:
        return self.kind


class QuietHours(models.Model):
    """The hours in which a person gets no emails about notices, and no messages on devices.

    ``start`` and ``end`` are local times of ``time_zone``.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="quiet_hours")
    start = models.TimeField()
    end = models.TimeField()
    time_zone = models.CharField(max_length=50)

    class Meta:
        verbose_name = _("quiet hours")
        verbose_name_plural = _("quiet hours")
        constraints = [models.CheckConstraint(condition=~Q(start=models.F("end")), name="quiet_hours_end")]

    def __str__(self) -> str:
        return f"{self.start:%H:%M} to {self.end:%H:%M}"


class PushSubscription(models.Model):
    """A browser that shows a person's notices (a push subscription, RFC 8030), and its queue: one message at a time.

    ``endpoint`` is a secret URL of the push service. It belongs to one person at a time. ``p256dh`` and ``auth`` are
    the keys with which messages are encrypted for the browser (RFC 8291), as base64url. ``browser`` is a name that is
    shown to the person.

    The sending task claims the row until ``claimed_until_at``; ``claims`` counts the claims, and only the last claim
    may record a result. ``tag`` is the tag of the current message, from the first attempt to send it until the push
    service accepts it. A browser shows a message with the same tag once. ``tries`` counts failed attempts. Nothing is
    sent before ``retry_at``.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions")
    endpoint = models.CharField(max_length=500)
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the endpoint
    p256dh = models.CharField(max_length=87)
    auth = models.CharField(max_length=22)
    browser = models.CharField(max_length=60, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    claims = models.PositiveIntegerField(default=0)
    claimed_until_at = models.DateTimeField(null=True)
    tag = models.UUIDField(null=True)
    tries = models.PositiveSmallIntegerField(default=0)
    retry_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")
        constraints = [
            models.CheckConstraint(
                condition=Q(claimed_until_at__isnull=True) | Q(tag__isnull=False), name="push_claim_has_a_tag"
            ),
            models.CheckConstraint(condition=Q(tries=0) | Q(retry_at__isnull=False), name="push_failure_is_retried"),
        ]

    def __str__(self) -> str:
        return f"{self.browser} {self.pk}"


class PushDelivery(models.Model):
    """A notice for one device, written with the notice. It is deleted if it may no longer be sent.

    ``due_at`` is when the notice may be sent, ``sent_at`` when the push service accepted it.
    """

    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="deliveries")
    notice = models.ForeignKey(Notice, models.CASCADE, related_name="pushes")
    due_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name_plural = "push deliveries"
        constraints = [models.UniqueConstraint("subscription", "notice", name="push_once_per_notice")]
        indexes = [
            models.Index("due_at", name="push_due", condition=Q(sent_at__isnull=True)),
            models.Index("subscription", "sent_at", name="push_sent", condition=Q(sent_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"notice {self.notice_id} to device {self.subscription_id}"


class Follow(models.Model):
    """A person follows ``target``, the primary key of an object of the registered ``kind``; see ``following``.

    The apps of these objects delete the rows together with an object.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    kind = models.CharField(max_length=20)
    target = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("follow")
        verbose_name_plural = _("follows")
        constraints = [models.UniqueConstraint("person", "kind", "target", name="follow_once")]
        indexes = [models.Index("kind", "target", name="follow_of_target")]

    def __str__(self) -> str:
        return f"{self.kind} {self.target}"
