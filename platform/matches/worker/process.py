"""The state of a worker process: its name, its core, its cage, its speed, and whether it drains.

A worker that gets SIGTERM drains: it takes no new work, ends what it is at, or hands it back after a while. Celery
signals the worker's first process alone. When that has begun is therefore stored in memory that the processes of its
pool share, for they are forked from it. Workers may be forked from one process too
(``arena/embedded/supervisor.py``), so each takes memory of its own when it is set up."""

import mmap
import os
import socket
import struct
import time
from functools import cache
from typing import Final

from billiard.process import current_process
from django.conf import settings

from sandbox import Cage

_SPEED_STEPS: Final = 20_000
_SPEED_UNITS: Final = 5
_TIME: Final = struct.Struct("d")
_begun = mmap.mmap(-1, _TIME.size)  # by the monotonic clock, which is the machine's; zeros while it works on


def worker_name() -> str:
    """Return a name unique among all workers' processes alive."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}"


@cache
def worker_cage() -> Cage:
    """Return this process's cage, opened on first use. In a pool, the process and its bots share one core: see CAGE in
    docs.

    Raises:
        SandboxUnavailable: this machine cannot cage bots.
    """
    return Cage.open(core=_own_core())


@cache
def worker_speed() -> float:
    """Return the units of a fixed piece of work per second, measured once: it tells a slow worker from a slow bot."""
    return _SPEED_UNITS / min(_unit_seconds() for _ in range(3))


def worker_close() -> None:
    """Close the cage, if one was opened."""
    if worker_cage.cache_info().currsize:
        worker_cage().close()
        worker_cage.cache_clear()


def _own_core() -> int | None:
    index: int | None = getattr(current_process(), "index", None)  # only the processes of a pool are numbered
    if index is None:
        return None
    cores = sorted(os.sched_getaffinity(0))
    return cores[index % len(cores)]


def _unit_seconds() -> float:
    start = time.perf_counter()
    for _ in range(_SPEED_UNITS):
        total = 0
        for number in range(_SPEED_STEPS):
            total = (total * 31 + number) & 0xFFFFFF
    return time.perf_counter() - start


def drain_set_up() -> None:
    """Share the drain with no other worker. Call it in a worker's first process, before its pool is forked."""
    global _begun
    _begun = mmap.mmap(-1, _TIME.size)


def drain_begin() -> None:
    """Have all processes of this worker stop: at the end of a block, at the latest ``DRAIN_SECONDS`` from now."""
    _begun[:] = _TIME.pack(time.monotonic())


def draining() -> bool:
    """Tell whether this worker is to take no new work."""
    return any(_begun[:])


def drain_is_over() -> bool:
    """Tell whether what is still being worked on is to be handed back."""
    return draining() and time.monotonic() >= _TIME.unpack(_begun[:])[0] + settings.DRAIN_SECONDS
