"""All that a site on one machine does beside playing and answering, in one process: a worker whose queues have threads
of their own, so that what fills one of them keeps no other waiting, and whose clock is a thread too.

Why not a process for each: docs/decisions/0026-light-at-home.md.
"""

import logging
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias

from celery import bootsteps
from celery.beat import EmbeddedService, PersistentScheduler
from celery.concurrency.base import BasePool, apply_target
from celery.utils.time import maybe_iso8601, maybe_make_aware
from django.conf import settings
from django.db import DatabaseError, close_old_connections
from django.db.models import Q
from django.utils import timezone

from matches.models import Match, MatchState
from web.visits import is_visited

logger = logging.getLogger(__name__)

# Threads of each queue: while one round takes long to draw, another thread keeps the books of the rest.
LANES: Final[Mapping[str, int]] = {"housekeeping": 1, "books": 2, "checks": 1, "hooks": 1}
PREFETCHED: Final = 200  # messages for each thread: those of one queue must leave room for another's
RESTS_FOR: Final = 30.0  # seconds between two rounds of sweeps while the site rests
LOOKS_EVERY: Final = 2.0  # seconds between two looks whether it still does
PLAYED: Final = Q(state__in=(MatchState.QUEUED, MatchState.RUNNING))
SWITCH_SECONDS: Final = 0.001  # until a thread that computes lets another one on: those that answer bots wait often

Outcome: TypeAlias = tuple[int, object, float]  # whether it failed, what it returned, its seconds


class LanePool(BasePool):
    """Work on the messages of each queue in the threads of that queue."""

    body_can_be_buffer = True
    signal_safe = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        sys.setswitchinterval(SWITCH_SECONDS)
        self._lanes = {queue: ThreadPoolExecutor(threads, queue) for queue, threads in LANES.items()}

    def on_apply(self, *call: Any, **options: Any) -> None:
        """Have a message worked on; Celery calls it as it does any pool's."""
        request: dict[str, Any] = call[1][2]  # of target, (task, id, request, ...), keywords
        self._lanes[request["delivery_info"]["routing_key"]].submit(_work, request, *call, **options)

    def on_stop(self) -> None:
        """Begin nothing more."""
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)


class RestingScheduler(PersistentScheduler):
    """Send what is due, but every half a minute only while nobody looks at the site and nothing is played. It looks
    every two seconds whether that is still so: a visitor finds a site that is awake.
    """

    _until = 0.0  # when the next round is due, by the monotonic clock, if the site rests until then

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send one message that is due, if any; return the seconds until the next is."""
        if time.monotonic() < self._until and site_rests():
            return LOOKS_EVERY
        delay: float = super().tick(*args, **kwargs)
        if delay > 0:  # all that was due is sent
            self._until = time.monotonic() + RESTS_FOR
        return delay


def site_rests() -> bool:
    """Tell whether nobody looks at the site, no match is queued or played, and no broadcast is about to end."""
    if is_visited():
        return False
    try:
        close_old_connections()
        # A broadcast needs no clock until its end: the match gets its result then.
        ending = Q(state=MatchState.ON_AIR, air_ends_at__lte=timezone.now() + timedelta(seconds=RESTS_FOR))
        return not Match.objects.filter(PLAYED | ending).exists()
    except DatabaseError:
        return False


class ClockThread(bootsteps.StartStopStep):
    """Send what is due, from a thread of the worker; Celery's own embedded clock is one more process."""

    requires = ("celery.worker.components:Beat",)

    def create(self, worker: Any) -> Any:
        """Return the clock, which the worker starts and stops."""
        filename = settings.CELERY_BEAT_SCHEDULE_FILENAME
        worker.beat = EmbeddedService(
            worker.app, thread=True, schedule_filename=filename, scheduler_cls=RestingScheduler
        )
        return worker.beat


def _work(request: Mapping[str, Any], target: Callable[..., Outcome], *args: Any, **options: Any) -> None:
    """Work on a message, unless it has expired while others were worked on: Celery looks when it comes only."""
    expires = maybe_iso8601(request.get("expires"))
    if expires is not None and maybe_make_aware(expires) < datetime.now(UTC):
        logger.info("%s has expired", request.get("task"))
        target = _nothing
    apply_target(target, *args, **options)


def _nothing(*_: Any, **__: Any) -> Outcome:
    return 0, None, 0.0
