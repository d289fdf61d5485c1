"""Sockets whose peers do not read, or that are too many: what they may take of a web process, a real one."""

import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as client
from websockets.exceptions import InvalidStatus

from arena.websocket import FRAGMENTS_MOST, BoundedWebSocketProtocol, websocket_client_address
from live.consumers import WRITE_TEXT

pytestmark = pytest.mark.processes

STALLED_SECONDS = 3
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Impatient(BoundedWebSocketProtocol):
    stalled_seconds = STALLED_SECONDS


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers each text."""
    assert scope["type"] == "websocket"
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": "x" * 1000})


async def at_once(scope: Any, receive: Any, send: Any) -> None:
    """An application that writes without waiting where it can: texts of every length of a frame's header."""
    await receive()
    assert not scope["extensions"][WRITE_TEXT]("too early")
    await send({"type": "websocket.accept"})
    for text in TEXTS:
        if not scope["extensions"][WRITE_TEXT](text):
            await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.send", "text": "the end"})
    await send({"type": "websocket.close"})
    assert not scope["extensions"][WRITE_TEXT]("too late")


TEXTS = ("", "a", "ä" * 100, "b" * 125, "c" * 126, "d" * 65535, "e" * 65536, "f" * 300_000, "g")


class Server:
    """A uvicorn of its own with our protocol."""

    def __init__(self, port: int, application: str, *options: str) -> None:
        self.port = port
        command = [sys.executable, "-m", "uvicorn", application, f"--port={port}"]
        command += ["--ws=tests.arena.test_websocket:Impatient", "--lifespan=off", "--ws-max-size=65536", *options]
        self.process = subprocess.Popen(command, env=os.environ, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        until(lambda: self.connect().close() is None, bear=ConnectionError)

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def open(self) -> socket.socket:
        """A socket that is upgraded and of which nothing will be read."""
        peer = socket.socket()
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.settimeout(30)
        peer.connect(("127.0.0.1", self.port))
        peer.sendall(UPGRADE)
        assert peer.recv(4096).startswith(b"HTTP/1.1 101")
        peer.settimeout(0.2)
        return peer

    @property
    def megabytes(self) -> float:
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        assert found
        return int(found[1]) / 1024


def until(condition: Callable[[], bool], *, seconds: float = 60, bear: type[Exception] = AssertionError) -> None:
    end = time.monotonic() + seconds
    while True:
        try:
            if condition():
                return
        except bear:
            pass
        assert time.monotonic() < end
        time.sleep(0.05)


@contextmanager
def serving(application: str, *options: str, module: str = __name__) -> Iterator[Server]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Server(port, f"{module}:{application}", *options)
    yield running
    running.process.send_signal(signal.SIGKILL)
    running.process.wait()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("echo") as running:
        yield running


@pytest.mark.parametrize("compression", [None, "deflate"])
def test_messages_written_at_once_arrive_whole_and_in_order(compression: str | None) -> None:
    with (
        serving("at_once") as running,
        client.connect(f"ws://127.0.0.1:{running.port}/", compression=compression) as ws,
    ):
        assert list(ws) == [*TEXTS, "the end"]


def frame(opcode: int, data: bytes, *, last: bool = True) -> bytes:
    """As a client sends it: masked, here with zeros."""
    head = struct.pack("!BB", opcode | (0x80 if last else 0), 0x80 | len(data))
    return head + bytes(4) + data


def flood(peer: socket.socket, data: bytes, *, megabytes: int) -> int:
    """Sends up to so many megabytes; how many bytes were taken before the server stopped reading or hung up."""
    sent = 0
    try:
        while sent < megabytes * 2**20:
            sent += peer.send(data)
    except (TimeoutError, ConnectionError):
        pass
    return sent


def is_dropped(peer: socket.socket) -> bool:
    """Whether the server has dropped the connection, seen without reading from it."""
    try:
        peer.send(frame(0x9, b""))
    except TimeoutError:
        return False
    except ConnectionError:
        return True
    return False


@pytest.mark.parametrize(
    "flooding", [frame(0x9, b"p" * 125) * 400, (frame(0x9, b"p" * 125) * 400 + frame(0x1, b"t")) * 2]
)
def test_a_peer_that_pings_and_never_reads_costs_little_and_is_dropped(server: Server, flooding: bytes) -> None:
    before = server.megabytes
    peers = [server.open() for _ in range(4)]
    taken = [flood(peer, flooding, megabytes=64) for peer in peers]
    assert max(taken) < 48 * 2**20, "the server read on without an end"
    during = server.megabytes
    assert during - before < 30
    until(lambda: all(is_dropped(peer) for peer in peers))
    print(f"before {before:.0f} MiB, during {during:.0f}, after {server.megabytes:.0f}")


def test_a_message_has_so_many_fragments_at_most(server: Server) -> None:
    peer = server.open()
    peer.sendall(frame(0x1, b"", last=False) + frame(0x0, b"", last=False) * (FRAGMENTS_MOST + 1))
    until(lambda: is_dropped(peer), seconds=STALLED_SECONDS * 10)


def test_a_heartbeat_comes_with_each_ping() -> None:
    with serving("echo", "--ws-ping-interval=0.1") as beating, beating.open() as peer:
        received = b""
        peer.settimeout(30)
        while received.count(b"\x81\x02{}") < 2:
            received += peer.recv(4096)
            if ping := re.search(rb"\x89\x04(.{4})", received, re.DOTALL):
                peer.sendall(b"\x8a\x84\0\0\0\0" + ping[1])
                received = received.replace(ping[0], b"")


def test_a_peer_that_reads_is_served_on(server: Server) -> None:
    with client.connect(f"ws://127.0.0.1:{server.port}/") as peer:
        for _ in range(200):
            peer.send("x")
            assert len(peer.recv(timeout=30)) == 1000
        assert peer.ping().wait(30)


@pytest.mark.parametrize(
    ("client_address", "forwarded", "proxies", "counted"),
    [
        ("192.0.2.1", None, 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", 0, "192.0.2.1"),
        ("192.0.2.1", "203.0.113.9, 198.51.100.7", 1, "198.51.100.7"),
        ("192.0.2.1", "203.0.113.9, 198.51.100.7", 2, "203.0.113.9"),
        ("192.0.2.1", "198.51.100.7", 2, ""),
        ("2001:db8:1:2:3:4:5:6", None, 0, "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", None, 0, "192.0.2.1"),
        ("192.0.2.1", "unknown", 1, ""),
    ],
)
def test_an_address_is_counted_as_its_proxies_saw_it(
    client_address: str, forwarded: str | None, proxies: int, counted: str
) -> None:
    headers = [] if forwarded is None else [(b"x-forwarded-for", forwarded.encode())]
    assert websocket_client_address({"client": (client_address, 5), "headers": headers}, proxies) == counted


@pytest.fixture
def crowded(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that takes three sockets of an address, and five in all."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "uvicorn",
        "tests.arena.few_sockets:application",
        f"--port={port}",
        "--lifespan=off",
    ]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    until(lambda: socket.create_connection(("127.0.0.1", port)).close() is None, bear=ConnectionError)
    yield port
    process.kill()
    process.wait()


def test_sockets_of_an_address_and_in_all_are_capped(crowded: int) -> None:
    def visit(address: str) -> Any:
        headers = {"X-Forwarded-For": address}
        return stack.enter_context(
            client.connect(f"ws://127.0.0.1:{crowded}/", additional_headers=headers, open_timeout=30)
        )

    stack = ExitStack()
    first = [visit("192.0.2.1") for _ in range(3)]
    with pytest.raises(InvalidStatus):
        visit("192.0.2.1")
    others = [visit("192.0.2.2") for _ in range(2)]
    with pytest.raises(InvalidStatus):
        visit("192.0.2.3")
    first[0].close()
    until(lambda: first.append(visit("192.0.2.1")) is None, bear=InvalidStatus)
    assert len(others) == 2
    stack.close()
