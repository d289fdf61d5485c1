"""A worker process: its name, its core, its cage, its speed, whether it drains, and how it renews the lease of what it
plays.

A worker that gets SIGTERM drains: it takes no new work, ends what it is at, or hands it back after a while. Celery
signals the worker's first process alone. When that has begun is therefore stored in memory that the processes of its
pool share, for they are forked from it.
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


logger = logging.getLogger(__name__)

LOOKS_EVERY: Final = 0.5  # seconds: whether the worker is to stop


class LeaseLost(RuntimeError):
    """Raised when the attempt is void: another worker has the match, or it was called off."""


class Heartbeat:
    """Calls ``renew`` from a thread of its own, a few times in each lease, as long as it returns True. The playing
    thread may renew the lease itself by calling ``beat``.

    When the worker is to stop and has had its time, ``hand_back`` is called and the process is killed: the playing
    thread may be waiting for a bot, and nothing else ends that at once.

    ``alive`` must be called while there is progress. A caller that cannot afford a call after each action sets
    ``progress`` to ``time.monotonic()`` itself, and looks now and then whether all is ``lost``. Without progress for
    ``stall`` seconds the process is taken to hang where nothing can wake it: ``last_words`` is called with the
    seconds and the process is killed; the pool starts another. Compiled code that never lets another thread run keeps
    even that from happening: then a watchdog without Python ends the process, and the lease runs out.
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
        self.lost = False  # there is no point in going on
        self._beaten = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="heartbeat", daemon=True)

    def alive(self) -> None:
        """Note progress.

        Raises:
            LeaseLost: there is no point in going on.
        """
        self.progress = time.monotonic()
        if self.lost:
            raise LeaseLost

    def expect(self, stall: float) -> None:
        """Set ``stall`` from now on, and note progress as well."""
        self.progress, self._stall = time.monotonic(), stall

    def beat(self) -> None:
        """Renew in the thread that plays, if it is time soon: the other one would connect to the database for it."""
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
                if drain_is_over():
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
        except DatabaseError:  # the next beat may get through; if none does the lease runs out, and that is right
            logger.warning("a heartbeat was not written", exc_info=True)
        self._beaten = time.monotonic()

    def _stop(self) -> None:
        logger.warning("this worker stops: what it is at is handed back")
        try:
            self._hand_back()
        finally:
            os.kill(os.getpid(), signal.SIGKILL)

    def _end(self, seconds: float) -> None:
        logger.critical("no progress for %.0f seconds: the process is killed, its work is done again", seconds)
        try:
            self._last_words(seconds)
        finally:
            os.kill(os.getpid(), signal.SIGKILL)
