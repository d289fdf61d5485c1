"""A match that a league's scheduler chose, and why."""

from django.db import models

from leagues.models.season import Season


class LeagueMatch(models.Model):
    """``number`` counts the season's matches from 1 and, with its secret, gives the match's own. ``reasons``: why these
    bots, as written by ``pairing.Choice``."""

    season = models.ForeignKey(Season, models.CASCADE, related_name="league_matches")
    number = models.PositiveIntegerField()
    match = models.OneToOneField("matches.Match", models.PROTECT, related_name="league_match")
    reasons = models.JSONField()

    class Meta:
        verbose_name_plural = "league matches"
        ordering = ["number"]
        constraints = [models.UniqueConstraint("season", "number", name="one_league_match_per_number")]
