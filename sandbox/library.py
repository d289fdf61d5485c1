"""The machine's shared copy of library and kit in a tmpfs: what boxes see in place of the originals (``inside.tree``).

All workers of the machine share it; workers of other users may use root's copy. Each worker that uses the copy holds a
lock on the copy's folder, and the last one removes the folder. A copy that a killed worker has left is found by its
name. It is then used if it is valid, and removed otherwise. The name contains a digest of the state of all copied
files.

No other user of the machine may be able to change the copy. So it must belong to root or to us, and lie in a folder
where others cannot rename it.
"""

import errno
import fcntl
import hashlib
import os
import secrets
import shutil
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Self

import msgspec

from . import interpreter
from .inside import linux, tree
from .inside.tree import tree_digest, tree_file, tree_listing, tree_room, tree_write
from .interpreter import interpreter_run_module

_PREFIX: Final = "pecking-order-library-"
_SHARED_MEMORY: Final = "/dev/shm"  # noqa: S108 - see ``_is_safe``
_ROOT: Final = "root"  # the tree that boxes see
_MANIFEST: Final = "manifest.json"
_SPARE: Final = 32 << 20  # bytes of memory to leave free for other programs
_PATIENCE: Final = 30.0  # most seconds to wait while another worker makes or checks a copy


class _Manifest(msgspec.Struct):
    digest: str
    size: int  # bytes of memory
    linked: list[tree.File]  # the machine's shared libraries that were copied too


class Library:
    """The shared copy, locked by this process until ``close``."""

    _checked: Final[set[tuple[int, int]]] = set()  # device and inode of copies whose digest this process has verified

    def __init__(self, folder: Path, held: int, manifest: _Manifest) -> None:
        self._folder = folder
        self._held = held
        self.place = folder.parent
        self.root = str(folder / _ROOT)
        self.size = manifest.size
        self.linked = tuple(file.target for file in manifest.linked)

    @classmethod
    def hold(cls, found: interpreter.Interpreter) -> Self | None:
        """Return the copy for this interpreter, and make it if there is none; None if no shared tmpfs has room.

        Raises:
            OSError: the library cannot be read.
        """
        files = tree_listing([*found.folders, str(interpreter.OURS)])
        start = f"{_PREFIX}{_state(found, files)}-"
        for place in _places():
            with _turn(place) as ours:
                library = cls._find(place, start)
                if ours:
                    _remove_abandoned(place, except_for=library)
                    library = library or cls._make(place, start, found, files)
            if library is not None:
                return library
        return None

    @classmethod
    def _find(cls, place: Path, start: str) -> Self | None:
        """Return an existing copy that is complete and can be trusted."""
        for folder in place.glob(f"{start}*"):
            with suppress(OSError, msgspec.MsgspecError):
                held = _lock(folder, fcntl.LOCK_SH)
                try:
                    manifest = msgspec.json.decode((folder / _MANIFEST).read_bytes(), type=_Manifest)
                    library = cls(folder, held, manifest)
                    is_current = all(tree_file(file.source) == file for file in manifest.linked)
                    if is_current and library._is_whole(manifest):
                        return library
                except BaseException:
                    os.close(held)
                    raise
                os.close(held)
        return None

    def _is_whole(self, manifest: _Manifest) -> bool:
        status = os.fstat(self._held)
        this = (status.st_dev, status.st_ino)
        if this not in self._checked and tree_digest(self.root) == manifest.digest:
            self._checked.add(this)
        return this in self._checked

    @classmethod
    def _make(cls, place: Path, start: str, found: interpreter.Interpreter, files: Sequence[tree.File]) -> Self | None:
        """Make a new copy; return None if there is no room."""
        linked = _linked(found)
        files = sorted({*files, *linked, tree_file(found.executable)})
        size = tree_room(files)
        space = os.statvfs(place)
        if space.f_bavail * space.f_frsize < size + _SPARE:
            return None
        folder = _unfinished(place)
        folder.mkdir(mode=0o700)
        held = _lock(folder, fcntl.LOCK_EX)
        try:
            (folder / _ROOT).mkdir()
            (folder / _ROOT).chmod(0o755)
            digest = tree_write(str(folder / _ROOT), ((file, Path(file.source).read_bytes()) for file in files))
            manifest = _Manifest(digest, size, linked)
            (folder / _MANIFEST).write_bytes(msgspec.json.encode(manifest))
            (folder / _MANIFEST).chmod(0o644)
            folder.chmod(0o755)
            # Renamed only now, so that a visible copy is always complete.
            folder = folder.rename(place / f"{start}{secrets.token_hex(8)}")
            fcntl.flock(held, fcntl.LOCK_SH)
        except BaseException as error:
            _remove(folder)
            os.close(held)
            if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
                return None
            raise
        library = cls(folder, held, manifest)
        status = os.fstat(held)
        cls._checked.add((status.st_dev, status.st_ino))
        return library

    def close(self) -> None:
        """Release the copy; its last user removes it. Idempotent."""
        if self._held < 0:
            return
        held, self._held = self._held, -1
        try:
            if os.fstat(held).st_uid == os.geteuid():  # only root removes root's copy
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(self._folder)
        except BlockingIOError:
            pass  # other workers still use it
        finally:
            os.close(held)


