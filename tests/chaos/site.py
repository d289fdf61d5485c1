"""The site under test: PostgreSQL and Valkey, and two hosts, of which both play matches and one does all the rest."""

import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psycopg
import redis

from tests.browser.running import STRIPPED, Process
from tests.chaos.hosts import HERE, Host, small_disk
from tests.chaos.programs import Program
from tests.chaos.stores import postgres, valkey
from tests.waiting import eventually

ROOT: Final = Path(__file__).resolve().parents[2]
POOLS: Final = ("matches", "checks", "books", "housekeeping", "hooks")
LEASE_SECONDS: Final = 20  # as on any site
DISK_MEGABYTES: Final = 600
FAKETIME: Final = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
HOUSE, PLAYER = "house", "player"  # the hosts: `up` with everything, and a worker of matches


class Site:
    """Its programs are started on entering and killed on leaving. ``port`` and the 20 above it are its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.directory = Path(tempfile.mkdtemp(prefix="po-chaos-"))
        self.directory.chmod(0o755)
        self.disk = self.directory / "disk"
        self.disk.mkdir()
        self.has_disk = small_disk(self.disk, DISK_MEGABYTES)
        self.house, self.player = Host(HOUSE, 1), Host(PLAYER, 2)
        self.url = f"http://{self.house.address}:{port}"
        self._secret = secrets.token_urlsafe(50)
        ours = self.environment(HERE, "driver")
        self.database = ours["DATABASE_URL"]
        self.postgres = postgres(self.disk / "pg", port + 20, self._log("postgres"), ours)
        self.valkey = valkey(port + 10, self._log("valkey"), ours)
        command = ("manage.py", "up", f"--host={self.house.address}", f"--port={port}", "--workers=1", "--no-demo")
        self.up = self._program(self.house, command)
        self.worker = self.player_worker()

    def __enter__(self) -> Self:
        os.environ.update(self.environment(HERE, "driver"))  # this process is configured as the site's are
        os.chdir(ROOT)
        try:
            self.postgres.start()
            self.valkey.start()
            assert eventually(self._stores_answer, 60, 0.1), self.logs_tail("postgres", "valkey")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for program in (self.up, self.worker, self.valkey, self.postgres):
            program.end()
        if self.has_disk:
            # A process that was killed may hold a file for a moment longer.
            subprocess.run(["umount", "--lazy", str(self.disk)], check=False)
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self) -> None:
        """Start web processes, match workers and result workers; the database has its tables already."""
        self.up.start()
        self.worker.start()
        assert eventually(lambda: self.status("/readyz") == 200, 180, 0.2), self.logs_tail(HOUSE)
        assert eventually(lambda: len(self.query("select 1 from matches_workerpresence")) == 2, 120, 0.5), "no workers"

    def player_worker(self, **environment: str) -> Program:
        """Return a worker of matches for the second host, not started yet."""
        quiet = ("--without-gossip", "--without-mingle", "--without-heartbeat")
        pool = ("--hostname=player@%h", "--queues=matches", "--concurrency=1", "--loglevel=INFO", *quiet)
        return self._program(self.player, ("-m", "celery", "-A", "arena.celery_app", "worker", *pool), **environment)

    def environment(self, stores: str, host: str) -> dict[str, str]:
        """Return the environment of programs on ``host``, which sees the stores at the address ``stores``."""
        var = self.disk / host
        var.mkdir(exist_ok=True, mode=0o700)
        inherited = {name: value for name, value in os.environ.items() if name not in STRIPPED}
        return inherited | {
            "PECKING_ORDER_VAR": str(var),
            "DJANGO_SETTINGS_MODULE": "arena.settings.dev",
            "SECRET_KEY": self._secret,
            "ALLOWED_HOSTS": self.house.address,
            "DATABASE_URL": f"postgres://peck@{stores}:{self.port + 20}/postgres",
            "REDIS_URL": f"redis://{stores}:{self.port + 10}/0",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
        }

    # --- what is seen from outside ---------------------------------------------------------------------------------
    def query(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        """Ask the database itself.

        Raises:
            psycopg.Error: it does not answer within seconds.
        """
        options = "-c statement_timeout=20000"
        with psycopg.connect(self.database, connect_timeout=3, options=options, autocommit=True) as connection:
            return connection.execute(sql.encode(), values).fetchall()

    def redis(self) -> redis.Redis:
        return redis.Redis(host=HERE, port=self.port + 10, socket_timeout=5, socket_connect_timeout=2)

    def status(self, path: str, timeout: float = 3) -> int:
        """Return the status of the response to an anonymous visitor; 0 if there is none."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=timeout) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def pool(self, queue: str, host: str) -> list[Process]:
        """Return the processes of the worker that serves ``queue`` on ``host``, its first process first."""
        if host == HOUSE:
            name = "match worker 1" if queue == "matches" else "background worker"
            return [one for one in self.up.family() if name in one.command]
        family = self.worker.family()
        leaders = [one for one in family if f"--queues={queue}" in one.command and "celery" in one.command]
        if not leaders:
            return []
        first = leaders[0]
        return [first, *(one for one in family if one.parent == first.pid and "celery" in one.command)]

    def logs_tail(self, *logs: str) -> str:
        """Return the end of what the programs wrote."""
        texts = [path for name in logs for path in (self._log(name),) if path.exists()]
        return "\n".join(path.read_text(errors="replace")[-3000:] for path in texts)

    def logs_copy(self, folder: Path) -> None:
        """Copy what all programs wrote to ``folder``."""
        folder.mkdir(parents=True, exist_ok=True)
        for path in [*self.directory.glob("*.log"), *self.disk.glob("*/logs/*.log")]:
            shutil.copyfile(path, folder / path.name)

    def web(self) -> list[Process]:
        """Return the web process."""
        return [one for one in self.up.family() if "web server" in one.command]

    def web_megabytes(self) -> int:
        """Return the most memory that the present web process has ever had, in MiB; 0 if there is none."""
        peaks = [0]
        for process in self.web():
            with suppress(OSError):
                status = Path(f"/proc/{process.pid}/status").read_text()
                peaks += [int(line.split()[1]) >> 10 for line in status.splitlines() if line.startswith("VmHWM")]
        return max(peaks)

    def _program(self, host: Host, words: tuple[str, ...], **environment: str) -> Program:
        variables = self.environment(host.ours, host.name) | environment
        return Program(host.name, host.command(sys.executable, *words), log=self._log(host.name), environment=variables)

    def _log(self, name: str) -> Path:
        return self.directory / f"{name}.log"

    def _stores_answer(self) -> bool:
        with suppress(psycopg.Error, redis.RedisError, OSError):
            return self.query("select 1") == [(1,)] and bool(self.redis().ping())
        return False


def kill(process: Process, number: signal.Signals) -> None:
    """Send a signal to what may have ended meanwhile."""
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)
