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
from typing import Final

CHUNK: Final = 64 * 1024  # bytes of a message


class MadeFile:
    """A file that ``thread`` makes of ``parts`` from now on, no longer than its reader stays. The ``context`` of the
    request has its language.
    """

    def __init__(self, parts: Iterable[bytes], thread: ThreadPoolExecutor, context: Context) -> None:
        self._loop = get_running_loop()
        self._more = Event()
        self._unread = False
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  open as long as somebody writes or reads
        self.made = self._loop.run_in_executor(thread, context.run, self._make, parts)
        self.made.add_done_callback(lambda _made: self._more.set())

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
            self._unread = True

    def _make(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            if self._unread:
                return
            self._file.write(part)
            self._file.flush()
            self._loop.call_soon_threadsafe(self._more.set)
