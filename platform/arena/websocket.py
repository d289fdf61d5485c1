"""uvicorn's WebSocket protocol with limits for slow or many clients, and with compressed messages (permessage-deflate,
RFC 7692) that are the same bytes for all sockets.

Neither side keeps the state of its compressor between messages, and the window always has 32 kB. So a text for a
thousand viewers is compressed once, and idle sockets hold no compressor. Also, the length of a message reveals nothing
about other messages: see docs/explanation/security.md.

A message may grow a thousandfold when it is inflated. The library limits each message. This module limits the sum of
the messages received together, because all of them are inflated before the first is handled.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Any, ClassVar, Final, TypeAlias

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import NegotiationError, PayloadTooBig, ProtocolError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.typing import ExtensionParameter

from live.consumers import WRITE_TEXT
from web.visits import visit_note_in_background

WINDOW_BITS: Final = 15
DEFLATED_FROM: Final = 1024  # characters; a shorter text fits into one packet and is not compressed
GROWTH_MOST: Final = 65536  # bytes by which the data that are read at once may grow when inflated


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Agree to the parameters that all sockets can share, and to no others."""

    def __init__(self) -> None:
        super().__init__(server_no_context_takeover=True, client_no_context_takeover=True)

    def process_request_params(
        self, params: Sequence[ExtensionParameter], accepted_extensions: Sequence[Extension]
    ) -> tuple[list[ExtensionParameter], PerMessageDeflate]:
        """Return the answer to an offer, and the extension of the socket.

        Raises:
            NegotiationError: the client wants a smaller window, or the offer is malformed.
        """
        answer, agreed = super().process_request_params(params, accepted_extensions)
        if agreed.local_max_window_bits != WINDOW_BITS:
            raise NegotiationError(f"no window of {agreed.local_max_window_bits} bits")
        return answer, SharedDeflate(agreed.remote_max_window_bits)


class SharedDeflate(PerMessageDeflate):
    """The extension of one socket. Call ``begin_read`` before each piece of its data is parsed."""

    def __init__(self, remote_window_bits: int = WINDOW_BITS) -> None:
        super().__init__(
            remote_no_context_takeover=True,
            local_no_context_takeover=True,
            remote_max_window_bits=remote_window_bits,
            local_max_window_bits=WINDOW_BITS,
        )
        self._growth = 0

    def begin_read(self) -> None:
        self._growth = 0

    def decode(self, frame: Frame, *, max_size: int | None = None) -> Frame:
        """Inflate a frame.

        Raises:
            PayloadTooBig: the message exceeds ``max_size`` bytes, or the data read together grow too much.
            ProtocolError: the data are not compressed correctly.
        """
        inflated = super().decode(frame, max_size=max_size)
        self._growth += max(0, len(inflated.data) - len(frame.data))
        if self._growth > GROWTH_MOST:
            raise PayloadTooBig(None, GROWTH_MOST)
        # Bytes after the end of the compressed message: zlib keeps them, and no limit counts them.
        if self.decode_cont_data and self.decoder.unused_data:
            raise ProtocolError("data after the end of the compressed data")
        return inflated


@lru_cache(maxsize=64)
def websocket_text_frame(text: str) -> bytes:
    """Return an unmasked, final text frame (RFC 6455, section 5.2), as a server sends it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@lru_cache(maxsize=128)
def websocket_deflated_text_frame(text: str) -> bytes:
    """Return a compressed text frame, for sockets with ``SharedDeflate``."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False, extensions=[SharedDeflate()])


Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
App: TypeAlias = Callable[[Any, Any, Any], Awaitable[Any]]  # the types of Channels' applications are narrower