def _state(found: interpreter.Interpreter, files: Sequence[tree.File]) -> str:
    """Return a short digest of the state of all files that a new copy would contain. Byte code files do not count,
    because Python creates them at any time.
    """
    lasting = [file for file in files if not file.is_byte_code]
    state = (sys.version, found.preload, tree_file(found.executable), lasting)
    return hashlib.sha256(msgspec.json.encode(state)).hexdigest()[:16]


def _linked(found: interpreter.Interpreter) -> list[tree.File]:
    """Return the machine's shared libraries that an interpreter inside the tree needs."""
    names = msgspec.msgpack.decode(interpreter_run_module(found, "shared_libraries"), type=list[str])
    within = tuple(f"{folder}/" for folder in found.folders)
    return [tree_file(name) for name in names if not os.path.normpath(name).startswith(within)]


def _places() -> Iterator[Path]:
    """Yield folders in memory where we may put executable files that nobody else can change."""
    for name in (_SHARED_MEMORY, "/run/pecking-order", "/run", f"/run/user/{os.geteuid()}"):
        with suppress(OSError):
            if linux.is_tmpfs(name) and not os.statvfs(name).f_flag & (os.ST_NOEXEC | os.ST_RDONLY):
                status = Path(name).stat()
                if _is_safe(status) or (_owned(status) and status.st_mode & stat.S_ISVTX):
                    yield Path(name)


def _owned(status: os.stat_result) -> bool:
    return status.st_uid in (0, os.geteuid())


def _is_safe(status: os.stat_result) -> bool:
    return _owned(status) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _lock(folder: Path, kind: int) -> int:
    """Return a descriptor of the folder, locked.

    Raises:
        OSError: another process holds the lock, or the folder is gone or writable for others.
    """
    held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(held, kind | fcntl.LOCK_NB)
        if not _is_safe(os.fstat(held)) or not os.path.samestat(os.fstat(held), folder.stat()):
            raise PermissionError(f"{folder} is not ours")
    except BaseException:
        os.close(held)
        raise
    return held


@contextmanager
def _turn(place: Path) -> Iterator[bool]:
    """Hold the lock for making and removing copies there. Yield False if it is not available in time."""
    if not os.access(place, os.W_OK):
        yield False
        return
    door = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(door, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > deadline:
                    yield False
                    return
                time.sleep(0.02)
            else:
                yield True
                return
    finally:
        os.close(door)


def _remove_abandoned(place: Path, except_for: Library | None) -> None:
    """Remove the copies, finished or not, that no process holds any more."""
    for folder in place.glob(f"{_PREFIX}*"):
        if except_for is None or folder != Path(except_for.root).parent:
            with suppress(OSError):
                if folder.stat().st_uid == os.geteuid():
                    held = _lock(folder, fcntl.LOCK_EX)
                    _remove(folder)
                    os.close(held)


def _unfinished(place: Path) -> Path:
    """Return a folder name that no search for copies finds."""
    return place / f"{_PREFIX}unfinished-{secrets.token_hex(8)}"


def _remove(folder: Path) -> None:
    """Remove a copy that this process has locked exclusively. Never raises."""
    with suppress(OSError):
        folder = folder.rename(_unfinished(folder.parent))
    shutil.rmtree(folder, ignore_errors=True)
