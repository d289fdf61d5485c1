"""Who plays a match, and for how long: a worker's lease, with a number for every attempt.

A lease ends by the database's clock. One that is not renewed expires, and the match goes back into the queue. The
attempt that lost it may still be playing: its number is stale, and nothing it writes is taken.

A match that cannot be played is not tried for ever. A fault that a worker lives to tell of speaks against the match: a
few of them, and it is held for someone to look at. A worker that is never heard of again was most likely killed,
restarted or cut off, which hits whatever is being played: a match is held for that only when it has met it so often
that it must be doing it.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.expressions import Combinable

from bots.clock import database_after, database_now
from matches.dispatch import PLAY_TASK, send_on_commit
from matches.live import announce
from matches.models import Match, MatchState
from matches.persistence import persistent

logger = logging.getLogger(__name__)

PLATFORM_FAULTS_AT_MOST: Final = 5
WORKERS_LOST_AT_MOST: Final = 25
PAUSE_MOST: Final = timedelta(seconds=30)
REASON_KEPT: Final = 300


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to play and decide match ``match_id``, as long as it is running in this attempt by this worker."""

    match_id: int
    attempt: int
    worker: str

    def held(self) -> QuerySet[Match]:
        """The match, if the lease still stands; nothing otherwise. For conditional updates."""
        return Match.objects.filter(
            pk=self.match_id, attempt=self.attempt, worker=self.worker, state=MatchState.RUNNING
        )


@persistent
def lease_take(match_id: int, worker: str) -> Lease | None:
    """The lease of a match that is queued, or whose last lease has expired; None if there is nothing to play."""
    with transaction.atomic():
        leases_expire(only=match_id)
        taken = Match.objects.filter(pk=match_id, state=MatchState.QUEUED).update(
            state=MatchState.RUNNING,
            attempt=F("attempt") + 1,
            worker=worker,
            lease_until=_lease_end(),
            started=database_now(),
        )
        if not taken:
            return None
        # Nobody else can have changed it: this transaction holds the row.
        attempt = Match.objects.values_list("attempt", flat=True).get(pk=match_id)
        transaction.on_commit(lambda: announce(f"match.{match_id}"))
    return Lease(match_id, attempt, worker)


@persistent
def lease_beat(lease: Lease) -> bool:
    """Renews the lease; False if it is lost and the attempt is void."""
    return bool(lease.held().update(lease_until=_lease_end()))


@persistent
def lease_return(lease: Lease, reason: str) -> bool:
    """Gives the match back after a fault of the platform, to be played again after a pause; False if it was lost.

    At the ``PLATFORM_FAULTS_AT_MOST``th it is held instead, the reason kept, until it is released.
    """
    return bool(_returned(lease.held(), reason, lost=False))


@persistent
def leases_expire(*, only: int | None = None) -> int:
    """Returns the matches (or the one with id ``only``) whose worker let the lease run out; the number of matches.

    One that has lost ``WORKERS_LOST_AT_MOST`` workers is held, as in ``lease_return``.
    """
    expired = Match.objects.filter(state=MatchState.RUNNING, lease_until__lt=database_now())
    if only is not None:
        expired = expired.filter(pk=only)
    count = 0
    for match_id, attempt, worker in expired.values_list("pk", "attempt", "worker"):
        still = expired.filter(pk=match_id, attempt=attempt)
        silence = f"the worker {worker} was not heard of for {settings.LEASE_SECONDS} seconds"
        count += _returned(still, silence, lost=True)
    return count


def _returned(running: QuerySet[Match], reason: str, *, lost: bool) -> int:
    """Moves the one match in ``running``, if it is there still, to queued or held; how many were moved: 0 or 1."""
    with transaction.atomic():
        match = running.select_for_update().first()
        if match is None:
            return 0
        faults, losses = match.platform_faults + (not lost), match.workers_lost + lost
        failures = faults + losses
        pause = min(PAUSE_MOST, timedelta(seconds=2**failures)) if failures > 1 else timedelta()
        gives_up = faults >= PLATFORM_FAULTS_AT_MOST or losses >= WORKERS_LOST_AT_MOST
        moved = running.filter(attempt=match.attempt).update(
            state=MatchState.HELD if gives_up else MatchState.QUEUED,
            lease_until=None,
            due=database_after(pause),
            platform_faults=faults,
            workers_lost=losses,
            last_platform_fault=reason[:REASON_KEPT],
        )
        if moved:
            logger.warning("%s, attempt %d: platform fault %d: %s", match, match.attempt, failures, reason)
            transaction.on_commit(lambda: announce(f"match.{match.pk}"))
            if not gives_up:
                send_on_commit(PLAY_TASK, [match.pk], delay=pause)
    return moved


def _lease_end() -> Combinable:
    return database_after(timedelta(seconds=settings.LEASE_SECONDS))
