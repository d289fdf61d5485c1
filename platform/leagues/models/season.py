"""A season of a league: its secret, the entered versions, the matches that the scheduler chose, and the ratings."""

from datetime import datetime
from typing import Final

from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from contests.models import Committed
from leagues.models.league import League, Membership
from matches.contest_kinds import ContestKind
from matches.datasets.rows import DatasetLicence


class SeasonState(models.TextChoices):
    """running -> finished"""

    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")


class Season(Committed):
    """A season of a league.

    ``secret`` determines the seeds of every match. Its SHA-256 is public from the start, and the secret itself once the
    season has ended.

    ``scheduled`` is the number of matches that were written, ``refits`` the number of refits. A writer increments the
    number that it has read by a conditional UPDATE, so only one of two concurrent writers succeeds.

    ``luck_value`` is the value function for luck-adjusted ratings. It is fixed when the season starts. These ratings
    are computed from ``less_luck_matches`` matches, and do not affect the order of the ladder.

    ``divisions`` is the number of divisions. They were formed with ``division_size``, see ``leagues.divisions``. At the
    end of the season, ``division_moves`` bots are promoted and relegated at each border.
    """

    league = models.ForeignKey(League, models.PROTECT, related_name="seasons")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=SeasonState.choices, default=SeasonState.RUNNING)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)  # planned end; None: the organiser ends the season
    finished_at = models.DateTimeField(null=True, blank=True)
    scheduled = models.PositiveIntegerField(default=0)  # matches, including cancelled ones
    refits = models.PositiveIntegerField(default=0)
    checked_at = models.DateTimeField(null=True, blank=True)  # when the ladder was last fitted from scratch to compare
    is_wrong = models.BooleanField(default=False, db_default=False)  # whether the fit from scratch differed
    luck_value = models.CharField(max_length=40, blank=True, default="", db_default="")  # "pickomino/1-v1"
    less_luck_matches = models.PositiveIntegerField(default=0, db_default=0)

    divisions = models.PositiveSmallIntegerField(default=1, db_default=1)
    division_size = models.PositiveSmallIntegerField(default=10, db_default=10)
    division_moves = models.PositiveSmallIntegerField(default=2, db_default=2)

    dataset_licence = models.CharField(  # if empty, no data set is offered
        max_length=20, choices=DatasetLicence.choices, default="", db_default="", blank=True, editable=False
    )

    class Meta:
        ordering = ["league", "-number"]
        constraints = [
            models.CheckConstraint(
                condition=Q(dataset_licence__in=["", *DatasetLicence.values]), name="season_dataset_licence_known"
            ),
            models.CheckConstraint(
                condition=Q(dataset_licence="") | Q(state="finished"), name="season_dataset_is_of_one_that_is_over"
            ),
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
            models.CheckConstraint(condition=Q(divisions__gte=1), name="season_has_a_division"),
        ]

    def __str__(self) -> str:
        return f"{self.league} {self.number}"

    @property
    def is_running(self) -> bool:
        return self.state == SeasonState.RUNNING

    @property
    def switching_ends(self) -> datetime | None:
        """When the last tenth of the season begins; None if no end is planned.

        In the last tenth, versions are not switched.
        """
        return None if self.ends_at is None else self.ends_at - (self.ends_at - self.starts_at) / 10

    @property
    def switches(self) -> bool:
        """Whether a bot may still switch to another version."""
        return self.switching_ends is None or timezone.now() < self.switching_ends

    @property
    def revealed(self) -> str:
        """The secret in hexadecimal once the season has ended; "" before."""
        return "" if self.is_running else bytes(self.secret).hex()


class SeasonEntryState(models.TextChoices):
    """Transitions:

    - playing -> replaced (another version of the bot plays) -> playing, if its author switches back;
    - playing -> benched (its faults forfeited too many matches) -> replaced, by any version that was not benched;
    - playing | benched -> left (with the bot).
    """

    PLAYING = "playing", _("playing")
    BENCHED = "benched", _("benched")
    REPLACED = "replaced", _("replaced")
    LEFT = "left", _("left")


STANDING: Final = (SeasonEntryState.PLAYING, SeasonEntryState.BENCHED)  # on the ladder


