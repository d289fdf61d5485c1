"""Renew a lease while its match is played, and notice when it is lost."""

import faulthandler
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from django.conf import settings
from django.db import DatabaseError, connection

from matches.worker.process import drain_is_over

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
