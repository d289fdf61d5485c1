"""Cups: tournaments of the best bots of a league's ladder, once or every week."""

from datetime import datetime, timedelta
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from leagues.models import Season
from tournaments.models.tournament import Tournament
from web.zones import HALF_DAY, UTC_NAME, zone_minutes_later, zone_of

WEEK: Final = 14 * HALF_DAY
OPENS_BEFORE: Final = timedelta(days=1)  # how long before its start a weekly cup is created


class PassedOver(models.TextChoices):
    """Why a bot of a ladder was not entered in a cup."""

    BENCHED = "benched", _("benched: it forfeits too many matches")
    LEFT = "left", _("no longer in the league")
    NO_VERSION = "no_version", _("no accepted version")
    NOT_AGREED = "not_agreed", _("its author does not let organisers enter it")
    TIED = "tied", _("shares the rank of the last one in, and stands below it")
    REFUSED = "refused", _("left or changed while the cup was made")


class NoCup(models.TextChoices):
    """Why a week has no cup."""

    LATE = "late", _("its time had passed before it could be opened")
    TOO_FEW = "too_few", _("too few bots could be entered")
    REFUSED = "refused", _("the site did not allow it: its organiser was told why")


class WeeklyEnd(models.TextChoices):
    ORGANISER = "organiser", _("ended by the organiser")
    SEASON = "season", _("ended with the season")


class WeeklyCup(models.Model):
    """The plan of a weekly cup of a season's ladder.

    ``week`` is the number of the week of the next cup, from 0. This cup starts at ``next_at``, which is ``week`` weeks
    after ``first_at``, at the same local hour in the time zone.

    A process that creates the cup, or skips the week, increments ``week``. It does so only if ``week`` still has the
    value that the process has read. So of two processes only one succeeds.

    ``made`` is the number of cups so far. ``missed_at`` and ``missed_because`` describe the last week without a cup.
    """

    season = models.ForeignKey(Season, models.PROTECT, related_name="weekly_cups")
    name = models.CharField(_("name"), max_length=70)  # the name of a cup is this and a number
    preset = models.CharField(max_length=20)
    best = models.PositiveSmallIntegerField()
    time_zone = models.CharField(_("time zone"), max_length=40, default=UTC_NAME)
    first_at = models.DateTimeField()
    next_at = models.DateTimeField()
    week = models.PositiveIntegerField(default=0)
    made = models.PositiveIntegerField(default=0)
    missed_at = models.DateTimeField(null=True, blank=True)
    missed_because = models.CharField(max_length=10, choices=NoCup.choices, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended_because = models.CharField(max_length=10, choices=WeeklyEnd.choices, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint("season", condition=Q(ended_at__isnull=True), name="one_weekly_cup_per_season"),
            models.CheckConstraint(condition=Q(best__gte=2), name="weekly_cup_of_two_at_least"),
            models.CheckConstraint(condition=~Q(time_zone=""), name="weekly_cup_has_a_time_zone"),
            models.CheckConstraint(condition=Q(made__lte=F("week")), name="weekly_cup_once_a_week"),
            models.CheckConstraint(
                condition=Q(missed_at__isnull=True, missed_because="")
                | Q(missed_at__isnull=False, missed_because__in=NoCup.values),
                name="weekly_cup_missed_for_a_reason",
            ),
            models.CheckConstraint(
                condition=Q(ended_at__isnull=True, ended_because="")
                | Q(ended_at__isnull=False, ended_because__in=WeeklyEnd.values),
                name="weekly_cup_ended_for_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.season}"

    @property
    def opens_at(self) -> datetime:
        """When the next cup is created and its bots are entered."""
        return self.next_at - OPENS_BEFORE

    def starts_at(self, week: int) -> datetime:
        """Return when the cup of a week starts. All cups start at the same local hour in the time zone."""
        return zone_minutes_later(self.first_at, week * WEEK, zone_of(self.time_zone))


class LadderCup(models.Model):
    """The season whose ``best`` bots were entered in a tournament, in the order of its ladder.

    ``passed_over`` has a list for each bot that was not entered: the bot's primary key, its place on the ladder from 1,
    and a reason of ``PassedOver``. For a weekly cup, ``weekly`` is the plan of the weekly cups, and ``number`` is the
    number of this cup among them, from 1.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ladder_cup")
    season = models.ForeignKey(Season, models.PROTECT, related_name="cups")
    best = models.PositiveSmallIntegerField()
    passed_over = models.JSONField(default=list)
    weekly = models.ForeignKey(WeeklyCup, models.PROTECT, null=True, blank=True, related_name="cups")
    number = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(best__gte=2), name="ladder_cup_of_two_at_least"),
            models.UniqueConstraint("weekly", "number", name="ladder_cup_once_a_week"),
            models.CheckConstraint(
                condition=Q(weekly__isnull=True, number__isnull=True)
                | Q(weekly__isnull=False, number__isnull=False, number__gte=1),
                name="ladder_cup_of_a_week_has_a_number",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, the best {self.best} of {self.season}"
