"""Compressed messages: what is agreed with a client, that all are sent the same bytes, and what a bomb may cost."""

import random
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.client as client

from arena.websocket import DEFLATED_FROM, FRAGMENTS_MOST, GROWTH_MOST, SharedDeflate
from live.consumers import WRITE_TEXT
from tests.arena.test_websocket import UPGRADE, Server, serving, until

pytestmark = pytest.mark.processes

AGREED = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
BROWSER = "permessage-deflate; client_max_window_bits"
SHORT, LONG = "s" * (DEFLATED_FROM - 1), "long " * DEFLATED_FROM
MEGABYTES_MOST = 12  # by which the server may grow
COMPRESSED = 0x40  # RSV1


async def both_ways(scope: Any, receive: Any, send: Any) -> None:
    """Write at once and by ``send``, texts and bytes; then answer each message with its length."""
    await receive()
    await send({"type": "websocket.accept"})
    for text in (SHORT, LONG):
        assert scope["extensions"][WRITE_TEXT](text)
        await send({"type": "websocket.send", "text": text})
    await send({"type": "websocket.send", "bytes": LONG.encode()})
    while (message := await receive())["type"] == "websocket.receive":
        await send({"type": "websocket.send", "text": str(len(message["text"]))})


async def more_than_is_read(scope: Any, receive: Any, send: Any) -> None:
    """Write until no more can be taken at once, then wait with ``send``."""
    await receive()
    await send({"type": "websocket.accept"})
    number = 0
    while scope["extensions"][WRITE_TEXT](hardly_smaller(number)):
        number += 1
    await send({"type": "websocket.send", "text": hardly_smaller(number)})
    await send({"type": "websocket.send", "text": ""})


def hardly_smaller(number: int) -> str:
    """Return a text of 200,000 hexadecimal digits, of which compression leaves half."""
    return random.Random(number).randbytes(100_000).hex()


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with serving("both_ways", module=__name__) as running:
        yield running


class Peer:
    """A client that sees frames as they come."""

    def __init__(self, server: Server, offer: str) -> None:
        self.socket = server.connect()
        offered = f"Sec-WebSocket-Extensions: {offer}\r\n\r\n".encode() if offer else b"\r\n"
        self.socket.sendall(UPGRADE.removesuffix(b"\r\n") + offered)
        self._came = b""
        head = self._until(b"\r\n\r\n").decode()
        assert head.startswith("HTTP/1.1 101"), head
        found = re.search(r"^sec-websocket-extensions: (.*)\r$", head, re.MULTILINE | re.IGNORECASE)
        self.agreed = found[1] if found else ""

    def frame(self) -> tuple[int, bytes]:
        """Return the first byte of the next frame, and its payload."""
        first, length = self._take(2)
        if length >= 126:
            length = int.from_bytes(self._take(2 if length == 126 else 8))
        return first, self._take(length)

    def closed_with(self) -> int:
        """Return the code with which the server closes."""
        while (got := self.frame())[0] & 15 != 8:
            pass
        return int.from_bytes(got[1][:2])

    def _take(self, size: int) -> bytes:
        while len(self._came) < size:
            self._read()
        taken, self._came = self._came[:size], self._came[size:]
        return taken

    def _until(self, end: bytes) -> bytes:
        while end not in self._came:
            self._read()
        taken, _, self._came = self._came.partition(end)
        return taken + end

    def _read(self) -> None:
        came = self.socket.recv(65536)
        assert came, "the server has hung up"
        self._came += came


def frame(data: bytes, opcode: int = 0x1, *, last: bool = True, compressed: bool = True) -> bytes:
    """As a client sends it: masked, here with zeros. ``data`` is compressed already; only the first frame says so."""
    head = opcode | (0x80 if last else 0) | (COMPRESSED if compressed and opcode else 0)
    length = struct.pack("!B", 0x80 | len(data)) if len(data) < 126 else struct.pack("!BH", 0xFE, len(data))
    return bytes([head]) + length + bytes(4) + data


def deflated(data: bytes, flush: int = zlib.Z_SYNC_FLUSH) -> bytes:
    packer = zlib.compressobj(9, wbits=-15)
    return (packer.compress(data) + packer.flush(flush)).removesuffix(b"\0\0\xff\xff")


def inflated(payload: bytes) -> bytes:
    return zlib.decompressobj(-15).decompress(payload + b"\0\0\xff\xff")


