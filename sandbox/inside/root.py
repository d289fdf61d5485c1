"""The file system that all boxes share: copies of library and kit in a read-only tmpfs, and an empty /bot.

There is no /proc, /dev, /etc or /tmp, and no folder of the machine's own file systems (``tree`` says why). The old root
is unmounted, not hidden.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import linux
from .tree import BOT_FOLDER, tree_listing, tree_room, tree_write

HOST_NAME: Final = "cage"  # hides the machine's own name from bots
# Bytes, and also inodes: more than the limits of the files that are sent (see sandbox.files).
BOT_DISK: Final = 64 * 1024 * 1024
BOT_INODES: Final = 16_384

_STAGES: Final = ("/mnt", "/media", "/srv", "/opt", "/tmp")  # noqa: S108 - covered in our own mount namespace only


def prepare(shared: str, readable: Sequence[str], *, switch_user: bool) -> str:
    """Mount the tree in a new mount namespace and cover the folders ``readable`` with their copies. Return the mount
    point.

    From then on, imports and shared objects come from the tree. ``shared`` is the path of the machine's copy; if it is
    "", this namespace gets a tmpfs of its own.

    Raises:
        OSError: it cannot be mounted, or the library cannot be read.
    """
    free = (path for path in _STAGES if Path(path).is_dir() and not any(_is_below(each, path) for each in readable))
    if (stage := next(free, None)) is None:
        raise FileNotFoundError(f"none of {', '.join(_STAGES)} is there, or is free of the library")
    linux.unshare(linux.NEWNS)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    if shared:
        linux.mount(shared, stage, None, linux.MS_BIND)
    else:
        _make(stage, readable, switch_user=switch_user)
    linux.seal_mount(stage)
    for path in readable:
        if not any(_is_below(path, other) for other in readable if other != path):
            linux.mount(stage + path, path, None, linux.MS_BIND)
    return stage


def _is_below(path: str, folder: str) -> bool:
    return Path(path).is_relative_to(folder)


def _make(stage: str, readable: Sequence[str], *, switch_user: bool) -> None:
    """Mount a tmpfs and copy the files into it.

    A child process does this, because two ids are needed. It must read with our own id: the library may lie below a
    home folder that only its owner may enter. It must write with an id of the user namespace.
    """
    files = tree_listing(readable)
    size = tree_room(files) + (1 << 20)
    options = f"size={size},nr_inodes={3 * len(files)},mode=755,uid=0,gid=0"
    linux.mount("tmpfs", stage, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)
    if (child := os.fork()) == 0:
        try:
            read = [(file, Path(file.source).read_bytes()) for file in files]
            if switch_user:
                become_first_user()
            tree_write(stage, read)
            os._exit(0)
        finally:
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise OSError(f"{size >> 20} MiB of library could not be copied into a tmpfs of the namespace's own")


def become_first_user() -> None:
    """Become id 0 of the user namespace, which no user outside has."""
    os.setgroups([])
    os.setresgid(0, 0, 0)
    os.setresuid(0, 0, 0)


def enter(stage: str, *, switch_user: bool) -> None:
    """Make the tree that is mounted at ``stage`` the root, and unmount everything else.

    With ``switch_user``, the real and effective ids become 0 of the user namespace first.

    Raises:
        OSError: a mount or the change of root failed.
    """
    if switch_user:
        become_first_user()
    os.chdir(stage)
    linux.pivot_root(".", ".")  # the old root is now mounted over the new one
    linux.unmount(".")
    os.chdir("/")


def mount_bot_folder() -> None:
    """Mount the box's own small file system at /bot, without execution of files."""
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    linux.mount("tmpfs", BOT_FOLDER, "tmpfs", flags, f"size={BOT_DISK},nr_inodes={BOT_INODES},mode=755")


def seal_bot_folder() -> None:
    """Make everything below /bot read-only."""
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC | linux.MS_RDONLY
    linux.mount(None, BOT_FOLDER, None, linux.MS_REMOUNT | linux.MS_BIND | flags)
