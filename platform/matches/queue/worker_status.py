"""The status of workers: which are up, how many matches they play at once, and whether their clocks are right."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from games.catalogue import PACKAGES
from games.catalogue.code import game_code
from matches.models import WorkerPresence
from web.database import database_after, database_now, database_persistent

logger = logging.getLogger(__name__)

SEEN_EVERY: Final = timedelta(seconds=5)
SEEN_WITHIN: Final = timedelta(seconds=20)  # a worker that was last seen longer ago counts as gone
MISSED_AFTER: Final = timedelta(seconds=90)  # a longer limit, for decisions that a delayed report must not change
FORGOTTEN_AFTER: Final = timedelta(days=1)
CLOCK_OFF_AT_MOST: Final = timedelta(seconds=3)  # a larger offset makes dates in logs and emails wrong, but not leases
CLOCK_WAVERS: Final = 0.1  # seconds; smaller changes of the offset are not written


@database_persistent
def worker_seen(*, name: str, slots: int = 1) -> timedelta:
    """Record that the worker is up and plays ``slots`` matches at once.

    Return the clock of this machine minus the clock of the database.
    """
    before = timezone.now()
    _write(name, denied="", slots=slots)
    presence = WorkerPresence.objects.only("seen_at", "clock_ahead").get(name=name)
    ahead = before - presence.seen_at
    if abs(ahead.total_seconds() - presence.clock_ahead) > CLOCK_WAVERS:
        WorkerPresence.objects.filter(name=name).update(clock_ahead=ahead.total_seconds())
    if abs(ahead) > CLOCK_OFF_AT_MOST:
        logger.error("the clock of %s is off by %+.0f seconds: set it right", name, ahead.total_seconds())
    return ahead


@database_persistent
def worker_status_denied(*, name: str, missing: Iterable[str]) -> None:
    """Record that the worker refused to run bots. Each sentence in ``missing`` names a missing layer and its fix."""
    _write(name, denied="\n".join(missing), slots=0)


@database_persistent
def worker_gone(*, name: str) -> None:
    """Delete the record of a worker that has stopped as requested."""
    WorkerPresence.objects.filter(name=name, denied="").delete()


def worker_forget(*, name: str) -> bool:
    """Delete a worker that has not reported recently, or that refused to run bots.

    Return False if the worker is up or unknown.
    """
    missing = Q(seen_at__lte=database_after(-SEEN_WITHIN)) | ~Q(denied="")
    return bool(WorkerPresence.objects.filter(missing, name=name).delete()[0])


@database_persistent
def workers_forget() -> None:
    """Delete the workers that have not reported for ``FORGOTTEN_AFTER``."""
    WorkerPresence.objects.filter(seen_at__lt=database_after(-FORGOTTEN_AFTER)).delete()


def worker_status_drain(*, name: str) -> bool:
    """Let a worker finish its current work and take no more. Return False if it is not up, or is already drained."""
    return bool(workers_up().filter(name=name).update(is_drained=True))


def worker_status_resume(*, name: str) -> bool:
    """Let a drained worker take work again. Return False if it is not drained."""
    return bool(WorkerPresence.objects.filter(name=name, is_drained=True).update(is_drained=False))


def worker_is_drained(name: str) -> bool:
    """Return whether the worker is drained: it must take no more work."""
    return WorkerPresence.objects.filter(name=name, is_drained=True).exists()


def workers_up(within: timedelta = SEEN_WITHIN) -> QuerySet[WorkerPresence]:
    """Return the workers that take matches now. They have reported ``within`` this time."""
    return WorkerPresence.objects.filter(denied="", is_drained=False, seen_at__gt=database_after(-within))


def workers_slots_up() -> int:
    """Return how many matches can be played at once now."""
    return workers_up().aggregate(slots=Sum("slots"))["slots"] or 0


def _write(name: str, *, denied: str, slots: int) -> None:
    games = {game: str(game_code(game)) for game in PACKAGES}
    now = {"seen_at": database_now(), "denied": denied, "slots": slots, "games": games}
    if not WorkerPresence.objects.filter(name=name).update(**now):
        WorkerPresence.objects.update_or_create(name=name, defaults=now)
