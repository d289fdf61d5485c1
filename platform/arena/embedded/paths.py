"""Paths of the embedded services, private directories, and the lock of a data directory."""

import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

LONGEST_SOCKET_PATH = 100  # the kernel's limit is 107 bytes, and Valkey extends the name while it binds


def embedded_socket_path(var_dir: Path) -> Path:
    """Return the path of the Valkey socket of the site in ``var_dir``. All processes of that site get the same path.

    The socket is in ``var_dir``, or in a directory below the system's temporary one if the path would be too long.
    Create nothing: ``embedded_private_directory`` does.
    """
    path = var_dir.absolute() / "valkey.sock"
    if len(os.fsencode(path)) <= LONGEST_SOCKET_PATH:
        return path
    digest = hashlib.blake2b(os.fsencode(path), digest_size=8).hexdigest()
    return Path(tempfile.gettempdir()) / f"pecking-order-{os.getuid()}-{digest}" / path.name


def embedded_private_directory(path: Path) -> None:
    """Create the directory ``path``, which only this user may enter.

    Raises:
        PermissionError: the directory exists with another owner or mode, e.g. because somebody else guessed its name
        and created it first.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.lstat()
    if path.is_symlink() or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise PermissionError(f"{path} must be a directory that only you can enter: remove it, or 'chmod 700' it")


def embedded_own_directory(path: Path) -> None:
    """Create the directory ``path``, which only this user may enter. Tighten the mode of an existing one.

    Raises:
        OSError: it cannot be created, or belongs to another user.
    """
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    found = path.stat()
    if found.st_uid != os.getuid():
        raise PermissionError(f"{path} belongs to another user: run as that user, or name another directory")
    if found.st_mode & 0o077:
        path.chmod(0o700)


def embedded_permissions_tighten(directory: Path) -> None:
    """Remove all permissions of group and others from the files below ``directory``. Do not follow links."""
    for folder, _folders, files in os.walk(directory):
        for path in (Path(folder), *(Path(folder, name) for name in files)):
            with suppress(FileNotFoundError):  # a log file that was rotated meanwhile
                found = path.lstat()
                if not stat.S_ISLNK(found.st_mode) and found.st_mode & 0o077:
                    path.chmod(stat.S_IMODE(found.st_mode) & 0o700)


class AlreadyRunning(RuntimeError):
    """Another process holds the lock; ``note`` is its text in the lock file."""

    def __init__(self, path: Path, note: str) -> None:
        super().__init__(f"{path} is held: {note}")
        self.note = note


@contextmanager
def embedded_directory_lock(path: Path, note: str) -> Iterator[None]:
    """Hold the lock file ``path`` with ``note`` as its text for other processes. The kernel releases it if this process
    dies.

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
        # A fork that outlives this process would otherwise keep the lock.
        os.register_at_fork(after_in_child=file.close)
        yield
