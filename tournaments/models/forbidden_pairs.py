"""Who is not to meet whom: two bots, or all of a group."""

from django.db import models
from django.db.models import F, Q

from tournaments.models.entry import Entry
from tournaments.models.tournament import Tournament


class ForbiddenPair(models.Model):
    """Two entries that a round drawn by standings keeps apart; the one with the lower number first."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="forbidden_pairs")
    one = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    other = models.ForeignKey(Entry, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint("one", "other", name="forbidden_pair_once"),
            models.CheckConstraint(condition=Q(one__lt=F("other")), name="forbidden_pair_in_order"),
        ]


class KeptGroup(models.Model):
    """Entries of whom no two are to meet in rounds drawn by standings: those of one author, whom knockouts seed apart,
    or as the organiser says.
    In late rounds points come first, see ``formats.swiss.format.is_late``."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="kept_groups")
    is_of_author = models.BooleanField(default=False)
    entries = models.ManyToManyField(Entry, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.tournament}, group {self.pk}"
