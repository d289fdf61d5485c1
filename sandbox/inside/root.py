"""The root that all boxes share: the standard library and the kit, read-only, an empty /bot, and nothing else.

There is no /proc, /dev, /etc or /tmp; what the old root held is unmounted, not hidden.
"""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from . import linux

BOT_FOLDER: Final = "/bot"
HOST_NAME: Final = "cage"  # the machine's own is nothing to bots
BOT_DISK: Final = 64 * 1024 * 1024  # bytes and inodes: above the caps of the files sent (see sandbox.files)
BOT_INODES: Final = 16_384

_STAGE: Final = "/tmp"  # noqa: S108 - any folder that is there: a tmpfs covers it
_OLD: Final = "/.old"
THIRD_PARTY: Final = ("site-packages", "dist-packages")  # may lie inside the library's own folder


def build(readable: Sequence[str], *, switch_user: bool) -> None:
    """Make the new root in a new mount namespace and move into it. ``readable`` keep their paths.

    With ``switch_user``, real and effective id become 0 of the user namespace on the way: not before, because the
    library may lie below a home that only its owner may enter.
    """
    linux.unshare(linux.NEWNS)
    sources = [os.open(os.path.realpath(path), os.O_PATH | os.O_CLOEXEC) for path in readable]
    if switch_user:
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", _STAGE, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=256k,nr_inodes=512,mode=755")
    for source, path in zip(sources, readable, strict=True):
        _show(source, path, readable)
        os.close(source)
    Path(_STAGE + BOT_FOLDER).mkdir()
    Path(_STAGE + _OLD).mkdir()
    linux.pivot_root(_STAGE, _STAGE + _OLD)
    os.chdir("/")
    linux.unmount(_OLD)
    Path(_OLD).rmdir()
    linux.mount(None, "/", None, linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | linux.MS_NOSUID | linux.MS_NODEV)
    for path in readable:
        _check_readable(path)


def _show(source: int, path: str, readable: Sequence[str]) -> None:
    """Show one folder, without the third-party packages in it: of those, only ``readable`` will be there."""
    target = Path(_STAGE + path)
    target.mkdir(parents=True, exist_ok=True)
    linux.mount(f"/proc/self/fd/{source}", str(target), None, linux.MS_BIND | linux.MS_REC)
    for cover in (target / name for name in THIRD_PARTY if (target / name).is_dir()):
        linux.mount("tmpfs", str(cover), "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=4k,nr_inodes=16")
        for inner in (Path(_STAGE + other) for other in readable):
            if inner.is_relative_to(cover):
                inner.mkdir()
    linux.seal_mount(str(target))


def _check_readable(path: str) -> None:
    for entry in os.scandir(path):
        if entry.is_file() and entry.name.endswith((".py", ".so")):
            os.close(os.open(entry.path, os.O_RDONLY))
            return


def mount_bot_folder() -> None:
    """Cover /bot with the box's own small file system, from which nothing can be executed."""
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC
    linux.mount("tmpfs", BOT_FOLDER, "tmpfs", flags, f"size={BOT_DISK},nr_inodes={BOT_INODES},mode=755")


def seal_bot_folder() -> None:
    """No more writing below /bot."""
    flags = linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC | linux.MS_RDONLY
    linux.mount(None, BOT_FOLDER, None, linux.MS_REMOUNT | linux.MS_BIND | flags)
