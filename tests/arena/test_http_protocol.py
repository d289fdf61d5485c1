"""What a peer can do to a web process, a real one: read nothing, send a head without end, trailers behind a body."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from arena.http_protocol import BoundedHttpProtocol
from tests.waiting import eventually

pytestmark = pytest.mark.processes

SIZE = 8_000_000


class Impatient(BoundedHttpProtocol):
    stalled_seconds = 2.0


async def echo_headers(scope: Any, receive: Any, send: Any) -> None:
    """An application that responds with the headers that it has once it has read the whole request."""
    size = 0
    while True:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            break
    body = b"%d %r" % (size, list(scope["headers"]))
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


async def either(scope: Any, receive: Any, send: Any) -> None:
    await (echo_headers if scope["path"].startswith("/echo") else large)(scope, receive, send)


async def large(scope: Any, receive: Any, send: Any) -> None:
    """An application that sends more than any buffer takes."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", str(SIZE).encode())]})
    for _ in range(SIZE // 50_000):
        await send({"type": "http.response.body", "body": bytes(50_000), "more_body": True})
    await send({"type": "http.response.body"})


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[int, int]]:
    """Return the port and the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = int(free.getsockname()[1])
    module = "tests.arena.test_http_protocol"
    command = [sys.executable, "-m", "uvicorn", f"{module}:either", f"--port={number}", f"--http={module}:Impatient"]
    process = subprocess.Popen([*command, "--lifespan=off"], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        assert eventually(lambda: answers(number), 60)
        yield number, process.pid
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def port(server: tuple[int, int]) -> int:
    return server[0]


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


def test_a_client_that_reads_nothing_is_dropped(port: int) -> None:
    with reader(port) as peer:
        time.sleep(4 * Impatient.stalled_seconds)  # what the kernel still takes counts as read at first
        assert read_all(peer) < SIZE


def test_a_slow_client_gets_the_whole_response(port: int) -> None:
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


def exchange(port: int, *pieces: bytes) -> bytes:
    """Return what is answered, up to the end of the connection; what follows a refusal may not be read any more."""
    found = b""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as peer:
        try:
            for piece in pieces:
                peer.sendall(piece)
            while part := peer.recv(65536):
                found += part
        except (ConnectionResetError, BrokenPipeError):
            pass
    return found


HEAD = b"GET /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


@pytest.mark.parametrize(
    "trailers",
    [
        b"Accept-Language: de\r\n",
        b"Cookie: theme=dark\r\nX-Live-Have: 0\r\n",
        b"Authorization: Token x\r\nHost: elsewhere\r\nExpect: 100-continue\r\n",
    ],
)
@pytest.mark.parametrize("chunks", [b"0\r\n", b"1\r\nx\r\n0\r\n", b"3;a=b\r\nabc\r\n0\r\n"])
def test_trailers_are_no_headers(port: int, chunks: bytes, trailers: bytes) -> None:
    headers = [(b"host", b"here"), (b"connection", b"close"), (b"transfer-encoding", b"chunked")]
    for pieces in ([CHUNKED + chunks + trailers + b"\r\n"], [CHUNKED, chunks, trailers, b"\r\n"]):
        answer = exchange(port, *pieces)
        assert answer.startswith(b"HTTP/1.1 200 ")
        assert answer.endswith(repr(headers).encode())


def lines(count: int, size: int) -> bytes:
    return b"".join(b"x-%04d: %b\r\n" % (number, b"a" * (size - 10)) for number in range(count))


@pytest.mark.parametrize(
    "head",
    [
        HEAD + lines(99, 12) + b"\r\n",
        HEAD + lines(1, 80_000) + b"\r\n",
        HEAD + lines(70, 1000) + b"\r\n",
        b"GET /echo?" + b"a" * 80_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /echo HTTP/1.1\r\n" + b"a" * 80_000,
        CHUNKED + b"0\r\n" + lines(100, 12) + b"\r\n",
        CHUNKED + b"0\r\n" + lines(1, 80_000),
        CHUNKED + b"1;" + b"a" * 80_000,
        HEAD.replace(b"Connection: close\r\n", b"\r\n") + HEAD + lines(99, 12) + b"\r\n",
    ],
)
def test_a_head_that_is_too_long_is_refused(port: int, head: bytes) -> None:
    answer = exchange(port, head[:60_000], head[60_000:])
    assert b"HTTP/1.1 431 " in answer or answer == b"", "what was sent on top may end the connection first"
    assert exchange(port, HEAD + b"\r\n").startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize(
    "head", [HEAD + lines(98, 12), HEAD + lines(60, 1000), HEAD + lines(1, 65_000), HEAD + lines(4, 16_000)]
)
def test_a_long_head_is_read(port: int, head: bytes) -> None:
    for step in (len(head), 1 << 14, 997):
        pieces = [head[start : start + step] for start in range(0, len(head), step)]
        assert exchange(port, *pieces, b"\r\n").startswith(b"HTTP/1.1 200 ")


def test_a_long_body_is_no_head(port: int) -> None:
    post = HEAD.replace(b"GET", b"POST")
    length = post + b"Content-Length: 300000\r\n\r\n" + b"b" * 300_000
    chunked = post + b"Transfer-Encoding: chunked\r\n\r\n" + b"186a0\r\n%b\r\n" % (b"b" * 100_000) * 3 + b"0\r\n\r\n"
    assert b"300000 [" in exchange(port, length)
    assert b"300000 [" in exchange(port, chunked)


@pytest.mark.parametrize("way", ["lines", "line", "address", "trailers"])
def test_a_head_without_end_takes_no_memory(server: tuple[int, int], way: str) -> None:
    port, process = server
    begin, more = {
        "lines": (HEAD, b"a:\r\n" * 4096),
        "line": (HEAD + b"a:", b"a" * 16384),
        "address": (b"GET /echo?", b"a" * 16384),
        "trailers": (CHUNKED + b"0\r\n", b"a:\r\n" * 4096),
    }[way]
    before = memory(process)
    peers = []
    try:
        for _ in range(16):
            peers.append(socket.create_connection(("127.0.0.1", port), timeout=60))
            with suppress(OSError):
                peers[-1].sendall(begin + more * (4 * 1024 * 1024 // len(more)))
        assert exchange(port, HEAD + b"\r\n").startswith(b"HTTP/1.1 200 ")
        assert memory(process) - before < 16 * 1024, "KiB, for 64 MiB that were sent"
    finally:
        for peer in peers:
            peer.close()


def memory(process: int) -> int:
    """Return what a process holds of memory, in KiB."""
    found = re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{process}/status").read_text())
    assert found
    return int(found[1])
