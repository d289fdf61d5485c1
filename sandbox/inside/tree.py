"""The file tree that boxes see: select the files of the library and the kit, and write copies of them.

Bots see these copies and never the originals. On a disk, a failed look-up of a name leaves an entry in the kernel's
dentry cache. Bots could detect such entries by timing, and so all boxes of the machine could exchange messages. A tmpfs
keeps no such entries.
"""

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

BOT_FOLDER: Final = "/bot"
NEVER_READ: Final = 4_102_444_800 * 10**9  # nanoseconds: the year 2100
_PAGE: Final = 4096
_NO_FOLDERS: Final = frozenset(
    (
        *("site-packages", "dist-packages"),  # third-party packages: only the kit is shown
        *("test", "tests", "idle_test", "_bundled"),
        *("idlelib", "tkinter", "turtledemo"),  # listed in ``rules.ABSENT`` as unusable in a box
    )
)
_NO_ENDINGS: Final = (".pyi", ".pxd", ".pyx", ".h", ".c", ".a", ".o", ".exe", ".whl")
_BYTE_CODE: Final = (
    f".{sys.implementation.cache_tag}.pyc"  # without byte code, a bot's imports would take several times as long
)


class File(NamedTuple):
    """A file of the tree. All fields together tell whether it has changed."""

    target: str  # its path in the tree
    source: str
    size: int  # bytes
    modified: int  # nanoseconds
    changed: int  # nanoseconds; only root can set this time back
    executable: bool

    @property
    def is_byte_code(self) -> bool:
        return self.target.endswith(".pyc")


def tree_listing(folders: Iterable[str]) -> list[File]:
    """Return the files of these folders that bots may need, sorted by path.

    Raises:
        OSError: a folder is not there or cannot be read.
    """
    found = {file.target: file for folder in folders for file in _below(folder)}
    return sorted(found.values())


def tree_file(path: str) -> File:
    """Return one file under its own path.

    Raises:
        OSError: it is not there.
    """
    status = os.stat(path)  # noqa: PTH116 - runs thousands of times
    return File(
        os.path.normpath(path),
        path,
        status.st_size,
        status.st_mtime_ns,
        status.st_ctime_ns,
        bool(status.st_mode & 0o111),
    )


def _below(folder: str) -> Iterator[File]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _NO_FOLDERS and not entry.name.startswith("config-"):
                    yield from _below(entry.path)
            elif entry.is_file() and _is_needed(entry.name):
                yield tree_file(entry.path)


def _is_needed(name: str) -> bool:
    return name.endswith(_BYTE_CODE) if name.endswith(".pyc") else not name.endswith(_NO_ENDINGS)


def tree_room(files: Iterable[File]) -> int:
    """Return the bytes of memory that the files take in a tmpfs, including the kernel's overhead for each file and
    folder.
    """
    return sum(-(-file.size // _PAGE) * _PAGE + _PAGE for file in files)


def tree_write(root: str, files: Iterable[tuple[File, bytes]]) -> str:
    """Write the files, sorted by path, and an empty ``/bot`` below ``root``; return their digest.

    All users may read the files, because bots have ids of their own. Reading a file does not update its access time;
    otherwise boxes could communicate by access times. For this, the access time is set to the future: with
    ``relatime``, the kernel does not change such a time (Documentation/filesystems).

    Raises:
        OSError: there is no room, or a file cannot be read.
    """
    total = hashlib.sha256()
    made = {root}
    _make_folder(root + BOT_FOLDER, made)
    for file, data in files:
        _add(total, file.target, data)
        _make_folder(os.path.dirname(root + file.target), made)  # noqa: PTH120 - runs thousands of times
        mode = 0o755 if file.executable else 0o644
        fd = os.open(root + file.target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        try:
            os.fchmod(fd, mode)  # independent of the umask
            os.write(fd, data)
            # The modification time is kept, because byte code contains that of its source.
            os.utime(fd, ns=(NEVER_READ, file.modified))
        finally:
            os.close(fd)
    for folder in made:
        os.utime(folder, ns=(NEVER_READ, os.stat(folder).st_mtime_ns))  # noqa: PTH116
    return total.hexdigest()


def tree_digest(root: str) -> str:
    """Return the digest of the files below ``root``, as ``tree_write`` returns it.

    Raises:
        OSError: a file cannot be read.
    """
    total = hashlib.sha256()
    for path in sorted(f"{folder}/{name}" for folder, _, names in os.walk(root) for name in names):
        _add(total, path.removeprefix(root), Path(path).read_bytes())
    return total.hexdigest()


def _add(total: "hashlib._Hash", target: str, data: bytes) -> None:
    total.update(f"{target}\0{len(data)}\0".encode("utf-8", "surrogateescape"))
    total.update(data)


def _make_folder(path: str, made: set[str]) -> None:
    if path not in made:
        _make_folder(os.path.dirname(path), made)  # noqa: PTH120
        os.mkdir(path)  # noqa: PTH102
        os.chmod(path, 0o755)  # noqa: PTH101, S103 - only the owner may write
        made.add(path)
