"""Two clocks for one action of a bot, processor time and time as it passes, watched by a thread beside the bot."""

import os
import sys
import threading
import traceback
from collections.abc import Callable
from time import monotonic, process_time, sleep
from typing import Final

_EVERY: Final = 0.02  # seconds between two looks
_STARVED: Final = "/proc/self/schedstat"  # of Linux


class Clock:
    """It calls ``overtime`` in a thread of its own once an action takes too long; ``overtime`` never returns.

    A bot that never gives the interpreter back, such as one stuck in a function written in C, is the judge's to end.
    """

    def __init__(self, overtime: Callable[[str, float, float, traceback.StackSummary], object]) -> None:
        self.lock = threading.Lock()  # held while either side says how an action ended
        self._overtime = overtime
        self._limits: tuple[float, float] | None = None
        self._cpu = self._wall = self._starved = 0.0
        self._asked = threading.get_ident()
        self._file = _opened()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, cpu: float, wall: float) -> None:
        """Start an action that may take so many seconds of both."""
        self._cpu, self._wall, self._starved = process_time(), monotonic(), self._waited()
        self._limits = (cpu, wall)

    def end(self) -> tuple[float, float]:
        """Stop, and return the seconds that the action took by both. Called with the lock held."""
        self._limits = None
        return process_time() - self._cpu, monotonic() - self._wall

    def _watch(self) -> None:
        while True:
            sleep(_EVERY)
            with self.lock:
                if self._limits is None:
                    continue
                (cpu, wall), used = self._limits, process_time() - self._cpu
                if used >= cpu:
                    self._overtime("cpu_time", used, cpu, self._where())
                    continue
                waited = monotonic() - self._wall - (self._waited() - self._starved)
                if waited >= wall:
                    self._overtime("slept" if waited > 2 * used else "wall_time", waited, wall, self._where())

    def _waited(self) -> float:
        """Return the seconds in which the bot's thread had no core, where the system tells; they are not counted."""
        if self._file < 0:
            return 0.0
        try:
            return int(os.pread(self._file, 64, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _where(self) -> traceback.StackSummary:
        """Return where the bot is just now, the innermost frame last."""
        frame = sys._current_frames().get(self._asked)
        return traceback.extract_stack(frame) if frame else traceback.StackSummary()


def _opened() -> int:
    """Return what tells how long this process had no core, opened: to open it for every action takes ten times as long.
    It is -1 where the system tells nothing.
    """
    try:
        return os.open(_STARVED, os.O_RDONLY)
    except OSError:
        return -1
