"""The state of a worker process: its name, its core, its cage and its speed."""

import os
import socket
import time
from functools import cache
from typing import Final

from billiard.process import current_process

from sandbox import Cage

_SPEED_STEPS: Final = 20_000
_SPEED_UNITS: Final = 5


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
