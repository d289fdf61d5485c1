"""A site of its own in a directory: a real Valkey, real Celery processes, a database that is read from outside."""

import base64
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis

from tests.brokers import answers, command_of
from tests.databases import own_database, rows
from tests.waiting import eventually

ROOT = Path(__file__).resolve().parents[2]


class Site:
    """Processes started here are killed, each with its whole group, when the site is left."""

    def __init__(self, directory: Path, *, empty: bool = False, **environment: str) -> None:
        self.directory = directory
        self.checkout = ROOT  # whose code the programs run that are started from now on
        self.empty = empty  # without tables
        self.processes: list[subprocess.Popen[bytes]] = []
        self._processes = ExitStack()
        self.environment = {
            **os.environ,
            "PECKING_ORDER_VAR": str(directory),
            "DJANGO_SETTINGS_MODULE": "tests.matches.worker_settings",
            "SECRET_KEY": "test",
            **environment,
        }

    def __enter__(self) -> Self:
        self.database = self._processes.enter_context(own_database(self.directory, empty=self.empty))
        self.environment["DATABASE_URL"] = self.database
        socket = self.directory / "valkey.sock"
        self.start(*command_of(socket))
        self.redis = redis.Redis(unix_socket_path=str(socket))
        self.wait_for(lambda: answers(socket), 60)
        if not (self.empty or self.database.startswith("sqlite")):
            self.run("-m", "django", "migrate", "--run-syncdb", "--verbosity=0")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._processes.close()

    def run(self, *arguments: str) -> str:
        """The output of a Python program that must succeed."""
        command = [sys.executable, *arguments]
        environment = self.environment | self._path()
        return subprocess.run(
            command, env=environment, cwd=self.checkout, check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def start(self, *command: str, **environment: str) -> subprocess.Popen[bytes]:
        """A process in a group of its own."""
        log = self._processes.enter_context((self.directory / "log").open("ab"))
        process = subprocess.Popen(
            command,
            env={**self.environment, **self._path(), **environment},
            cwd=self.checkout,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self.processes.append(process)
        self._processes.callback(kill_group, process)
        return process

    def celery(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        """A process of the site's Celery application."""
        return self.start(sys.executable, "-m", "celery", "-A", "arena.celery_app", *arguments, **environment)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """What another program reads in the database."""
        return rows(self.database, sql)

    def queued(self, queue: str) -> list[list[Any]]:
        """The arguments of each task in ``queue``."""
        messages: list[bytes] = self.redis.lrange(queue, 0, -1)  # type: ignore[assignment]  # of the synchronous client
        return [json.loads(base64.b64decode(json.loads(message)["body"]))[0] for message in messages]

    def wait_for(self, condition: Callable[[], bool], seconds: float) -> None:
        """Until ``condition`` holds; the test fails with the processes' log if it does not in time."""
        assert eventually(condition, seconds, 0.1), (self.directory / "log").read_text()[-6000:]

    def _path(self) -> dict[str, str]:
        return {"PYTHONPATH": f"{self.checkout}:{self.checkout / 'platform'}"}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """kill -9 for the process and all it has started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