class SeasonEntry(models.Model):
    """A version of a bot in a season.

    ``prior_mean`` and ``prior_sd`` are the prior of its strength, in logits. If it has a ``parent``, the prior is
    relative to the parent's strength. For a newcomer, ``prior_sd`` is null, and the fit uses the spread of the season's
    newcomers instead. ``less_luck_mean`` and ``less_luck_se`` are its luck-adjusted rating in logits, if it has one.

    ``division`` is the division of the bot during the season. ``division_before`` is its division in the season before;
    if that division no longer exists, it is the lowest one. It is null if that season had no divisions, or if the bot
    was not in it.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="season_entries")
    membership = models.ForeignKey(Membership, models.PROTECT, related_name="season_entries")
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, related_name="season_entries")
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")
    prior_mean = models.FloatField(default=0)
    prior_sd = models.FloatField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=SeasonEntryState.choices, default=SeasonEntryState.PLAYING)
    benched_at = models.DateTimeField(
        null=True, blank=True
    )  # never cleared, so the version does not play again in the season
    joined_at = models.DateTimeField(auto_now_add=True)
    returned_at = models.DateTimeField(null=True, blank=True)  # when its author last switched back to it
    since = models.PositiveIntegerField(default=0)  # number of the last match of the season before ``returned_at``
    less_luck_mean = models.FloatField(null=True, blank=True)
    less_luck_se = models.FloatField(null=True, blank=True)

    division = models.PositiveSmallIntegerField(default=1, db_default=1)
    division_before = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "season entries"
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("season", "version", name="version_contends_once_per_season"),
            models.UniqueConstraint(
                "season",
                "membership",
                condition=Q(state__in=["playing", "benched"]),
                name="one_standing_version_per_bot_and_season",
            ),
            models.CheckConstraint(condition=Q(state__in=SeasonEntryState.values), name="season_entry_state_known"),
            models.CheckConstraint(
                condition=~Q(state="benched") | Q(benched_at__isnull=False), name="season_entry_benched_has_a_time"
            ),
            models.CheckConstraint(condition=Q(prior_sd__gt=0), name="season_entry_prior_has_a_spread"),
            models.CheckConstraint(
                condition=Q(since=0) | Q(returned_at__isnull=False), name="season_entry_since_it_returned"
            ),
            models.CheckConstraint(
                condition=Q(less_luck_mean__isnull=True, less_luck_se__isnull=True)
                | Q(less_luck_mean__isnull=False, less_luck_se__isnull=False, less_luck_se__gte=0),
                name="season_entry_less_luck_has_a_spread",
            ),
            models.CheckConstraint(condition=Q(division__gte=1), name="season_entry_has_a_division"),
        ]

    @property
    def is_promoted(self) -> bool:
        return self.division_before is not None and self.division < self.division_before

    @property
    def is_relegated(self) -> bool:
        return self.division_before is not None and self.division > self.division_before

    @property
    def earlier(self) -> int:
        """The id of the version in a fit, for the matches before its author switched back to it."""
        return -self.pk

    def known_in(self, number: int) -> int:
        """Return the id of the version in a fit, for match ``number`` of the season: ``pk`` or ``earlier``."""
        return self.pk if number > self.since else self.earlier


class LeagueMatch(models.Model):
    """A match of a season. Matches are numbered from 1.

    The secret of a match is derived from the season's secret and its ``number``. ``reasons`` explains the choice of the
    bots, as ``pairing.Choice`` writes it.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="league_matches")
    number = models.PositiveIntegerField()
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="league_match")
    reasons = models.JSONField()

    class Meta:
        verbose_name_plural = "league matches"
        ordering = ["number"]
        constraints = [models.UniqueConstraint("season", "number", name="one_league_match_per_number")]


SEASON: Final = ContestKind("season", finished_task="leagues.match_finished", is_quiet=True)


class RatingSnapshot(models.Model):
    """The ladder after one fit of a season, from the results of ``matches`` finished matches."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint("season", "number", name="snapshot_number_unique_per_season")]


class Rating(models.Model):
    """An entry on the ladder of a snapshot. ``mean`` and ``se`` are in logits.

    ``place`` is the position of the row on the ladder. Entries with the same ``rank`` cannot be distinguished. The rank
    is between ``rank_low`` and ``rank_high`` with 95 % probability. The counts cover the games in the fit.

    For each match of the entry, the time of its slowest action is taken. ``slowest_ms`` is the 95th percentile of these
    times, in milliseconds.
    """

    snapshot = models.ForeignKey(RatingSnapshot, models.CASCADE, related_name="ratings")
    entry = models.ForeignKey(SeasonEntry, models.CASCADE, related_name="ratings")
    mean = models.FloatField()
    se = models.FloatField()
    place = models.PositiveIntegerField()
    rank = models.PositiveIntegerField()
    rank_low = models.PositiveIntegerField()
    rank_high = models.PositiveIntegerField()
    blocks = models.PositiveIntegerField(default=0)
    is_provisional = models.BooleanField()
    matches = models.PositiveIntegerField(default=0)
    games = models.PositiveIntegerField(default=0)
    score = models.FloatField(default=0)  # share of opponents beaten, summed over games; from 0 to ``games``
    forfeits = models.PositiveIntegerField(default=0)  # forfeited matches
    faulty_games = models.PositiveIntegerField(default=0)
    slowest_ms = models.FloatField(null=True, blank=True)

    class Meta:
        ordering = ["snapshot", "place"]
        constraints = [
            models.UniqueConstraint("snapshot", "entry", name="rating_once_per_snapshot_and_entry"),
            models.UniqueConstraint("snapshot", "place", name="place_unique_per_snapshot"),
            models.CheckConstraint(
                condition=Q(rank_low__gte=1, rank_low__lte=F("rank_high")), name="rating_rank_range"
            ),
            models.CheckConstraint(condition=Q(se__gte=0), name="rating_has_a_spread"),
        ]
