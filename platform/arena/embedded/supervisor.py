"""Keep services running, and end them when the process that started them ends.

A service is a program, or one of our functions, which runs in a fork of this process. This process has a single thread
and no open connections, so that it can be forked.

Each service leads its own process group. A service that dies is started again after a pause, which doubles while it
keeps dying. A service is killed if it, or a child of it, is suspended by a signal such as SIGSTOP. To end, the
supervisor signals the leaders and then kills what is left of their groups. If the supervisor itself is killed, the
kernel sends each leader its orphan signal (on Linux only).

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
# In /proc/self/stat, counted from 0 after the name: the field with the address at which the command line begins. The
# next field has the address at which it ends.
ARGUMENTS_AT: Final = 45


class Fork:
    """A forked child that calls ``work`` in its own session and then exits, with status 1 after an exception. This
    class has the interface of ``Popen``. The child's output goes to ``output`` if it is given.
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
        """Wait for the end of the child and return its exit status; negative if a signal ended it."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode

    def kill(self) -> None:
        """Kill the child, unless ``wait`` has returned its status."""
        if self.returncode is None:
            os.kill(self.pid, signal.SIGKILL)


def _orphan_signal_request(orphan_signal: signal.Signals) -> Callable[[], None]:
    """Return a function that the child calls. It asks the kernel to send the child a signal when the parent dies (on
    Linux).
    """
    ours = os.getpid()
    prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else None

    def put_on() -> None:
        if prctl is not None:
            prctl(PR_SET_PDEATHSIG, int(orphan_signal))
            if os.getppid() != ours:  # the parent died before prctl was called
                os._exit(1)

    return put_on


def _run(name: str, work: Callable[[], object], output: IO[bytes] | None, begin: Callable[[], None]) -> NoReturn:
    """Run ``work`` in the child and exit. Never return into the parent's call stack."""
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
    """Show ``title`` as this process's command line, cut to the available room (on Linux)."""
    if sys.platform != "linux":
        return
    fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    begin, end = int(fields[ARGUMENTS_AT]), int(fields[ARGUMENTS_AT + 1])
    room = end - begin
    ctypes.memmove(begin, title.encode()[: room - 1].ljust(room, b"\0"), room)


FIRST_PAUSE: Final = 0.5  # seconds before a dead service is started again
LONGEST_PAUSE: Final = 30.0
SETTLED: Final = 30.0  # seconds of running after which earlier deaths are forgotten
POLL: Final = 0.2
STILL_MOST: Final = 15.0  # seconds after which a suspended service is killed
STILL_LOOK: Final = 2.0  # seconds between two checks for suspended processes


@dataclass(frozen=True, slots=True)
class Service:
    """A program to keep running, or the function ``work`` for a fork. With ``once`` it is restarted only if it fails,
    and ``then`` is called after its success.

    The kernel sends ``orphan_signal`` when the supervisor is killed.
    """

    name: str
    command: tuple[str, ...] = ()
    work: Callable[[], object] | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGTERM
    log: Path | None = None  # None: the output of this process
    once: bool = False
    then: Callable[[], object] = lambda: None


Process: TypeAlias = subprocess.Popen[bytes] | Fork


@dataclass(slots=True)
class _Run:
    service: Service
    process: Process
    since: float
    pause: float = FIRST_PAUSE / 2
    due: float | None = None  # when to start it again, if it is down
    done: bool = False
    still_since: float | None = None  # time of the first check that found it suspended


@dataclass(slots=True)
class Supervisor:
    """Run services. The first one is ended last, because the others depend on it. Use this class in the main thread
    only.
    """

    say: Callable[[str], None]
    runs: list[_Run] = field(default_factory=list)
    looked: float = 0.0  # time of the last check for suspended processes

    def start(self, service: Service) -> None:
        """Start ``service``. The previous log file is kept beside the new one."""
        if service.log and service.log.exists():
            service.log.replace(service.log.with_suffix(".last.log"))
        self.runs.append(_Run(service, _spawn(service), time.monotonic()))

    def watch(self, stop: Event) -> None:
        """Keep every service running until ``stop`` is set."""
        while not stop.wait(POLL):
            self.tend()

    def tend(self) -> None:
        """Check every service once: kill those that are suspended, record which have died, and restart those that are
        due.
        """
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
        """Restart the running service of this name. It continues its log."""
        now = time.monotonic()
        for run in self.runs:
            if run.service.name == name and run.due is None and not run.done:
                _stop([run], now + patience)
                run.process, run.since = _spawn(run.service), now

    def stop(self, patience: float) -> None:
        """Stop all services. After ``patience`` seconds, kill those still running with their process groups."""
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
    """Signal all processes, wait for them until the time ``until``, then kill the rest."""
    up = [run for run in runs if run.process.returncode is None]
    for run in up:
        os.kill(run.process.pid, run.service.stop_signal)  # Popen's own method would reap a process that has ended
    for run in up:
        while not _has_ended(run.process) and time.monotonic() < until:
            time.sleep(0.02)
    for run in up:
        _kill_group(run.process)
        run.process.wait()


def _has_ended(process: Process) -> bool:
    """Return whether the process has ended, without reaping it. Until it is reaped, its process id and group are not
    reused.
    """
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _is_stopped(pid: int) -> bool:
    """Return whether the process or one of its children is suspended (on Linux). Deeper descendants are not checked:
    they are bots, and a bot must not be able to end the worker by suspending itself.
    """
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
    """Return the last line of the service's log, for the message about its death."""
    if not service.log:
        return ""
    with service.log.open("rb") as log:
        log.seek(max(0, service.log.stat().st_size - 2000))
        lines = log.read().decode(errors="replace").strip().splitlines()
    return f"\n  {service.log}: {lines[-1][:200]}" if lines else ""
