"""Who takes part: bots as members of a league, and their versions as entries of a season."""

from typing import Final

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from leagues.models.league import League
from leagues.models.season import Season


class MembershipState(models.TextChoices):
    ACTIVE = "active", _("active")
    LEFT = "left", _("left")


class Membership(models.Model):
    """A bot in a league, season after season, until it leaves; it may come back."""

    league = models.ForeignKey(League, models.CASCADE, related_name="memberships")
    bot = models.ForeignKey("bots.Bot", models.PROTECT, related_name="leagues")
    state = models.CharField(max_length=10, choices=MembershipState.choices, default=MembershipState.ACTIVE)
    joined_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["joined_at", "pk"]
        constraints = [
            models.UniqueConstraint("league", "bot", name="bot_joins_a_league_once"),
            models.CheckConstraint(condition=Q(state__in=MembershipState.values), name="membership_state_known"),
        ]


class SeasonEntryState(models.TextChoices):
    """playing -> replaced (another version of the bot plays) -> playing, if its author goes back to it;
    playing -> benched (its faults forfeited too many matches) -> replaced, by any version that was not benched;
    playing | benched -> left (with the bot)."""

    PLAYING = "playing", _("playing")
    BENCHED = "benched", _("benched")
    REPLACED = "replaced", _("replaced")
    LEFT = "left", _("left")


STANDING: Final = (SeasonEntryState.PLAYING, SeasonEntryState.BENCHED)  # on the ladder


class SeasonEntry(models.Model):
    """A version in a season. Before its games its strength, in logits, is believed to be ``prior_mean`` give or take
    ``prior_sd`` (null: as much as the newcomers of the season differ), with a parent counted from the parent's.
    ``less_luck_mean`` and ``less_luck_se``, in logits: its rating by games with their luck taken off, if it has any."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="season_entries")
    membership = models.ForeignKey(Membership, models.PROTECT, related_name="season_entries")
    version = models.ForeignKey("bots.BotVersion", models.PROTECT, related_name="season_entries")
    parent = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="children")
    prior_mean = models.FloatField(default=0)
    prior_sd = models.FloatField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=SeasonEntryState.choices, default=SeasonEntryState.PLAYING)
    benched_at = models.DateTimeField(null=True, blank=True)  # when; kept, so that it does not play again in the season
    joined_at = models.DateTimeField(auto_now_add=True)
    returned_at = models.DateTimeField(null=True, blank=True)  # when it last took the place of another version again
    since = models.PositiveIntegerField(default=0)  # matches of the season up to this number were before that
    less_luck_mean = models.FloatField(null=True, blank=True)
    less_luck_se = models.FloatField(null=True, blank=True)

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
        ]

    @property
    def earlier(self) -> int:
        """By what number a fit knows the version as it was before it came back."""
        return -self.pk

    def known_in(self, number: int) -> int:
        """Return by what number a fit knows the version as it was when it played the season's match ``number``."""
        return self.pk if number > self.since else self.earlier
