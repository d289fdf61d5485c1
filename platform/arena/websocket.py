"""uvicorn's WebSocket protocol with bounds on what a peer that does not read, or a crowd of one address, can take; and
compressed messages (permessage-deflate, RFC 7692) that are the same bytes for all sockets.

Neither side keeps its compressor from message to message, and the window is always the whole one of 32 kB. So a text
that a thousand viewers are sent is compressed once, and an idle socket holds no compressor. It also means that nothing
can be learnt of one message from the length of another: see docs/explanation/security.md.

What comes in may be up to a thousand times as long as it was when it was sent. The library bounds one message; here is
bounded what the messages that arrive together become, for all of them are inflated before the first one is looked at.
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
DEFLATED_FROM: Final = 1024  # characters of a text that is sent compressed: a shorter one is one packet either way
GROWTH_MOST: Final = 65536  # bytes that are added by inflating what is read of a socket at a time


class SharedDeflateFactory(ServerPerMessageDeflateFactory):
    """Agrees to what all sockets can have alike, and to nothing else."""

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
    """The extension of one socket. Call ``begin_read`` before each piece of data from it is parsed."""

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
            PayloadTooBig: its message has more than ``max_size`` bytes left, or what is being read grows too much.
            ProtocolError: it is not compressed data.
        """
        inflated = super().decode(frame, max_size=max_size)
        self._growth += max(0, len(inflated.data) - len(frame.data))
        if self._growth > GROWTH_MOST:
            raise PayloadTooBig(None, GROWTH_MOST)
        if self.decode_cont_data and self.decoder.unused_data:  # kept by zlib, and counted by nobody
            raise ProtocolError("data behind the end of what is compressed")
        return inflated


@lru_cache(maxsize=64)
def websocket_text_frame(text: str) -> bytes:
    """Return an unmasked, final frame of text (RFC 6455, section 5.2), as a server sends it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@lru_cache(maxsize=128)
def websocket_deflated_text_frame(text: str) -> bytes:
    """Return such a frame for sockets that have agreed to ``SharedDeflate``, compressed."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False, extensions=[SharedDeflate()])


Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]
App: TypeAlias = Callable[[Any, Any, Any], Awaitable[Any]]  # what Channels' own applications take is narrower

HEARTBEAT: Final = "{}"
FRAGMENTS_MOST: Final = 100  # of one message: empty ones have no bytes that a limit of its size would count


class BoundedWebSocketProtocol(WebSocketsSansIOProtocol):
    """Stop reading from a peer whose answers pile up, and drop one that reads nothing for ``stalled_seconds``.

    uvicorn's own class answers pings without regard to what waits to be sent, so a peer that sends pings and never
    reads fills the memory of the server; and it closes a connection only when everything has been sent, which then
    never happens. Pass it as ``uvicorn --ws arena.websocket:BoundedWebSocketProtocol``.
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
        self._read_no_more_than_is_written()  # uvicorn goes on reading once the application has taken a message
        return message

    async def send(self, message: Any) -> None:
        """Send as uvicorn does, but a text in the frame that others are sent: it is compressed once for all of them."""
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
        """Ping as uvicorn does, and in a message too: no script in a page sees a ping, and it must notice silence."""
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
        """Write a message at once. False, and nothing is written, where ASGI's ``send`` would wait or refuse.

        What a thousand viewers are sent is put into a frame once, and no coroutine is made for each of them.
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
        """Close, and abort after ``stalled_seconds``: a client that does not read what is left is not waited for."""
        self._cancel()
        if not self.disconnected:
            self._stalled = self.loop.call_later(self.stalled_seconds, self.transport.abort)

    def _cancel(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def websocket_limit(app: App, *, per_address: int, in_all: int, proxies: int) -> App:
    """Return ``app`` refusing WebSockets beyond ``per_address`` of one address and ``in_all`` of this process.

    With ``proxies`` in front the address is the one that the outermost of them saw, from X-Forwarded-For. An IPv6
    address counts by its network of 64 bits, which is what one customer is given.
    """
    open_now: Counter[str] = Counter()

    async def limited(scope: Scope, receive: Receive, send: Send) -> Any:
        address = websocket_address_of(scope, proxies)
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


def websocket_address_of(scope: Mapping[str, Any], proxies: int) -> str:
    """Return whose socket it is: an IPv4 address, the network of an IPv6 address, or "" where nobody can tell."""
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
