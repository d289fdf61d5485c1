"""Compressed WebSocket messages (permessage-deflate, RFC 7692) that are the same bytes for all sockets.

Neither side keeps its compressor from message to message, and the window is always the whole one of 32 kB. So a text
that a thousand viewers are sent is compressed once, and an idle socket holds no compressor. It also means that nothing
can be learnt of one message from the length of another: see docs/explanation/security.md.

What comes in may be up to a thousand times as long as it was when it was sent. The library bounds one message; here is
bounded what the messages that arrive together become, for all of them are inflated before the first one is looked at.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from websockets.exceptions import NegotiationError, PayloadTooBig, ProtocolError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import PerMessageDeflate, ServerPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import ExtensionParameter

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
def text_frame(text: str) -> bytes:
    """Return an unmasked, final frame of text (RFC 6455, section 5.2), as a server sends it."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)


@lru_cache(maxsize=128)
def deflated_text_frame(text: str) -> bytes:
    """Return such a frame for sockets that have agreed to ``SharedDeflate``, compressed."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False, extensions=[SharedDeflate()])