HEARTBEAT: Final = "{}"
FRAGMENTS_MOST: Final = 100  # frames of one message; empty frames escape the limit of its size


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Stop reading from a client whose responses queue up, and drop one that reads nothing for ``stalled_seconds``.

    uvicorn's class answers pings however much waits to be sent, so a client that sends pings and never reads would fill
    the memory. uvicorn also closes a connection only after everything was sent; with such a client this never happens.
    Use this class as ``uvicorn --ws arena.websocket:BoundedWebSocketProtocol``.
    """

    stalled_seconds: ClassVar[float] = 20.0
    _deflate: ClassVar = SharedDeflateFactory()
    _stalled: asyncio.TimerHandle | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.config.ws_per_message_deflate:
            self.conn.available_extensions = [self._deflate]

    def data_received(self, data: bytes) -> None:
        for extension in self.conn.extensions:
            if isinstance(extension, SharedDeflate):
                extension.begin_read()
        super().data_received(data)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._read_no_more_than_is_written()
        self._stalled = self.loop.call_later(self.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel()
        if not self.read_paused and not self.transport.is_closing():
            self.transport.resume_reading()

    async def receive(self) -> Any:
        message = await super().receive()
        self._read_no_more_than_is_written()  # uvicorn resumes reading when the application takes a message
        return message

    async def send(self, message: Any) -> None:
        """Send as uvicorn does. But put a text into a frame that is shared with other sockets, so that each text is
        compressed once.
        """
        await self.writable.wait()
        text = message.get("text") if message["type"] == "websocket.send" else None
        if text is None or not self.write_text(text):
            await super().send(message)

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= FRAGMENTS_MOST:
            self.transport.abort()
            return
        super().handle_cont(event)

    def send_keepalive_ping(self) -> None:
        """Send a ping and a message. Scripts of a page cannot see pings, but must notice if the connection is
        silent.
        """
        visit_note_in_background()
        self.write_text(HEARTBEAT)
        super().send_keepalive_ping()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._close_for_good()

    async def run_asgi(self) -> None:
        extensions: dict[str, Any] = self.scope.setdefault("extensions", {})
        extensions[WRITE_TEXT] = self.write_text
        try:
            await super().run_asgi()
        finally:
            self._close_for_good()

    def write_text(self, text: str) -> bool:
        """Write a message at once. Return False without writing if ASGI's ``send`` would wait or refuse.

        A message to a thousand viewers is framed once, and needs no coroutine for each of them.
        """
        if not self.handshake_complete or self.close_sent or self.disconnected or not self.writable.is_set():
            return False
        if self.conn.state is not State.OPEN or self.transport.is_closing():
            return False
        is_deflated = self.conn.extensions and len(text) >= DEFLATED_FROM
        self.transport.write(websocket_deflated_text_frame(text) if is_deflated else websocket_text_frame(text))
        return True

    def _read_no_more_than_is_written(self) -> None:
        if not self.writable.is_set() and not self.transport.is_closing():
            self.transport.pause_reading()

    def _close_for_good(self) -> None:
        """Close the connection. Abort it after ``stalled_seconds``, because the client may never read what is left."""
        self._cancel()
        if not self.disconnected:
            self._stalled = self.loop.call_later(self.stalled_seconds, self.transport.abort)

    def _cancel(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def websocket_limit(app: App, *, per_address: int, in_all: int, proxies: int) -> App:
    """Return ``app`` with limits: at most ``per_address`` WebSockets of one address and ``in_all`` of this process.

    With a number of ``proxies`` in front, the client's address is the one that the outermost proxy saw; it is read from
    X-Forwarded-For. IPv6 addresses are counted by their network of 64 bits, because one customer gets a whole network.
    """
    open_now: Counter[str] = Counter()

    async def limited(scope: Scope, receive: Receive, send: Send) -> Any:
        address = websocket_client_address(scope, proxies)
        if open_now[address] >= per_address or open_now.total() >= in_all:
            await receive()  # "websocket.connect"
            await send({"type": "websocket.close", "code": 1013})
            return None
        open_now[address] += 1
        try:
            return await app(scope, receive, send)
        finally:
            open_now[address] -= 1
            if not open_now[address]:
                del open_now[address]

    return limited


def websocket_client_address(scope: Mapping[str, Any], proxies: int) -> str:
    """Return the client's address of a request: IPv4, the network of an IPv6 address, or "" if it is unknown."""
    client = scope.get("client")
    found = str(client[0]) if client else ""
    if proxies:
        forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
        hops = [hop.strip() for hop in ",".join(forwarded).split(",")]
        found = hops[-proxies] if len(hops) >= proxies else ""
    try:
        address = ip_address(found)
    except ValueError:
        return ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> 64 << 64)}/64"
    return str(address)
