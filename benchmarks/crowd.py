"""A thousand minimal WebSocket clients that count messages and record when they arrive, to measure a server."""

import asyncio
import time
import zlib
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

TEXT: Final = 1
PING: Final = 9
COMPRESSED: Final = 0x40  # RSV1
HEARTBEAT: Final = b"{}"
HEAD: Final = 200  # bytes at the start of a message that tell whether it has rows
ROWS: Final = b'"rows":['
RELOAD: Final = b'"reload":true'


class Crowd:
    """Counts the messages of all viewers; the accepted connection counts as the first. ``came`` has ``perf_counter``
    times.
    """

    def __init__(self, viewers: int) -> None:
        self._viewers = viewers
        self._transports: list[asyncio.BaseTransport] = []
        self._viewers_in: list[Viewer] = []
        self._received = 0
        self.bytes = 0  # received by all viewers
        self._wanted = 0
        self.came = array("d")
        self.reloads = 0  # how often pages would have requested their fragment by HTTP
        self._all: asyncio.Future[None] | None = None

    async def all_have(self, messages: int, seconds: float = 20) -> None:
        """Wait until every viewer has received ``messages`` more than at the last call.

        Raises:
            TimeoutError: it takes longer than ``seconds``.
        """
        self._wanted += messages * self._viewers
        if self._received < self._wanted:
            self._all = asyncio.get_running_loop().create_future()
            await asyncio.wait_for(self._all, seconds)

    async def come(self, port: int, path: str, first_words: bytes) -> None:
        """Connect all viewers. Each sends ``first_words`` when it is accepted."""
        request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"
        ).encode()
        loop = asyncio.get_running_loop()
        for _ in range(self._viewers):
            transport, viewer = await loop.create_connection(
                lambda: Viewer(self, request, first_words), "127.0.0.1", port
            )
            self._transports.append(transport)
            self._viewers_in.append(viewer)

    def leave(self) -> None:
        for transport in self._transports:
            transport.close()

    def received_at(self) -> Sequence[Sequence[float]]:
        """Return when each viewer received each message, by ``perf_counter``."""
        return [viewer.received_at for viewer in self._viewers_in]

    def with_rows(self) -> Sequence[Sequence[float]]:
        """Return when each viewer received messages with rows, by ``perf_counter``."""
        return [viewer.with_rows for viewer in self._viewers_in]

    def count(self, viewer: "Viewer", text: bytes = b"") -> None:
        """Count a message of a viewer, or its accepted connection."""
        now = time.perf_counter()
        self._received += 1
        self.came.append(now)
        viewer.received_at.append(now)
        if ROWS in text[:HEAD]:
            viewer.with_rows.append(now)
        elif RELOAD in text[:HEAD]:
            self.reloads += 1
        if self._received == self._wanted and self._all is not None and not self._all.done():
            self._all.set_result(None)


class Viewer(asyncio.Protocol):
    """One viewer."""

    def __init__(self, crowd: Crowd, request: bytes, first_words: bytes) -> None:
        self._crowd = crowd
        self._request = request
        self._first_words = first_words
        self._buffer = b""
        self._open = False
        self.received_at = array("d")
        self.with_rows = array("d")

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._crowd.bytes += len(data)
        if not self._open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0] + b" ", head
            self._open, self._buffer = True, rest
            self._crowd.count(self)
            if self._first_words:
                self._transport.write(_masked(self._first_words))
        while (end := _frame_end(self._buffer)) is not None:
            if self._buffer[0] & 15 == TEXT:
                if (text := _text_of(self._buffer[:end])) != HEARTBEAT:
                    self._crowd.count(self, text)
            elif self._buffer[0] & 15 == PING:  # without a pong, the server disconnects after 40 seconds
                payload = self._buffer[2:end]
                self._transport.write(bytes([0x8A, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
            self._buffer = self._buffer[end:]


def _masked(text: bytes) -> bytes:
    """Return a frame with ``text`` as browsers send it, masked by zeros."""
    size = len(text)
    length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2, "big")
    return b"\x81" + length + bytes(4) + text


@lru_cache(maxsize=64)
def _text_of(frame: bytes) -> bytes:
    """Return the text of a frame. Equal frames are inflated only once, because clients are not measured."""
    payload = frame[{126: 4, 127: 10}.get(frame[1], 2) :]
    if not frame[0] & COMPRESSED:
        return payload
    return zlib.decompressobj(wbits=-15).decompress(payload + b"\0\0\xff\xff")


def _frame_end(data: bytes) -> int | None:
    """Return where the first complete WebSocket frame in ``data`` ends; None if there is none. Servers do not mask."""
    if len(data) < 2:
        return None
    length, head = data[1] & 127, 2
    if length == 126:
        length, head = int.from_bytes(data[2:4]), 4
    elif length == 127:
        length, head = int.from_bytes(data[2:10]), 10
    return head + length if len(data) >= head + length and len(data) >= head else None
