"""Control groups: a second cap, on the memory and the processes of all boxes of a cage together.

Used where the worker may make them, never required: each box has its own limits without them. Versions 1 and 2.
"""

import itertools
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

_NAME: Final = "pecking-order-"
_MIB: Final = 1024 * 1024
_ZYGOTE: Final = 256 * _MIB  # bytes for the zygote itself
_BESIDE: Final = 96 * _MIB  # bytes for each box: its files, and what the kernel keeps for it
_PROCESSES: Final = 256
_PATIENCE: Final = 2.0  # seconds for the last process to be gone
_CONTROLLERS: Final = ("memory", "pids")
_MEMORY_FILES: Final = {1: "memory.limit_in_bytes", 2: "memory.max"}

_numbers: Final = itertools.count()


class Group:
    """A group of our own, in one folder (version 2) or in one for each controller (version 1)."""

    def __init__(self, version: int, folders: tuple[Path, ...]) -> None:
        self.version = version
        self._folders = folders
        self._allowed = 0

    @classmethod
    def make(cls) -> Self | None:
        """Make a new group with both caps set; return None where there can be none."""
        for version, parents in ((2, _parents_v2()), (1, _parents_v1())):
            group = cls(version, tuple(parent / f"{_NAME}{os.getpid()}-{next(_numbers)}" for parent in parents))
            try:
                for parent, folder in zip(parents, group._folders, strict=True):
                    _remove_abandoned(parent)
                    folder.mkdir()
                if group._folders:
                    (group._folders[-1] / "pids.max").write_text(str(_PROCESSES))
                    group.allow(0, 0)
                    return group
            except OSError:
                group.close()
        return None

    def take(self, pid: int) -> None:
        """Put the process, and all that it will fork, into the group."""
        for folder in self._folders:
            (folder / "cgroup.procs").write_text(str(pid))

    def allow(self, boxes: int, memory: int) -> None:
        """Make room for so many boxes with so many bytes between them. It never shrinks: a box may still use what it
        had.
        """
        needed = _ZYGOTE + boxes * _BESIDE + memory
        if needed > self._allowed:
            (self._folders[0] / _MEMORY_FILES[self.version]).write_text(str(needed))
            self._allowed = needed

    def close(self) -> None:
        """Remove the group, whose processes have ended. Never raises."""
        deadline = time.monotonic() + _PATIENCE
        for folder in self._folders:
            while True:
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:  # the kernel has not yet done with the last process
                    if time.monotonic() > deadline:
                        break
                    time.sleep(0.01)
                else:
                    break


def _parents_v2() -> tuple[Path, ...]:
    """Return the folder that may hold our group: one that hands both controllers down."""
    for own in _own_folders("cgroup2", ""):
        for folder in (own, own.parent):
            control = folder / "cgroup.subtree_control"
            with suppress(OSError):
                if not set(_CONTROLLERS) <= set(control.read_text().split()):
                    control.write_text("+memory +pids")
                return (folder,)
    return ()


def _parents_v1() -> tuple[Path, ...]:
    folders = [next(_own_folders("cgroup", controller), None) for controller in _CONTROLLERS]
    return tuple(folder for folder in folders if folder is not None) if all(folders) else ()


def _own_folders(kind: str, controller: str) -> Iterator[Path]:
    """Yield where the groups of this kind are mounted, and in there the one we are in."""
    try:
        mounts = Path("/proc/self/mountinfo").read_text().splitlines()
        groups = [line.split(":", 2) for line in Path("/proc/self/cgroup").read_text().splitlines()]
    except OSError:
        return
    for mount in mounts:
        before, _, after = mount.partition(" - ")
        root, place = before.split()[3:5]
        if after.split()[0] != kind or (controller and controller not in after.split()[2].split(",")):
            continue
        for _, controllers, path in groups:
            if controller in controllers.split(",") and path.startswith(root):
                yield Path(place) / path.removeprefix(root).lstrip("/")


def _remove_abandoned(parent: Path) -> None:
    """Remove the groups of workers that were killed."""
    for left in parent.glob(f"{_NAME}*"):
        if not Path("/proc", left.name.removeprefix(_NAME).partition("-")[0]).exists():
            with suppress(OSError):
                left.rmdir()
