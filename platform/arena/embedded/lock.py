"""One site at a time on one data directory."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AlreadyRunning(RuntimeError):
    """Somebody holds the lock; ``note`` is what they wrote into it."""

    def __init__(self, path: Path, note: str) -> None:
        super().__init__(f"{path} is held: {note}")
        self.note = note


@contextmanager
def only_one(path: Path, note: str) -> Iterator[None]:
    """Hold the lock file ``path``, leaving ``note`` in it for whoever comes second. The kernel lets go if we die.

    Raises:
        AlreadyRunning: another process holds it.
    """
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.seek(0)
            raise AlreadyRunning(path, file.read().strip()) from None
        file.truncate(0)
        file.write(note)
        file.flush()
        os.register_at_fork(after_in_child=file.close)  # a fork that outlives us for a moment would hold it on
        yield
