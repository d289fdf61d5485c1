"""Processes that are kept running, and that never outlive the one that started them; among them children that run
functions of ours, forked from a process of one thread that has no connection open.

Each service leads a process group of its own. A service that dies is started again, after a pause that doubles while
it keeps dying; one that stands still (stopped by a signal, itself or a child of its own) is killed for it. Stopping
signals the leaders and then kills what is left of their groups. Should the supervisor itself be killed, the kernel
passes each leader its stop signal (on Linux; elsewhere nobody does).

Why not a library: docs/decisions/0002-a-small-supervisor.md.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import IO, Final, NoReturn, TypeAlias

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


def _orphan_signal_request(orphan_signal: signal.Signals) -> Callable[[], None]:
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


FIRST_PAUSE: Final = 0.5  # seconds before a service that died is started again
LONGEST_PAUSE: Final = 30.0
SETTLED: Final = 30.0  # seconds of life after which earlier deaths are forgotten
POLL: Final = 0.2
STILL_MOST: Final = 15.0  # seconds for which a service may be stopped
STILL_LOOK: Final = 2.0  # seconds between two looks


@dataclass(frozen=True, slots=True)
class Service:
    """A program to keep running, or ``work`` for a fork of this process; one that is to run ``once`` is started again
    only if it fails, and ``then`` is called after it.

    The kernel sends it ``orphan_signal`` when the supervisor is killed: nobody is left then to see whether it ends.
    """

    name: str
    command: tuple[str, ...] = ()
    work: Callable[[], object] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGTERM
    log: Path | None = None  # None: it speaks on our own output
    once: bool = False
    then: Callable[[], object] = lambda: None


Process: TypeAlias = subprocess.Popen[bytes] | Fork


@dataclass(slots=True)
class _Run:
    service: Service
    process: Process
    since: float
    pause: float = FIRST_PAUSE / 2
    due: float | None = None  # when to start it again, while it is down
    done: bool = False
    still_since: float | None = None  # since when it was seen to be stopped


@dataclass(slots=True)
class Supervisor:
    """Runs services; the one started first is what the others stand on, so it is stopped last. Main thread only."""

    say: Callable[[str], None]
    runs: list[_Run] = field(default_factory=list)
    looked: float = 0.0  # when it was last seen who stands still

    def start(self, service: Service) -> None:
        """Start ``service``. Its log, if it has one, is started again, and the last one stays beside it."""
        if service.log and service.log.exists():
            service.log.replace(service.log.with_suffix(".last.log"))
        self.runs.append(_Run(service, _spawn(service), time.monotonic()))

    def watch(self, stop: Event) -> None:
        """Keep every service running until ``stop`` is set."""
        while not stop.wait(POLL):
            self.tend()

    def tend(self) -> None:
        """Look once at every service: kill what stands still, bury what has died, start again what is due."""
        now = time.monotonic()
        if now - self.looked >= STILL_LOOK:
            self.looked = now
            self._end_still(now)
        for run in self.runs:
            if run.due is not None:
                if now >= run.due:
                    run.process, run.since, run.due = _spawn(run.service), now, None
            elif not run.done and _has_ended(run.process):
                _kill_group(run.process)
                self._bury(run, now)

    def restart(self, name: str, patience: float) -> None:
        """Stop the service of this name, if it runs, and start it again; it keeps its log."""
        now = time.monotonic()
        for run in self.runs:
            if run.service.name == name and run.due is None and not run.done:
                _stop([run], now + patience)
                run.process, run.since = _spawn(run.service), now

    def stop(self, patience: float) -> None:
        """Stop everything; what has not gone after ``patience`` seconds is killed with all its group."""
        until = time.monotonic() + patience
        _stop(reversed(self.runs[1:]), until)
        _stop(self.runs[:1], max(until, time.monotonic() + patience / 2))
        self.runs.clear()

    def _end_still(self, now: float) -> None:
        for run in self.runs:
            is_still = run.due is None and not run.done and _is_stopped(run.process.pid)
            run.still_since = (run.still_since or now) if is_still else None
            if run.still_since is not None and now - run.still_since >= STILL_MOST:
                self.say(f"The {run.service.name} has stood still for {STILL_MOST:.0f} s: killing it.")
                run.still_since = None
                _kill_group(run.process)

    def _bury(self, run: _Run, now: float) -> None:
        code = run.process.wait()
        run.done = run.service.once and code == 0
        if run.done:
            run.service.then()
        else:
            run.pause = FIRST_PAUSE if now - run.since > SETTLED else min(run.pause * 2, LONGEST_PAUSE)
            run.due = now + run.pause
            self.say(f"The {run.service.name} {_ending(code)}: starting it again.{_last_words(run.service)}")


def _spawn(service: Service) -> Process:
    output = service.log.open("ab") if service.log else None
    put_on = _orphan_signal_request(service.orphan_signal)
    try:
        if service.work:
            return Fork(service.name, service.work, output, put_on)
        return subprocess.Popen(  # noqa: S603  our own commands
            service.command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT if output else None,
            start_new_session=True,
            preexec_fn=put_on,  # safe: this process has one thread
        )
    finally:
        if output:
            output.close()


def _stop(runs: Iterable[_Run], until: float) -> None:
    """Signal all, wait for all until the time ``until``, kill what is left."""
    up = [run for run in runs if run.process.returncode is None]
    for run in up:
        os.kill(run.process.pid, run.service.stop_signal)  # by itself a Popen would reap what has ended
    for run in up:
        while not _has_ended(run.process) and time.monotonic() < until:
            time.sleep(0.02)
    for run in up:
        _kill_group(run.process)
        run.process.wait()


def _has_ended(process: Process) -> bool:
    """Tell whether it has, leaving it unreaped: as long as it is, its number, and its group's, is nobody else's."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _is_stopped(pid: int) -> bool:
    """Tell whether the process or one of its own children is stopped (on Linux). Deeper down are bots, of which none
    may cost others their worker."""
    with suppress(OSError):
        children = [one for file in Path(f"/proc/{pid}/task").glob("*/children") for one in file.read_text().split()]
        return any(_state(one) == "T" for one in (str(pid), *children))
    return False


def _state(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:  # it has ended
        return ""


def _kill_group(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _ending(code: int) -> str:
    return f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"


def _last_words(service: Service) -> str:
    """Return the end of its log, for the one who must find out why."""
    if not service.log:
        return ""
    with service.log.open("rb") as log:
        log.seek(max(0, service.log.stat().st_size - 2000))
        lines = log.read().decode(errors="replace").strip().splitlines()
    return f"\n  {service.log}: {lines[-1][:200]}" if lines else ""
