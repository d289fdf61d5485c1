"""Limits of a bot's process at home: two clocks for each action, and the rules of the site's cage for ``peck check``.

A thread beside the bot reads the clocks, for CPU time and elapsed time. The rules apply as far as a process can enforce
them on itself: they show an honest bot what the site would refuse, but do not stop a hostile one.
"""

import _thread
import errno
import os
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic, process_time, sleep
from typing import Any, Final, NoReturn

_EVERY: Final = 0.02  # seconds between two looks at the clocks
_STARVED: Final = "/proc/self/schedstat"  # Linux only


class Clock:
    """Calls ``overtime`` in its own thread if an action takes too long. ``overtime`` never returns.

    It cannot interrupt a bot that never releases the interpreter, such as one stuck in C code: the judge ends such a
    bot.
    """

    def __init__(self, overtime: Callable[[str, float, float, traceback.StackSummary], object]) -> None:
        self.lock = threading.Lock()  # held while either side reports the end of an action
        self._overtime = overtime
        self._limits: tuple[float, float] | None = None
        self._cpu = self._wall = self._starved = 0.0
        self._bot_thread = threading.get_ident()
        self._file = _opened()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, cpu: float, wall: float) -> None:
        """Start an action with limits in seconds of CPU time and elapsed time."""
        self._cpu, self._wall, self._starved = process_time(), monotonic(), self._waited()
        self._limits = (cpu, wall)

    def end(self) -> tuple[float, float]:
        """Stop the clocks; return the action's seconds of CPU time and elapsed time. Call it with the lock held."""
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
        """Return the seconds in which the bot's thread waited for a core, 0 if unknown. They do not count as the bot's
        time.
        """
        if self._file < 0:
            return 0.0
        try:
            return int(os.pread(self._file, 64, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _where(self) -> traceback.StackSummary:
        """Return the bot's current stack, innermost frame last."""
        frame = sys._current_frames().get(self._bot_thread)
        return traceback.extract_stack(frame) if frame else traceback.StackSummary()


def _opened() -> int:
    """Open the file with the time for which this process waited for a core; return -1 if the system has no such file.
    The file stays open: opening it for every action would take ten times as long as reading it.
    """
    try:
        return os.open(_STARVED, os.O_RDONLY)
    except OSError:
        return -1


UNCHECKED: Final = (
    "modules that the site does not have, files read beside the bot's own, calls into C, time that it sleeps in all"
)
_MEMORY: Final = "memory"
_STARTS: Final = (
    "start_new",
    "start_new_thread",
    "_start_new_thread",
    "start_joinable_thread",
    "_start_joinable_thread",
)
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_PROCESSES: Final = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen")
_REFUSED: Final = {
    **dict.fromkeys(_PROCESSES, errno.EAGAIN),
    **dict.fromkeys(("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename"), errno.EROFS),
    **dict.fromkeys(("os.rmdir", "os.symlink", "os.truncate", "os.utime"), errno.EROFS),
    "socket.__new__": errno.EPERM,
}


def child_limits_apply(memory: int) -> None:
    """Apply the rules to this process permanently: no threads, processes, sockets or written files, and at most
    ``memory`` bytes in addition to what is mapped, if the system has such a limit.
    """
    _limit_memory(memory)
    for module in (_thread, threading):  # audit hooks see new threads only from Python 3.12 on
        for name in _STARTS:
            if hasattr(module, name):
                setattr(module, name, _no_thread)
    sys.addaudithook(_refuse)


def child_limits_unchecked() -> str:
    """Return the rules of the cage that are not checked here, as text."""
    return UNCHECKED if sys.platform == "linux" else f"{_MEMORY}, {UNCHECKED}"


def _limit_memory(memory: int) -> None:
    if sys.platform == "linux":
        import resource

        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = mapped + memory if hard == resource.RLIM_INFINITY else min(mapped + memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _no_thread(*_args: Any, **_named: Any) -> NoReturn:
    raise RuntimeError("can't start new thread")


def _refuse(event: str, given: tuple[Any, ...]) -> None:
    """Raise the error that the site's cage raises."""
    if event == "open":
        path, mode, flags = given
        if (flags or 0) & _WRITING or any(letter in (mode or "") for letter in "wax+"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
    elif event in _REFUSED:
        raise OSError(code := _REFUSED[event], os.strerror(code))
