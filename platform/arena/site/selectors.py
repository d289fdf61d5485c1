"""What the home page and every footer show of the whole site."""

from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count, Min, Q
from django.utils import timezone

from matches.models import Match, MatchState


@dataclass(frozen=True, slots=True)
class SystemStatus:
    """The public line about the machine room. ``workers`` is None while nobody counts them."""

    queued: int
    running: int
    oldest_queued: timedelta | None
    workers: int | None


def system_status() -> SystemStatus:
    """How much is being played and how long the oldest waits, now."""
    waiting = Q(state=MatchState.QUEUED)
    counts = Match.objects.filter(state__in=[MatchState.QUEUED, MatchState.RUNNING]).aggregate(
        queued=Count("pk", filter=waiting),
        running=Count("pk", filter=Q(state=MatchState.RUNNING)),
        oldest=Min("created", filter=waiting),
    )
    oldest = counts["oldest"]
    return SystemStatus(
        queued=counts["queued"],
        running=counts["running"],
        oldest_queued=timezone.now() - oldest if oldest else None,
        workers=None,
    )
