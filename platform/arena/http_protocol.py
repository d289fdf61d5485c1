"""uvicorn's HTTP protocol with limits on the size of request headers and on how long a client may stop reading a
response.

The parser keeps lines before, between and after the chunks of a body in memory until they are complete. A request with
more than ``HEAD_BYTES_MOST`` bytes or ``HEAD_LINES_MOST`` lines outside of its body gets a 431. Trailers after a
chunked body are dropped: the client was identified by the headers, and trailers must not change that.
"""

import asyncio
import fcntl
import struct
import termios
from typing import Any, ClassVar, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_BYTES_MOST: Final = 65536  # address, headers and trailers together
HEAD_LINES_MOST: Final = 100
PIECE: Final = 4096  # bytes parsed at a time, and the tolerance of the limit for an unfinished line
TOO_LARGE: Final = b"The address and the headers of the request are too long. Cookies of this site are shorter.\n"
REFUSAL: Final = (
    b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-type: text/plain; charset=utf-8\r\n"
    b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(TOO_LARGE), TOO_LARGE)
)


class _HeadTooLarge(Exception):
    pass


class BoundedHttpProtocol(HttpToolsProtocol):
    """Refuse endless headers. Disconnect a client that reads nothing of a response for ``stalled_seconds``, because the
    file of the response stays open as long.
    """

    stalled_seconds: ClassVar[float] = 20.0
    _look: asyncio.TimerHandle | None = None
    _held = 0  # bytes since the parser last completed something; it keeps unfinished lines in memory
    _bytes = _lines = 0  # of this request, without bodies
    _is_head = True
    _is_too_large = False

    def data_received(self, data: bytes) -> None:
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._held += len(piece)
            super().data_received(piece)
            if self._is_over or self.transport.get_protocol() is not self:  # a WebSocket uses the connection now
                return
            if self._held > HEAD_BYTES_MOST:
                self._is_too_large = True
                self.send_400_response("")
                return

    @property
    def _is_over(self) -> bool:
        return self.parser is None or self.transport.is_closing()

    def on_message_begin(self) -> None:
        self._held = self._bytes = self._lines = 0
        self._is_head = True
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._lines += 1
        self._count(len(name) + len(value) + 4)
        if self._is_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._held, self._is_head = 0, False
        headers: Any = tuple(self.headers)  # a copy, because trailers must not change the headers of the request
        self.headers = self.scope["headers"] = headers
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._held = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._held = 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Send 400 for an unparsable request, or 431 for one that is too long; uvicorn calls this. If a response has
        been started, only close the connection."""
        if self.cycle is not None and self.cycle.response_started and not self.cycle.response_complete:
            self.transport.abort()
        elif self._is_too_large:
            self.transport.write(REFUSAL)
            self.transport.close()
        else:
            super().send_400_response(msg)

    def _count(self, size: int) -> None:
        self._bytes += size
        if self._bytes > HEAD_BYTES_MOST or self._lines > HEAD_LINES_MOST:
            self._is_too_large = True
            raise _HeadTooLarge  # stops the parser

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look_later(unread=self._unread())

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        super().connection_lost(exc)

    def _look_later(self, *, unread: int) -> None:
        self._look = self.loop.call_later(self.stalled_seconds, self._drop_if_stalled, unread)

    def _drop_if_stalled(self, unread: int) -> None:
        now = self._unread()
        if now < unread:
            self._look_later(unread=now)
        else:
            self.transport.abort()

    def _unread(self) -> int:
        """Return how many bytes the kernel buffers for the client. The timer checks that this number falls. The kernel
        may buffer megabytes, and uvicorn resumes writing only when most are sent. A timer that waits for that would
        require all of them to be read within ``stalled_seconds``.
        """
        found = fcntl.ioctl(self.transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
        return int(struct.unpack("i", found)[0])

    def _cancel(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
