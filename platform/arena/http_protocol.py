"""uvicorn's HTTP protocol with a bound on how long a reader may read nothing of what is sent."""

import asyncio
import fcntl
import struct
import termios
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol


class BoundedHttpProtocol(HttpToolsProtocol):
    """Drop a peer that reads nothing of an answer for ``stalled_seconds``: until then its file stays open."""

    stalled_seconds: ClassVar[float] = 20.0
    _look: asyncio.TimerHandle | None = None

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
        """Return how many bytes the kernel holds for the peer. Megabytes may: to wait until writing goes on would ask
        for so many in the time.
        """
        found = fcntl.ioctl(self.transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
        return int(struct.unpack("i", found)[0])

    def _cancel(self) -> None:
        if self._look is not None:
            self._look.cancel()
            self._look = None
