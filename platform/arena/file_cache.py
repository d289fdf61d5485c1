"""Cache of generated files: each is generated once, however many request it at a time."""

from asyncio import Future, Task, create_task, shield
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final

from arena.made_files import MadeFile
from web.downloads import KeptAs

REFRESH_RATIO: Final = 20  # a file is served for so many times as long as it took to generate
FILES_MAX: Final = 64  # files
BYTES_MOST: Final = 64 * 1024 * 1024  # of all of them, where temporary files lie


@dataclass(slots=True, eq=False)
class _CachedFile:
    """A file: served until ``expires_at`` to requests for this revision, and until ``public_until`` to all."""

    wanted: KeptAs
    file: Task[MadeFile]
    expires_at: float = inf
    public_until: float = inf  # while it is made
    size: int = 0

    def serves(self, wanted: KeptAs) -> bool:
        return monotonic() < max(self.public_until, self.expires_at if self.wanted.revision == wanted.revision else 0)


class FileCache:
    """The files of a web process. The least recently requested goes first, and is closed with its last reader."""

    def __init__(self) -> None:
        self._kept: dict[str, _CachedFile] = {}

    async def of(self, wanted: KeptAs, make: Callable[[], Coroutine[Any, Any, MadeFile]]) -> MadeFile:
        """Return the file, which may still be being made. Raise what ``make`` raises, to all who wait for it.

        Like boards, a file takes a twentieth of a thread at most: it is given for twenty times as long as making it
        took, whatever changes meanwhile.
        """
        kept = self._kept.pop(wanted.name, None)
        if kept is None or not kept.serves(wanted):
            kept = _CachedFile(wanted, create_task(make()))
            kept.file.add_done_callback(partial(self._begun, kept))
        self._kept[wanted.name] = kept
        return await shield(kept.file)

    def _begun(self, kept: _CachedFile, file: Task[MadeFile]) -> None:
        if file.cancelled() or file.exception():
            self._drop(kept)
            return
        file.result().made.add_done_callback(partial(self._made, kept))

    def _made(self, kept: _CachedFile, made: Future[None]) -> None:
        if made.cancelled() or made.exception():
            self._drop(kept)
            return
        file = kept.file.result()
        begun = monotonic() - file.took
        kept.expires_at, kept.size = begun + kept.wanted.seconds, file.size
        kept.public_until = begun + REFRESH_RATIO * file.took
        while len(self._kept) > FILES_MAX or sum(one.size for one in self._kept.values()) > BYTES_MOST:
            del self._kept[next(iter(self._kept))]

    def _drop(self, kept: _CachedFile) -> None:
        if self._kept.get(kept.wanted.name) is kept:
            del self._kept[kept.wanted.name]
