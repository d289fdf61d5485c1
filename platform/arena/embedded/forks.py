"""Children that run functions of ours: forked from a process of one thread that has no connection open."""

import ctypes
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final, NoReturn

from django.db import connections

PR_SET_PDEATHSIG: Final = 1
ARGUMENTS_AT: Final = (
    45  # after the name in /proc/self/stat: where the command line begins in memory, and where it ends
)


class Fork:
    """A child that does ``work`` in a session of its own and ends, with status 1 if that raised; to be used like a
    ``Popen``. What it writes goes to ``output``, if there is one.
    """

    def __init__(
        self, name: str, work: Callable[[], object], output: IO[bytes] | None, begin: Callable[[], None]
    ) -> None:
        connections.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
        self.returncode: int | None = None
        self.pid = os.fork()
        if not self.pid:
            _run(name, work, output, begin)

    def wait(self) -> int:
        """Return what it ended with, less than 0 for a signal, once it has."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode

    def kill(self) -> None:
        """Kill it, unless it has been waited for."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


def leash(orphan_signal: signal.Signals) -> Callable[[], None]:
    """Return what a child does first: ask the kernel for a signal when its parent dies (on Linux)."""
    ours = os.getpid()
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def put_on() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, int(orphan_signal))
            if os.getppid() != ours:  # we died before the kernel knew whom to tell
                os._exit(1)

    return put_on


def _run(name: str, work: Callable[[], object], output: IO[bytes] | None, begin: Callable[[], None]) -> NoReturn:
    """Be the child. It never returns to what its parent was in the middle of."""
    status = 1
    try:
        begin()
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with Path(os.devnull).open("rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        if output is not None:
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
            sys.stdout, sys.stderr = (open(number, "w", buffering=1, closefd=False) for number in (1, 2))  # noqa: SIM115
        with suppress(OSError, ValueError):
            _entitle(f"pecking-order: {name}")
        work()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        if isinstance(end.code, str):
            sys.stderr.write(f"{end.code}\n")
    except BaseException:
        traceback.print_exc()
    finally:
        with suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(status)


def _entitle(title: str) -> None:
    """Show ``title`` as this process's command, as far as there is room, where Linux lists processes."""
    if sys.platform != "linux":
        return
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[ARGUMENTS_AT]), int(fields[ARGUMENTS_AT + 1])
    room = end - begin
    ctypes.memmove(begin, title.encode()[: room - 1].ljust(room, b"\0"), room)
