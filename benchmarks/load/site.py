"""The site for load tests. Each of its programs runs in its own group of processes, so that their time can be measured.

With two or more cores, web, database and Valkey use one half of them, workers and visitors the other.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import psycopg
import redis

from benchmarks.orchestration import cpu_of
from tests.browser.running import STRIPPED
from tests.chaos.programs import Program
from tests.chaos.stores import postgres, valkey
from tests.waiting import eventually

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = "127.0.0.1"
QUIET: Final = ("--without-gossip", "--without-mingle", "--without-heartbeat", "--loglevel=WARNING")
POOLS: Final = {
    "matches": ("--queues=matches", "--concurrency=1"),
    "checks": ("--queues=checks", "--concurrency=1"),
    "books": ("--queues=books", "--concurrency=2"),
    "housekeeping": ("--queues=housekeeping", "--pool=solo", "--beat"),
}
SERVING: Final = ("web", "PostgreSQL", "Valkey")


def halves() -> tuple[list[int], list[int]]:
    """Return the cores of the serving programs, and those of workers and visitors. With one core, both are the same."""
    cores = sorted(os.sched_getaffinity(0))
    half = (len(cores) + 1) // 2
    return cores[:half], cores[half:] or cores


class Site:
    """A site. Entering it starts the stores, ``start`` the other programs. It uses ``port`` and the 20 ports above."""

    def __init__(self, port: int, sockets: int) -> None:
        self.port = port
        self.url = f"http://{HERE}:{port}"
        self.directory = Path(tempfile.mkdtemp(prefix="po-load-"))
        self.directory.chmod(0o755)
        inherited = {name: value for name, value in os.environ.items() if name not in STRIPPED}
        self.environment = inherited | {
            "PECKING_ORDER_VAR": str(self._folder("var")),
            "DJANGO_SETTINGS_MODULE": "arena.settings.dev",
            "SECRET_KEY": "of a site that lives for some minutes",
            "DATABASE_URL": f"postgres://peck@{HERE}:{port + 20}/postgres",
            "REDIS_URL": f"redis://{HERE}:{port + 10}/0",
            "PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}",
            "SOCKETS_PER_ADDRESS": str(2 * sockets),  # all spectators come from this machine
            "WEB_DRAIN_SECONDS": "0",
        }
        self.serving, self.working = halves()
        self.programs = {
            "PostgreSQL": postgres(self.directory / "pg", port + 20, self._log("PostgreSQL"), self.environment),
            "Valkey": valkey(port + 10, self._log("Valkey"), self.environment),
            "web": self._program("web", "-m", "arena.serving", f"--host={HERE}", f"--port={port}"),
        }
        for name, pool in POOLS.items():
            words = ("-m", "celery", "-A", "arena.celery_app", "worker", f"--hostname={name}@%h", *QUIET, *pool)
            self.programs[name] = self._program(name, *words)
        for name, program in self.programs.items():
            cores = self.serving if name in SERVING else self.working
            program.command = ("taskset", "--cpu-list", ",".join(map(str, cores)), *program.command)

    def __enter__(self) -> Self:
        os.environ.update(self.environment)  # this process has the configuration of the site
        try:
            self.programs["PostgreSQL"].start()
            self.programs["Valkey"].start()
            assert eventually(self._stores_answer, 60, 0.1), self.log_ends()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        for program in reversed(self.programs.values()):
            program.end()
        shutil.rmtree(self.directory, ignore_errors=True)

    def start(self) -> None:
        """Start web, workers and the other programs."""
        for name, program in self.programs.items():
            if name not in ("PostgreSQL", "Valkey"):
                program.start()
        present = "select count(*) from matches_workerpresence where name like 'matches@%'"
        assert eventually(lambda: self.count(present) == 1, 120, 0.5), self.log_ends()
        os.sched_setaffinity(0, self.working)

    def count(self, sql: str) -> int:
        """Return the number that a query on the database returns."""
        with psycopg.connect(self.environment["DATABASE_URL"], autocommit=True) as connection:
            row = connection.execute(sql.encode()).fetchone()
        return int(row[0]) if row else 0

    def cpu(self) -> dict[str, float]:
        """Return the processor time of each group of processes so far, in seconds."""
        families = {name: program.family() for name, program in self.programs.items()}
        return {name: cpu_of(family[0].pid) if family else 0.0 for name, family in families.items()}

    def log_ends(self) -> str:
        """Return the end of each log file."""
        return "\n".join(path.read_text(errors="replace")[-1500:] for path in sorted(self.directory.glob("*.log")))

    def _program(self, name: str, *words: str) -> Program:
        return Program(name, (sys.executable, *words), log=self._log(name), environment=self.environment)

    def _folder(self, name: str) -> Path:
        path = self.directory / name
        path.mkdir(mode=0o700)
        return path

    def _log(self, name: str) -> Path:
        return self.directory / f"{name}.log"

    def _stores_answer(self) -> bool:
        try:
            server = redis.Redis(host=HERE, port=self.port + 10, socket_timeout=2)
            return self.count("select 1") == 1 and bool(server.ping())
        except (psycopg.Error, redis.RedisError, OSError):
            return False
