"""A whole site, as `make run` starts it, on data and a port of its own."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.databases import own_database, rows
from tests.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]
STORES = {"DATABASE_URL", "REDIS_URL", "BROKER_URL", "CACHE_URL", "CHANNEL_URL"}
STRIPPED = STORES | {"SECRET_KEY", "DJANGO_SETTINGS_MODULE", "ALLOWED_HOSTS", "SITE_URL"}
START_SECONDS = 180  # on a machine that is busy with other things
STOP_SECONDS = 60


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@dataclass(slots=True)
class Process:
    """A line of the process table."""

    pid: int
    parent: int
    command: str


def processes() -> list[Process]:
    """What runs now, without the dead that nobody has reaped."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            name, _, rest = (path / "stat").read_text().partition("(")[2].rpartition(")")
            command = (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
        except (FileNotFoundError, ProcessLookupError):
            continue
        state, parent = rest.split()[:2]
        if state != "Z":
            found.append(Process(int(path.name), int(parent), command or name))
    return found


class Site:
    """A site on data and a port of its own, which another process may have started."""

    def __init__(self, var: Path, port: int) -> None:
        self.var = var
        self.port = port
        self.url = f"http://127.0.0.1:{port}"
        self.out = var / "up.out"
        self.environment = {k: v for k, v in os.environ.items() if k not in STRIPPED} | {"PECKING_ORDER_VAR": str(var)}

    @property
    def output(self) -> str:
        return self.out.read_text() if self.out.exists() else ""

    @property
    def organiser_password(self) -> str:
        return (self.var / "organiser_password").read_text().strip()

    def manage(self, *arguments: str) -> str:
        """What `manage.py` says to these arguments, on this site's data."""
        command = [sys.executable, str(ROOT / "manage.py"), *arguments]
        return subprocess.run(command, env=self.environment, check=True, capture_output=True, text=True).stdout

    def shell(self, code: str) -> str:
        """What a line of Python prints there; ``cast`` is ours."""
        return self.manage("shell", "-v0", "-c", f"from tests.browser import cast\n{code}").strip()

    def count(self, query: str) -> int:
        """What a query counts, straight from the database: asking often must cost the workers nothing."""
        database = self.environment.get("DATABASE_URL", f"sqlite:///{self.var / 'db.sqlite3'}")
        ((answer,),) = rows(database, query)
        return int(answer)


class StartedSite(Site):
    """`up` as a process of ours."""

    def __init__(self, var: Path, *arguments: str, **environment: str) -> None:
        super().__init__(var, free_port())
        self.environment |= environment
        with self.out.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "up", "--port", str(self.port), *arguments],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until_up(self) -> "StartedSite":
        up = eventually(lambda: "Pecking Order is at" in self.output or self.process.poll() is not None, START_SECONDS)
        assert up, f"the site did not start: {self.output}"
        assert self.process.poll() is None, self.output
        return self

    def family(self) -> list[Process]:
        """`up` and everything below it."""
        table = processes()
        family = [line for line in table if line.pid == self.process.pid]
        for line in family:
            family += [child for child in table if child.parent == line.pid]
        return family

    def leader(self, *words: str) -> int:
        """The direct child of `up` whose command has these words."""
        [pid] = [
            line.pid
            for line in processes()
            if line.parent == self.process.pid and all(word in line.command for word in words)
        ]
        return pid

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send the signal to `up` and wait; its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(STOP_SECONDS)


@contextmanager
def data_directory() -> Iterator[Path]:
    """Below the system's temporary directory, because a socket's name must be short."""
    path = Path(tempfile.mkdtemp(prefix="po-site-"))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def site(*arguments: str, **environment: str) -> Iterator[StartedSite]:
    """A running site, removed afterwards with its data: on SQLite, its tables made already, or on the server that
    ``DATABASE_URL`` names."""
    with data_directory() as var, own_database(var) as address:
        if address.startswith("postgres"):
            environment["DATABASE_URL"] = address
        running = StartedSite(var, *arguments, **environment)
        try:
            yield running.wait_until_up()
        finally:
            running.stop(signal.SIGTERM)