def in_fragments(data: bytes, count: int) -> bytes:
    size = -(-len(data) // count)
    parts = [data[at : at + size] for at in range(0, len(data), size)]
    last = len(parts) - 1
    return b"".join(frame(part, 0 if number else 1, last=number == last) for number, part in enumerate(parts))


@pytest.mark.parametrize(
    ("offer", "agreed"),
    [
        (BROWSER, AGREED),
        ("permessage-deflate", AGREED),
        ("permessage-deflate; client_max_window_bits=10", f"{AGREED}; client_max_window_bits=10"),
        ("permessage-deflate; server_max_window_bits=15", f"{AGREED}; server_max_window_bits=15"),
        ("permessage-deflate; server_max_window_bits=14", ""),
        ("permessage-deflate; server_max_window_bits=8", ""),
        ("permessage-deflate; server_max_window_bits=10, permessage-deflate", AGREED),
        ("permessage-deflate; level=9", ""),
        ("x-webkit-deflate-frame", ""),
        ("", ""),
    ],
)
def test_only_settings_common_to_all_sockets_are_agreed(server: Server, offer: str, agreed: str) -> None:
    peer = Peer(server, offer)
    assert peer.agreed == agreed
    frames = [peer.frame() for _ in range(5)]
    if not agreed:
        assert [first for first, _ in frames] == [0x81] * 4 + [0x82]
        assert [data.decode() for _, data in frames] == [SHORT, SHORT, LONG, LONG, LONG]
        return
    assert [first for first, _ in frames] == [0x81, 0x81, 0xC1, 0xC1, 0xC2]
    assert [data.decode() for _, data in frames[:2]] == [SHORT, SHORT]
    assert [inflated(data).decode() for _, data in frames[2:]] == [LONG] * 3
    assert len(frames[2][1]) < len(LONG) / 10


def test_all_sockets_are_sent_the_same_bytes(server: Server) -> None:
    offers = (BROWSER, "permessage-deflate", "permessage-deflate; client_max_window_bits=9")
    first, *others = [[Peer(server, offer).frame() for _ in range(5)] for offer in offers]
    assert others == [first, first]


@pytest.mark.parametrize("offer", [BROWSER, ""])
def test_delayed_messages_to_a_slow_reader_are_compressed_too(offer: str) -> None:
    with serving("more_than_is_read", module=__name__) as running:
        peer = Peer(running, offer)
        Peer(running, offer)  # is let in when the server waits for the first one
        frames = []
        while (got := peer.frame()) != (0x81, b""):
            frames.append(got)
    assert {first for first, _ in frames} == {0xC1 if offer else 0x81}
    texts = [inflated(data) if offer else data for _, data in frames]
    assert texts == [hardly_smaller(number).encode() for number in range(len(frames))]


def test_heartbeats_are_not_compressed() -> None:
    with serving("both_ways", "--ws-ping-interval=0.1", module=__name__) as beating:
        peer = Peer(beating, BROWSER)
        while peer.frame() != (0x81, b"{}"):
            pass


def test_compressed_messages_of_clients_are_read(server: Server) -> None:
    with client.connect(f"ws://127.0.0.1:{server.port}/", compression="deflate", max_size=None) as peer:
        assert [peer.recv(timeout=30) for _ in range(5)] == [SHORT, SHORT, LONG, LONG, LONG.encode()]
        for length in (1, 2000, 65536):
            peer.send("x" * length)
            assert peer.recv(timeout=30) == str(length)
        peer.send(["y" * 1000] * 60)  # in as many fragments
        assert peer.recv(timeout=30) == "60000"


ZEROS = deflated(bytes(60 * 2**20))  # some 60 kB
FULL = frame(deflated(bytes(65536)))
BOMBS = {
    "whole": frame(ZEROS),
    "in fragments": in_fragments(ZEROS, 50),
    "many at once, each as long as a message may be": FULL * 3000,
    "up to the limit, then more": frame(deflated(bytes(65536)), last=False) + frame(deflated(bytes(1)), 0),
    "behind the end of the data": frame(deflated(b"", zlib.Z_FINISH), last=False)
    + frame(bytes(65000), 0, last=False) * (FRAGMENTS_MOST - 2),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_a_message_that_inflates_too_much_is_refused_before_it_takes_memory(server: Server, bomb: bytes) -> None:
    with client.connect(f"ws://127.0.0.1:{server.port}/") as warm:
        warm.send("x" * 65536)
        until(lambda: warm.recv(timeout=30) == "65536")
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")  # the peak restarts
    before = peak_megabytes(server)
    peers = [Peer(server, BROWSER) for _ in range(4)]
    for peer in peers:
        with suppress(ConnectionError):
            peer.socket.sendall(bomb)
    codes = [closed(peer) for peer in peers]
    grown = peak_megabytes(server) - before
    print(f"closed with {codes}, {grown:.1f} MiB more")
    assert set(codes) <= {1002, 1009, None}
    assert grown < MEGABYTES_MOST


def test_compressed_messages_have_so_many_fragments_at_most(server: Server) -> None:
    peer = Peer(server, BROWSER)
    nothing = frame(b"\0\0\0\xff\xff", 0, last=False)
    peer.socket.sendall(frame(b"", last=False) + nothing * (FRAGMENTS_MOST + 1))
    assert closed(peer) is None


def test_a_burst_of_requests_is_no_bomb(server: Server) -> None:
    peer = Peer(server, BROWSER)
    request = b'{"subscribe":["tournament.5:' + bytes(range(48, 91)) * 20 + b'"]}'
    peer.socket.sendall(frame(deflated(request)) * (GROWTH_MOST // len(request)))
    for _ in range(5):
        peer.frame()
    for _ in range(GROWTH_MOST // len(request)):
        assert peer.frame() == (0x81, str(len(request)).encode())


def test_an_idle_socket_holds_no_compressor() -> None:
    extension = SharedDeflate()
    assert not hasattr(extension, "encoder")
    assert not hasattr(extension, "decoder")


def closed(peer: Peer) -> int | None:
    """Return the code with which the server closes; None if it hangs up without one."""
    try:
        return peer.closed_with()
    except (AssertionError, ConnectionError):
        return None


def peak_megabytes(server: Server) -> float:
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found
    return int(found[1]) / 1024
