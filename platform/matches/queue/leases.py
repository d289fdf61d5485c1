"""Leases: the right of one worker to play a match for a limited time. Every attempt at a match has a number.

A lease ends by the database's clock. If the worker does not renew it, the lease expires and the match returns to the
queue. The worker may still be playing, but the number of its attempt is then out of date, and its results are rejected.

A match that fails too often is held until somebody looks at it. The limits differ by the kind of failure:

- If a worker reports a fault, the match is the likely cause. It is held after ``PLATFORM_FAULTS_AT_MOST`` faults.
- If a worker disappears, it was most likely killed, restarted or disconnected, which can happen during any match. A
  match is held only after ``WORKERS_LOST_AT_MOST`` such failures, because by then it must be the cause.

If the process of a bot is killed for an unknown reason, the failure is counted for its seat. At the
``BOXES_LOST_AT_MOST``-th time the bot forfeits, and the match is played from its start with the stand-in in that seat.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import reduce
from operator import or_
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Case, F, Q, QuerySet, Value, When
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Greatest

from live import hub_announce
from matches.models import Game, Match, MatchState, Seat, SeatLog, SeatNotes
from matches.queue.dispatch import dispatch_workers_on_commit
from web.database import database_after, database_now, database_persistent

logger = logging.getLogger(__name__)

PLATFORM_FAULTS_AT_MOST: Final = 5
WORKERS_LOST_AT_MOST: Final = 25
BOXES_LOST_AT_MOST: Final = 2
PAUSE_MOST: Final = timedelta(seconds=30)
REASON_MOST: Final = 300
# Updates of a match whose games are deleted: the time that these games took counts as wasted.
WASTED: Final = {"duration_ms": None, "wasted_ms": F("wasted_ms") + Coalesce(F("duration_ms"), 0)}


@dataclass(frozen=True, slots=True)
class Lease:
    """The right of ``worker`` to play match ``match_id`` in this ``attempt``.

    The attempt continues after the ``blocks_stored`` blocks of earlier slices.
    """

    match_id: int
    attempt: int
    worker: str
    blocks_stored: int = 0

    def held(self) -> QuerySet[Match]:
        """Return the match if the lease still stands; otherwise an empty query. For conditional updates."""
        return Match.objects.filter(self.is_current(), pk=self.match_id)

    def is_current(self) -> Q:
        """Return the condition that the match fulfils as long as the lease stands."""
        return Q(attempt=self.attempt, worker=self.worker, blocks_kept=self.blocks_stored, state=MatchState.RUNNING)


@database_persistent
def lease_take(*, match_ids: Sequence[int], worker: str) -> list[Lease]:
    """Take the leases of the matches that are still queued. Return them in the order of ``match_ids``."""
    with transaction.atomic(savepoint=False):  # an error must also roll back the claim
        queued = Match.objects.filter(pk__in=match_ids, state=MatchState.QUEUED)
        rows = queued.select_for_update(skip_locked=True).values_list("pk", "attempt", "blocks_kept")
        leases = {pk: Lease(pk, max(attempt, 1), worker, blocks_stored) for pk, attempt, blocks_stored in rows}
        # Nobody else can change these matches meanwhile, because this transaction has locked their rows.
        Match.objects.filter(pk__in=leases, state=MatchState.QUEUED).update(
            state=MatchState.RUNNING,
            attempt=Greatest(F("attempt"), Value(1)),
            worker=worker,
            lease_expires_at=_lease_end(),
            started_at=Case(When(blocks_kept=0, then=database_now()), default=F("started_at")),
        )
        _announce_later(leases)
    return [leases[pk] for pk in match_ids if pk in leases]


@database_persistent
def leases_beat(leases: Sequence[Lease]) -> frozenset[int]:
    """Renew the leases. Return the ids of the matches whose lease stands. All other attempts are void."""
    held = _held(leases)
    if held.update(lease_expires_at=_lease_end()) == len(leases):
        return frozenset(lease.match_id for lease in leases)
    return frozenset(held.values_list("pk", flat=True))


def leases_lock(leases: Sequence[Lease]) -> frozenset[int]:
    """Lock the matches whose lease stands, until the transaction ends. Return their ids."""
    return frozenset(_held(leases).select_for_update().order_by("pk").values_list("pk", flat=True))


@database_persistent
def leases_release(leases: Sequence[Lease], *, begun: bool = False) -> int:
    """Return matches to the queue without counting a fault. Return the number of leases that still stood.

    With ``begun``, the attempts have already started to play. They become void, and cannot write anything from now on.
    """
    if not leases:
        return 0
    with transaction.atomic():
        _announce_later([lease.match_id for lease in leases])
        return _held(leases).update(
            state=MatchState.QUEUED, lease_expires_at=None, attempt=F("attempt") + (1 if begun else 0)
        )


@database_persistent
def lease_time_pay(*, match_id: int, seconds: float) -> bool:
    """Add the time that a worker spent on a match to its ``wasted_ms``, if the match was cancelled meanwhile.

    So the author of a sparring match is charged for this time. If the match was not cancelled, the lease was lost for
    another reason: return False, and change nothing.
    """
    called_off = Match.objects.filter(pk=match_id, state=MatchState.CANCELLED)
    return bool(called_off.update(wasted_ms=F("wasted_ms") + round(seconds * 1000)))


@database_persistent
def lease_return(
    lease: Lease, reason: str, seat: int | None = None, *, seconds: float = 0.0, of_game: bool = False
) -> bool:
    """Return the match to the queue after a fault of the platform. Return False if the lease was already lost.

    Another attempt begins after a pause. At the ``PLATFORM_FAULTS_AT_MOST``-th fault, the match is held instead, until
    it is released. ``reason`` describes the fault and is stored. ``seconds`` is the time that the worker spent on the
    attempt. ``of_game`` tells whether the code of the game caused the fault.

    If the fault was that the process of a bot was killed, ``seat`` is the seat of the bot. When this happens for the
    ``BOXES_LOST_AT_MOST``-th time, the bot forfeits, and the match is played from its start.
    """
    with transaction.atomic():
        returned = _returned(lease.held(), reason, seconds, lost=False, of_game=of_game)
        if returned and seat is not None:
            _box_lost(lease.match_id, seat)
    return bool(returned)


def _box_lost(match_id: int, index: int) -> None:
    seats = Seat.objects.filter(match=match_id, index=index)
    seats.update(boxes_lost=F("boxes_lost") + 1)
    if not seats.filter(boxes_lost__gte=BOXES_LOST_AT_MOST, has_forfeited=False).update(has_forfeited=True):
        return
    logger.warning("match %d: the bot of seat %d is held", match_id, index)
    # The bot forfeits from the start of the match, so the blocks played so far are dropped.
    leases_games_reset([match_id])
    Match.objects.filter(pk=match_id).update(
        state=MatchState.QUEUED, dispatch_at=database_now(), platform_faults=0, workers_lost=0
    )
    dispatch_workers_on_commit(1)


def leases_games_reset(match_ids: Collection[int]) -> None:
    """Reset matches that nobody is playing, so that they are played from their start. Call it inside a transaction."""
    leases_games_drop(match_ids)
    Seat.objects.filter(match__in=match_ids).update(cpu_ms=None, slowest_ms=None)
    Match.objects.filter(pk__in=match_ids).update(blocks_kept=0, **WASTED)


def leases_games_drop(matches: Collection[int] | QuerySet[Match]) -> None:
    """Delete the games of these matches, and what their bots printed and said. Call it inside a transaction."""
    Game.objects.filter(match__in=matches).delete()
    SeatLog.objects.filter(seat__match__in=matches).delete()
    SeatNotes.objects.filter(seat__match__in=matches).delete()


@database_persistent
def leases_expire() -> int:
    """Requeue the matches whose worker let the lease run out. Return the number of these matches.

    A match that has lost ``WORKERS_LOST_AT_MOST`` workers is held, as in ``lease_return``.
    """
    expired = Match.objects.filter(state=MatchState.RUNNING, lease_expires_at__lt=database_now())
    count = 0
    for match_id, attempt, worker in expired.values_list("pk", "attempt", "worker"):
        still = expired.filter(pk=match_id, attempt=attempt)
        silence = f"the worker {worker} was not heard of for {settings.LEASE_SECONDS} seconds"
        # The worker had the match for at least the duration of the lease.
        count += _returned(still, silence, settings.LEASE_SECONDS, lost=True)
    return count


def _returned(running: QuerySet[Match], reason: str, seconds: float, *, lost: bool, of_game: bool = False) -> int:
    """Move the one match in ``running`` to queued or held. Return the number of matches moved: 0 or 1."""
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
            attempt=match.attempt + 1,
            lease_expires_at=None,
            dispatch_at=database_after(pause),
            platform_faults=faults,
            workers_lost=losses,
            wasted_ms=F("wasted_ms") + round(seconds * 1000),
            last_platform_fault=reason[:REASON_MOST],
            is_games_fault=of_game,
        )
        if moved:
            logger.warning("%s, attempt %d: platform fault %d: %s", match, match.attempt, failures, reason)
            _announce_later([match.pk])
            if not gives_up and not pause:
                dispatch_workers_on_commit(1)
    return moved


def _held(leases: Sequence[Lease]) -> QuerySet[Match]:
    """Return the matches whose leases still stand.

    Leases that differ only in the match share a condition. Usually this is true of all leases of a claim. If each lease
    had a condition, Django would take longer to build the query than the database takes to run it.
    """
    alike: dict[Lease, list[int]] = {}
    for lease in leases:
        alike.setdefault(replace(lease, match_id=0), []).append(lease.match_id)
    conditions = (lease.is_current() & Q(pk__in=match_ids) for lease, match_ids in alike.items())
    return Match.objects.filter(reduce(or_, conditions, Q(pk__in=[])))


def _announce_later(match_ids: Iterable[int]) -> None:
    topics = [f"match.{pk}" for pk in match_ids]
    transaction.on_commit(lambda: hub_announce(*topics))


def _lease_end() -> Combinable:
    return database_after(timedelta(seconds=settings.LEASE_SECONDS))
