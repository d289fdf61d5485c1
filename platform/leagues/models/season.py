"""A season: its committed secret, its beginning and its end."""

from datetime import datetime
from hashlib import sha256

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from leagues.models.league import League


class SeasonState(models.TextChoices):
    """running -> finished"""

    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Season(models.Model):
    """``secret`` seeds every match; its SHA-256 is shown from the start on, the secret itself once finished.

    ``scheduled`` and ``refits`` count what has been written: whoever writes the next one counts up from the number it
    had read, so that of two at once only one goes on. ``luck_value``: by which the luck of its games is taken off for
    a second rating, which ranks nobody; it is fixed when the season starts. That rating rests on ``less_luck_matches``.
    """

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField()
    secret = models.BinaryField(max_length=32)
    state = models.CharField(max_length=10, choices=SeasonState.choices, default=SeasonState.RUNNING)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)  # planned; without it the organiser ends the season
    finished_at = models.DateTimeField(null=True, blank=True)
    scheduled = models.PositiveIntegerField(default=0)  # matches, those called off included
    refits = models.PositiveIntegerField(default=0)
    checked_at = models.DateTimeField(null=True, blank=True)  # when the ladder was last fitted from scratch to compare
    is_wrong = models.BooleanField(default=False, db_default=False)  # it was another one then
    luck_value = models.CharField(max_length=40, blank=True, default="", db_default="")  # "pickomino/1-v1"
    less_luck_matches = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["league", "-number"]
        constraints = [
            models.UniqueConstraint("league", "number", name="season_number_unique_per_league"),
            models.UniqueConstraint("league", condition=Q(state="running"), name="one_running_season_per_league"),
            models.CheckConstraint(condition=Q(state__in=SeasonState.values), name="season_state_known"),
            models.CheckConstraint(
                condition=Q(state="finished", finished_at__isnull=False)
                | (~Q(state="finished") & Q(finished_at__isnull=True)),
                name="season_finished_has_a_time",
            ),
            models.CheckConstraint(
                condition=Q(ends_at__isnull=True) | Q(ends_at__gt=F("starts_at")), name="season_ends_later"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"

    @property
    def is_running(self) -> bool:
        return self.state == SeasonState.RUNNING

    @property
    def switching_ends(self) -> datetime | None:
        """When the last tenth begins, in which no bot changes its version; None where no end is planned."""
        return None if self.ends_at is None else self.ends_at - (self.ends_at - self.starts_at) / 10

    @property
    def switches(self) -> bool:
        """Whether another version may take a bot's place."""
        return self.switching_ends is None or timezone.now() < self.switching_ends

    @property
    def commitment(self) -> str:
        """SHA-256 of the secret in hexadecimal: may be shown at any time, while the secret may not."""
        return sha256(bytes(self.secret)).hexdigest()

    @property
    def revealed(self) -> str:
        """The secret in hexadecimal once the season is over; nothing before."""
        return "" if self.is_running else bytes(self.secret).hex()
