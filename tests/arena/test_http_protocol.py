"""A reader of a page who reads nothing is dropped by a web process, a real one; one who is slow is not."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from arena.http_protocol import BoundedHttpProtocol
from tests.waiting import eventually

pytestmark = pytest.mark.processes

SIZE = 8_000_000


class Impatient(BoundedHttpProtocol):
    stalled_seconds = 2.0


async def large(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends more than any buffer takes."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(SIZE).encode())]})
    for _ in range(SIZE // 50_000):
        await send({"type": "http.response.body", "body": bytes(50_000), "more_body": True})
    await send({"type": "http.response.body"})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    module = "tests.arena.test_http_protocol"
    command = [sys.executable, "-m", "uvicorn", f"{module}:large", f"--port={number}", f"--http={module}:Impatient"]
    server = subprocess.Popen([*command, "--lifespan=off"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        assert eventually(lambda: answers(number), 60)
        yield number
    finally:
        server.kill()
        server.wait()


def answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
    except OSError:
        return False
    return True


def reader(port: int) -> socket.socket:
    peer = socket.socket()
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    peer.settimeout(60)
    peer.connect(("127.0.0.1", port))
    peer.sendall(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    return peer


def test_who_reads_nothing_is_dropped(port: int) -> None:
    with reader(port) as peer:
        time.sleep(4 * Impatient.stalled_seconds)  # what the kernel still takes counts as read at first
        assert read_all(peer) < SIZE


def test_who_reads_slowly_is_sent_all(port: int) -> None:
    with reader(port) as peer:
        slow_until = time.monotonic() + 5 * Impatient.stalled_seconds
        read = 0
        while time.monotonic() < slow_until:  # at a tenth of what the server must have sent to write on
            read += len(peer.recv(4096))
            time.sleep(0.05)
        assert read + read_all(peer) > SIZE  # and the header


def read_all(peer: socket.socket) -> int:
    """Return how many bytes still come."""
    read = 0
    try:
        while part := peer.recv(65536):
            read += len(part)
    except ConnectionResetError:
        pass
    return read
