"""When a round begins and is shown, decided before it is drawn."""

from typing import Final

from django.db import models
from django.db.models import Q

from matches.models import Broadcast
from tournaments.models.tournament import Tournament

FINAL: Final = 0  # the place of a knockout's final, whatever its number will be


class RoundPlan(models.Model):
    """Of the ``place``th round of the stage of that number: when it begins, if not as the calendar of the tournament
    says; from when on its matches are shown, and at which ``tempo``. Holds until the round begins."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="plans")
    stage = models.PositiveSmallIntegerField()
    place = models.PositiveIntegerField()
    starts_at = models.DateTimeField(null=True, blank=True)
    premieres_at = models.DateTimeField(null=True, blank=True)
    tempo = models.CharField(max_length=10, choices=Broadcast.choices, default=Broadcast.NONE, blank=True)

    class Meta:
        ordering = ["stage", "place"]
        constraints = [
            models.UniqueConstraint("tournament", "stage", "place", name="one_plan_for_each_round"),
            models.CheckConstraint(condition=Q(tempo__in=Broadcast.values), name="round_plan_tempo_known"),
            models.CheckConstraint(
                condition=Q(premieres_at__isnull=True, tempo="") | (Q(premieres_at__isnull=False) & ~Q(tempo="")),
                name="round_plan_premiere_has_a_tempo",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament}, stage {self.stage}, round {self.place or 'final'}"

    @property
    def is_final(self) -> bool:
        return self.place == FINAL
