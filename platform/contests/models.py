"""Requests to become an organiser, the log of organisers, and secrets with a commitment."""

from hashlib import sha256

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Committed(models.Model):
    """A model with a ``secret``, which is drawn before anything depends on it.

    The SHA-256 of the secret is public from the start. The secret itself becomes public once everything that depends on
    it has ended.
    """

    secret = models.BinaryField(max_length=32)

    class Meta:
        abstract = True

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret in hexadecimal. Unlike the secret, it is always public."""
        return sha256(bytes(self.secret)).hexdigest()


MAX_REASON = 500


class OrganiserRequest(models.Model):
    """A person's request to become an organiser. ``is_granted`` is null until staff decide."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_requests")
    reason = models.TextField(_("reason"), max_length=MAX_REASON)
    created_at = models.DateTimeField(_("asked"), auto_now_add=True)
    is_granted = models.BooleanField(_("granted"), null=True, default=None)
    decided_at = models.DateTimeField(_("decided"), null=True, default=None)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, default=None, related_name="+", verbose_name=_("by")
    )

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("request to become an organiser")
        verbose_name_plural = _("requests to become an organiser")
        constraints = [
            models.UniqueConstraint("person", condition=Q(decided_at__isnull=True), name="person_asks_once_at_a_time"),
            models.CheckConstraint(
                condition=Q(is_granted__isnull=True, decided_at__isnull=True)
                | Q(is_granted__isnull=False, decided_at__isnull=False),
                name="request_decided_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return str(self.person)


class OrganiserAllowance(models.Model):
    """The amount of work that an organiser may have at a time, instead of the default in the settings."""

    person = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_allowance")
    worker_hours = models.PositiveIntegerField(
        _("worker-hours"), help_text=_("Of all unfinished tournaments together.")
    )

    class Meta:
        verbose_name = _("allowance of an organiser")
        verbose_name_plural = _("allowances of organisers")

    def __str__(self) -> str:
        return str(self.person)


class OrganiserChange(models.Model):
    """An entry in the log of organisers: who made whom an organiser, or revoked this, and when.

    Rows are never changed or deleted.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="organiser_changes")
    is_granted = models.BooleanField(_("granted"))
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("by"))
    created_at = models.DateTimeField(_("when"), auto_now_add=True)

    class Meta:
        ordering = ["-created_at", "-pk"]
        verbose_name = _("change of an organiser")
        verbose_name_plural = _("changes of organisers")

    def __str__(self) -> str:
        return str(self.person)
