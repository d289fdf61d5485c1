"""The ceremony at which the ranks of a tournament are revealed, from the last place up."""

from datetime import timedelta
from typing import Any, ClassVar, Final

from django.db import models
from django.db.models import Q

from tournaments.models.tournament import Tournament

PACE_MOST: Final = 120  # seconds
PODIUM_PLACES: Final = 3
PODIUM_SLOWER: Final = 2  # how much longer the clock waits before each place of the podium
IDLE_MOST: Final = timedelta(hours=1)  # without a step by hand, after which the results are published


class Ceremony(models.Model):
    """What of a tournament's ranking has been revealed. ``revealed`` holds all that pages show of it, written when a
    rank is revealed: groups of bots that share a rank, the last places first (see ``services.ceremonies``). ``left``:
    how many bots are still to come, None before it starts. ``pace``: seconds from one rank to the next, 0 by hand.
    ``due_at``: when the clock acts by itself: it reveals the next rank, or by hand ends what nobody goes on with.
    """

    tournament = models.OneToOneField(Tournament, models.CASCADE, related_name="ceremony")
    planned_at = models.DateTimeField(null=True, blank=True)
    pace = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True, blank=True)
    left = models.PositiveIntegerField(null=True, blank=True)
    revealed: Any = models.JSONField(default=list, blank=True)
    due_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "ceremonies"
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(pace__lte=PACE_MOST), name="ceremony_pace_bounded"),
            models.CheckConstraint(
                condition=Q(started_at__isnull=True, left__isnull=True, ended_at__isnull=True)
                | Q(started_at__isnull=False, left__isnull=False),
                name="ceremony_started_has_places_left",
            ),
            models.CheckConstraint(
                condition=Q(due_at__isnull=False, started_at__isnull=False, ended_at__isnull=True)
                | (Q(due_at__isnull=True) & (Q(started_at__isnull=True) | Q(ended_at__isnull=False))),
                name="ceremony_is_due_while_it_goes_on",
            ),
        ]

    def __str__(self) -> str:
        return f"ceremony of {self.tournament}"

    @property
    def is_on(self) -> bool:
        """It has started and not ended."""
        return self.started_at is not None and self.ended_at is None
