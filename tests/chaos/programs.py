"""Programs that are started again when they end, as systemd or a cluster would."""

import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests.browser.running import Process, processes

RESTART_SECONDS: Final = 1.0


class Program:
    """A program in a session of its own, kept running from ``start`` to ``end`` but while it is ``held``."""

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        *,
        log: Path,
        environment: Mapping[str, str],
        user: str | None = None,
    ) -> None:
        self.name = name
        self.command = tuple(command)
        self.environment = dict(environment)
        self._log = log
        self._user = user
        self._free = threading.Event()
        self._over = threading.Event()
        self._lock = threading.Lock()  # a signal goes to what runs now, not to what has just ended
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._supervise, name=name, daemon=True)

    def start(self) -> None:
        self._free.set()
        self._thread.start()

    def hold(self) -> None:
        """Start it no more until ``release``."""
        self._free.clear()

    def release(self) -> None:
        self._free.set()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to its first process."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                self._process.send_signal(number)

    def send_all(self, number: signal.Signals) -> None:
        """Send a signal to all its processes, those below first."""
        for process in reversed(self.family()):
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)

    def family(self) -> list[Process]:
        """Return its processes, the first one first."""
        if self._process is None:
            return []
        table = processes()
        family = [line for line in table if line.pid == self._process.pid]
        for line in family:
            family += [child for child in table if child.parent == line.pid]
        return family

    def end(self) -> None:
        """Kill it with all it has started, if it was ever started."""
        self._over.set()
        self._free.set()
        self.send_all(signal.SIGKILL)
        if self._thread.ident is not None:
            self._thread.join(10)

    def _supervise(self) -> None:
        while not self._over.is_set():
            self._free.wait()
            with self._lock:
                if self._over.is_set():
                    return
                self._process = self._spawn()
            self._process.wait()
            self._over.wait(RESTART_SECONDS)

    def _spawn(self) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                self.command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self._user,
                group=self._user,
                extra_groups=[] if self._user else None,
            )
