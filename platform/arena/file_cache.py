"""Files that were made lately, for whoever asks for them next: each is made once, though a hundred ask at a time."""

from asyncio import Future, Task, create_task, shield
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic
from typing import Any, Final

from arena.made_files import MadeFile
from web.downloads import KeptAs

REST: Final = 20  # times as long as it took to make, a file is given
FILES_MAX: Final = 64  # files
BYTES_MOST: Final = 64 * 1024 * 1024  # of all of them, where temporary files lie


@dataclass(slots=True, eq=False)
class _KeptFile:
    """A file, and until when it is given: to those who want this revision of it, and to ``everyone``."""

    wanted: KeptAs
    file: Task[MadeFile]
    until: float = inf
    everyone: float = inf  # while it is made
    size: int = 0

    def serves(self, wanted: KeptAs) -> bool:
        return monotonic() < max(self.everyone, self.until if self.wanted.revision == wanted.revision else 0)


class FileCache:
    """The files of a web process. What was not asked for for longest goes first, and is closed with its last reader."""

    def __init__(self) -> None:
        self._kept: dict[str, _KeptFile] = {}

    async def of(self, wanted: KeptAs, make: Callable[[], Coroutine[Any, Any, MadeFile]]) -> MadeFile:
        """Return the file, which may still be being made. Raise what ``make`` raises, to all who wait for it.

        Like boards, a file takes a twentieth of a thread at most: it is given for twenty times as long as making it
        took, whatever changes meanwhile.
        """
        kept = self._kept.pop(wanted.name, None)
        if kept is None or not kept.serves(wanted):
            kept = _KeptFile(wanted, create_task(make()))
            kept.file.add_done_callback(partial(self._begun, kept))
        self._kept[wanted.name] = kept
        return await shield(kept.file)

    def _begun(self, kept: _KeptFile, file: Task[MadeFile]) -> None:
        if file.cancelled() or file.exception():
            self._drop(kept)
            return
        file.result().made.add_done_callback(partial(self._made, kept))

    def _made(self, kept: _KeptFile, made: Future[None]) -> None:
        if made.cancelled() or made.exception():
            self._drop(kept)
            return
        file = kept.file.result()
        begun = monotonic() - file.took
        kept.until, kept.everyone, kept.size = begun + kept.wanted.seconds, begun + REST * file.took, file.size
        while len(self._kept) > FILES_MAX or sum(one.size for one in self._kept.values()) > BYTES_MOST:
            del self._kept[next(iter(self._kept))]

    def _drop(self, kept: _KeptFile) -> None:
        if self._kept.get(kept.wanted.name) is kept:
            del self._kept[kept.wanted.name]
