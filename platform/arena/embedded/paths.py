"""Where the embedded parts keep their files, and the lock of a data directory."""

import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LONGEST_SOCKET_PATH = 100  # the kernel's own limit is 107 bytes, and Valkey adds to the name while it binds


def embedded_socket_path(var_dir: Path) -> Path:
    """Return the Valkey socket of the site whose data lie in ``var_dir``, the same for every process of that site.

    It lies in ``var_dir``, or, where that would be too long a name for a socket, in a directory of its own below the
    system's temporary one. Creates nothing: ``embedded_private_directory`` does.
    """
    path = var_dir.absolute() / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.blake2b(os.fsencode(path), digest_size=8).hexdigest()
    return Path(tempfile.gettempdir()) / f"pecking-order-{os.getuid()}-{digest}" / path.name


def embedded_private_directory(path: Path) -> None:
    """Make ``path`` a directory of ours that nobody else may enter.

    Raises:
        PermissionError: it is there already and is not so, as when someone else guessed the name first.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} must be a directory that only you can enter: remove it, or 'chmod 700' it")


def embedded_own_directory(path: Path) -> None:
    """Make ``path`` a directory of ours that nobody else may enter; one that is too open is closed to others.

    Raises:
        OSError: it cannot be made, or it belongs to somebody else.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    if found.st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to another user: run as that user, or name another directory")
    if found.st_mode & 0o077:
        path.chmod(0o700)


def permissions_tighten(directory: Path) -> None:
    """Take from group and others whatever they may do with the files below ``directory``. Follows no links."""
    for folder, _folders, files in os.walk(directory):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            with suppress(FileNotFoundError):  # a log that was turned over meanwhile
                found = path.lstat()
                if not stat.S_ISLNK(found.st_mode) and found.st_mode & 0o077:
                    path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


class AlreadyRunning(RuntimeError):
    """Somebody holds the lock; ``note`` is what they wrote into it."""

    def __init__(self, path: Path, note: str) -> None:
        super().__init__(f"{path} is held: {note}")
        self.note = note


@contextmanager
def directory_lock(path: Path, note: str) -> Iterator[None]:
    """Hold the lock file ``path``, leaving ``note`` in it for a second process. The kernel lets go if we die.

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
