"""A worker process: its name, core, cage and speed, its drain state, and the heartbeat that renews its leases.

A worker that gets SIGTERM drains. It takes no new work, and finishes its current work or returns it after
``DRAIN_SECONDS``. Celery sends the signal only to the first process of the worker. The processes of its pool are forked
from it and share memory with it. So the time at which draining began is stored in this memory.
"""

import faulthandler
import logging
import mmap
import os
import signal
import socket
import struct
import threading
import time
from collections.abc import Callable
from functools import cache
from types import TracebackType
from typing import Final, Self

from billiard.process import current_process
from django.conf import settings
from django.db import DatabaseError, connection

from sandbox import Cage

_SPEED_STEPS: Final = 20_000
_SPEED_UNITS: Final = 5
_TIME: Final = struct.Struct("d")
_begun = mmap.mmap(-1, _TIME.size)  # when draining began, by the monotonic clock of all processes; zeros before


def worker_process_name() -> str:
    """Return a name that is unique among the running processes of all workers."""
    return f"{socket.gethostname()[:80]}:{os.getpid()}"


@cache
def worker_process_cage() -> Cage:
    """Return this process's cage, opened on first use. In a pool, the process and its bots share one core.

    Raises:
        SandboxUnavailable: this machine cannot cage bots.
    """
    return Cage.open(core=_own_core())


@cache
def worker_process_speed() -> float:
    """Return units of fixed work per second, measured once. The number distinguishes a slow worker from a slow bot."""
    return _SPEED_UNITS / min(_unit_seconds() for _ in range(3))


def worker_process_close() -> None:
    """Close the cage, if one was opened."""
    if worker_process_cage.cache_info().currsize:
        worker_process_cage().close()
        worker_process_cage.cache_clear()


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


def worker_process_drain_set_up() -> None:
    """Create a drain state for this worker alone. Call it in the worker's first process, before its pool is forked."""
    global _begun
    _begun = mmap.mmap(-1, _TIME.size)


def worker_process_drain_begin() -> None:
    """Drain all processes of this worker: they stop after the current block, at the latest after ``DRAIN_SECONDS``."""
    _begun[:] = _TIME.pack(time.monotonic())


def worker_process_is_draining() -> bool:
    """Return whether this worker is draining, and so must take no new work."""
    return any(_begun[:])


def worker_process_drain_is_over() -> bool:
    """Return whether the time for draining is over, so that current work must be returned to the queue."""
    return worker_process_is_draining() and time.monotonic() >= _TIME.unpack(_begun[:])[0] + settings.DRAIN_SECONDS


logger = logging.getLogger(__name__)

LOOKS_EVERY: Final = 0.5  # seconds between two checks whether draining is over


class LeaseLost(RuntimeError):
    """Raised when the attempt is void: the lease belongs to another attempt, or the work was cancelled."""


class Heartbeat:
    """Calls ``renew`` from its own thread, a few times during each lease, until ``renew`` returns False.

    The playing thread may renew the lease itself by calling ``beat``.

    When the time for draining is over, ``hand_back`` is called and the process is killed. The playing thread may be
    waiting for a bot, and nothing else would end that at once.

    The playing thread must call ``alive`` while there is progress. If a call after each action is too slow, it sets
    ``progress`` to ``time.monotonic()`` itself, and reads ``lost`` from time to time. After ``stall`` seconds without
    progress, the process is assumed to hang. Then ``last_words`` is called with these seconds, the process is killed,
    and the pool starts another one.

    If compiled code never releases the GIL, the thread of the heartbeat cannot run. Then the watchdog of
    ``faulthandler``, which does not need the GIL, ends the process, and the lease expires.
    """

    def __init__(
        self,
        renew: Callable[[], bool],
        *,
        stall: float,
        hand_back: Callable[[], object] = lambda: None,
        last_words: Callable[[float], object] = lambda seconds: None,
    ) -> None:
        self._renew = renew
        self._hand_back = hand_back
        self._last_words = last_words
        self._stall = stall
        self.progress = time.monotonic()
        self.lost = False  # whether ``renew`` has returned False, so that all work is void
        self._beaten = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def alive(self) -> None:
        """Record progress.

        Raises:
            LeaseLost: ``renew`` has returned False, so the work is void.
        """
        self.progress = time.monotonic()
        if self.lost:
            raise LeaseLost

    def expect(self, stall: float) -> None:
        """Set ``stall``, in seconds, and record progress."""
        self.progress, self._stall = time.monotonic(), stall

    def beat(self) -> None:
        """Record progress, and renew the lease if this is due soon.

        This saves the connection to the database that the heartbeat's own thread would need.
        """
        self.progress = time.monotonic()
        if self.progress - self._beaten >= settings.LEASE_SECONDS / 8:
            self._beat()

    def _watch(self) -> None:
        faulthandler.dump_traceback_later(self._stall + settings.LEASE_SECONDS, exit=True, file=2)

    def __enter__(self) -> Self:
        self._watch()
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        faulthandler.cancel_dump_traceback_later()

    def _run(self) -> None:
        try:
            while not self._over.wait(min(LOOKS_EVERY, settings.LEASE_SECONDS / 4)) and not self.lost:
                if worker_process_drain_is_over():
                    self._stop()
                if time.monotonic() - self._beaten >= settings.LEASE_SECONDS / 4:
                    self._beat()
        finally:
            connection.close()

    def _beat(self) -> None:
        if time.monotonic() - self.progress > self._stall:
            self._end(self._stall)
        self._watch()
        try:
            self.lost = not self._renew()
        except DatabaseError:  # the next beat may succeed; if none does, the lease expires, as it should
            logger.warning("a heartbeat was not written", exc_info=True)
        self._beaten = time.monotonic()

    def _stop(self) -> None:
        logger.warning("this worker stops and returns its current work")
        try:
            self._hand_back()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)

    def _end(self, seconds: float) -> None:
        logger.critical("no progress for %.0f seconds: the process is killed, and its work will be repeated", seconds)
        try:
            self._last_words(seconds)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
