"""Snapshots of the ladder, one for each refit; graphs draw them."""

from django.db import models
from django.db.models import F, Q

from leagues.models.season import Season, SeasonEntry


class RatingSnapshot(models.Model):
    """The ladder after one fit of all results of a season: those of ``matches`` finished matches."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["season", "number"]
        constraints = [models.UniqueConstraint("season", "number", name="snapshot_number_unique_per_season")]


class Rating(models.Model):
    """An entry on the ladder of a snapshot. ``mean`` and ``se`` are in logits.

    ``place`` orders the ladder; its rank lies between ``rank_low`` and ``rank_high`` in 95 of 100 cases, and entries
    with the same ``rank`` are not separable. Counts are those of the games that the refit knew; ``slowest_ms`` is the
    95th percentile, over its matches, of the slowest action of the match.
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
    score = models.FloatField(default=0)  # summed share of opponents beaten, 0 to games
    forfeits = models.PositiveIntegerField(default=0)  # matches
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
