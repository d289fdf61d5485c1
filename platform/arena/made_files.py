"""Files that are made while they are sent, each at its own pace.

The view that makes one has a thread and a connection to the database, and must not wait for a slow reader. It
writes to a temporary file, from which the reader is served.
"""

import os
import tempfile
from asyncio import Event, get_running_loop
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context
from time import monotonic
from typing import Final

CHUNK: Final = 64 * 1024  # bytes of a message


class MadeFile:
    """A file that ``thread`` makes of ``parts`` from now on, and unless it is ``kept`` no longer than it is read. The
    ``context`` of the request has its language. Any number may read it at a time.
    """

    def __init__(
        self, parts: Iterable[bytes], thread: ThreadPoolExecutor, context: Context, *, kept: bool = False
    ) -> None:
        self._is_kept = kept
        self._loop = get_running_loop()
        self._more = Event()
        self._unread = False
        self.took = 0.0  # seconds, once it is made
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  open as long as somebody writes or reads
        self.made = self._loop.run_in_executor(thread, context.run, self._make, parts)
        self.made.add_done_callback(lambda _made: self._more.set())

    @property
    def size(self) -> int:
        """How many bytes there are so far."""
        return os.fstat(self._file.fileno()).st_size

    async def read(self) -> AsyncIterator[bytes]:
        """Yield pieces as they are there. Raises what the making raised."""
        sent = 0
        try:
            while True:
                self._more.clear()
                made = self.made.done()
                if piece := os.pread(self._file.fileno(), CHUNK, sent):
                    sent += len(piece)
                    yield piece
                elif made:
                    self.made.result()
                    return
                else:
                    await self._more.wait()
        finally:
            self._unread = not self._is_kept

    def _make(self, parts: Iterable[bytes]) -> None:
        begun = monotonic()
        for part in parts:
            if self._unread:
                return
            self._file.write(part)
            self._file.flush()
            self._loop.call_soon_threadsafe(self._more.set)
        self.took = monotonic() - begun
