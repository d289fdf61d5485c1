"""A stopping web process: first it is not ready, then its sockets reconnect elsewhere, then it ends."""

import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.browser.running import Site, data_directory, free_port
from tests.databases import migrated
from tests.waiting import eventually

pytestmark = pytest.mark.processes


def status(address: str) -> int:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return 0


@pytest.fixture
def site() -> Iterator[Site]:
    with data_directory() as var:
        migrated(var / "db.sqlite3")
        yield Site(var, free_port())


def served(site: Site, seconds: int) -> "subprocess.Popen[bytes]":
    environment = site.environment | {"WEB_DRAIN_SECONDS": str(seconds), "ALLOWED_HOSTS": "127.0.0.1"}
    command = [sys.executable, "-m", "arena.serving", f"--port={site.port}"]
    log = (site.var / "log").open("wb")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    assert eventually(lambda: status(f"{site.url}/readyz") == 200), Path(log.name).read_text()
    return process


def test_it_leaves_service_before_it_closes_and_sends_its_sockets_elsewhere(site: Site) -> None:
    process = served(site, 1000)
    with connect(f"ws://127.0.0.1:{site.port}/ws/live/", origin=site.url) as socket:  # type: ignore[arg-type]
        process.send_signal(signal.SIGTERM)
        assert eventually(lambda: status(f"{site.url}/readyz") == 503)
        assert status(f"{site.url}/healthz") == status(f"{site.url}/api/tournaments/") == 200
        process.send_signal(signal.SIGTERM)  # an operator who cannot wait sends it twice
        assert eventually(lambda: _closed(socket) == 1012)
    assert process.wait(60) == -signal.SIGTERM


@pytest.mark.parametrize("seconds", [0, 1])
def test_it_closes_by_itself_when_it_has_had_its_time(site: Site, seconds: int) -> None:
    process = served(site, seconds)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == -signal.SIGTERM


def _closed(socket: ClientConnection) -> int | None:
    with suppress(ConnectionClosed, TimeoutError):
        socket.recv(timeout=1)
    return socket.close_code
