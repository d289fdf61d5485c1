"""The programs that make up a site on one machine."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from signal import SIGKILL, SIGQUIT
from typing import Final

from django.conf import settings

from arena.embedded.supervisor import Service

MATCHES: Final = "matches"
CHECKS: Final = "checks"
BOOKS: Final = "books"
HOUSEKEEPING: Final = "housekeeping"
HOOKS: Final = "hooks"


def player_service(*, logs: Path, processes: int, address: str) -> Service:
    """Play matches, nothing else, one in each process.

    ``address`` is the site's, here and below, for what goes out: letters and webhooks.
    """
    name, queues = "match worker", f"--queues={MATCHES}"
    return _at(address, _worker(name, logs / "matches.live.log", queues, f"--concurrency={processes}"))


def checker_service(*, logs: Path, address: str) -> Service:
    """Check uploads, one at a time, so that no verdict waits for a long match to end."""
    return _at(address, _worker("checker", logs / "checks.log", f"--queues={CHECKS}", "--concurrency=1"))


def clerk_service(*, logs: Path, address: str) -> Service:
    """Keep the books of tournaments and leagues: while one round takes long to draw, another process keeps the rest."""
    return _at(address, _worker("clerk", logs / "clerk.log", f"--queues={BOOKS}", "--concurrency=2"))


def keeper_service(*, logs: Path, address: str) -> Service:
    """Return expired leases, wake workers and keep the clock: one process that nothing else can fill."""
    schedule = f"--schedule={settings.CELERY_BEAT_SCHEDULE_FILENAME}"
    log, queues = logs / "housekeeping.log", f"--queues={HOUSEKEEPING}"
    return _at(address, _worker("housekeeper", log, queues, "--pool=solo", "--beat", schedule))


def messenger_service(*, logs: Path, address: str) -> Service:
    """Send webhooks, many at once: one process, in which other people's slow servers hold up nothing else."""
    return _at(address, _worker("messenger", logs / "messenger.log", f"--queues={HOOKS}", "--pool=solo"))


def web_service(*, logs: Path, host: str, port: int, address: str) -> Service:
    """Return the service of pages and live topics; ``address`` is the site's, for the letters that it writes."""
    command = _python("-m", "arena.serving", f"--host={host}", f"--port={port}")
    # Nobody sends its requests elsewhere: it closes at once.
    return _at(address, Service("web server", ("env", "WEB_DRAIN_SECONDS=0", *command), log=logs / "web.log"))


def demo_service(*, address: str) -> Service:
    """Return the service that makes house bots and a tournament to look at; it ends once that is under way."""
    return Service("demo", _python(str(settings.BASE_DIR / "manage.py"), "demo", "--address", address), once=True)


def _worker(name: str, log: Path, *arguments: str) -> Service:
    node = f"{name.replace(' ', '-')}-{os.getpid()}@%h"
    # Nobody listens to a worker's heartbeats, and without its broker one that stops would wait for the last to be sent.
    quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
    common = ("--hostname", node, "--loglevel=INFO", *quiet)
    command = _python("-m", "celery", "-A", "arena.celery_app", "worker", *common, *arguments)
    # SIGQUIT drops what is being played; its lease runs out and it is played again. Waiting could take minutes.
    # An orphan has nobody who sees whether it ends: it is killed, which costs a slice and no more.
    return Service(name, command, stop_signal=SIGQUIT, orphan_signal=SIGKILL, log=log)


def _at(address: str, service: Service) -> Service:
    return replace(service, command=("env", f"SITE_URL={address}", *service.command))


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)
