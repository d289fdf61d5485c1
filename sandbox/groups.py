"""cgroups, version 1 and 2: a memory limit for each box, and a limit on the number of processes of a cage.

They are optional: without them, each box still has its rlimits. The zygote is in no box's memory group. So when a box
reaches its memory limit, the kernel kills only the box, and the counters of its group show this.
"""

import fcntl
import itertools
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

_NAME: Final = "pecking-order-"
_MIB: Final = 1024 * 1024
# Bytes for each box beside its limit: its files, its copies of the zygote's pages, page tables.
MEMORY_OVERHEAD: Final = 128 * _MIB
_PROCESSES: Final = 256
_REMOVAL_SECONDS: Final = 2.0  # seconds to wait for the last process to be gone
_CONTROLLERS: Final = ("memory", "pids")
_ZYGOTE: Final = "zygote"
_ATTEMPTS: Final = 5


class BoxGroup:
    """The memory group of one box. Its limit is ``memory`` bytes plus ``MEMORY_OVERHEAD``."""

    def __init__(self, version: int, folder: Path, memory: int) -> None:
        self._version = version
        self._folder = folder
        folder.mkdir()
        try:
            _limit(folder / ("memory.max" if version == 2 else "memory.limit_in_bytes"), str(memory + MEMORY_OVERHEAD))
            # A process joins by writing 0. Version 1 uses ``tasks``, because ``cgroup.procs`` waits for all processors
            # (about 10 ms); version 2 has only ``cgroup.procs``.
            self.entrance = os.open(folder / ("cgroup.procs" if version == 2 else "tasks"), os.O_WRONLY | os.O_CLOEXEC)
        except BaseException:
            folder.rmdir()
            raise

    def overran(self) -> bool:
        """Tell whether the kernel has killed the box because it reached its own limit.

        If the machine or a parent group was out of memory, ``oom_kill`` increases too, but ``max`` does not.
        """
        if self._version == 2:
            events = _counts(self._folder / "memory.events")
            return events["oom_kill"] > 0 and events["max"] > 0
        hits = int((self._folder / "memory.failcnt").read_text())
        return _counts(self._folder / "memory.oom_control")["oom_kill"] > 0 and hits > 0

    def close(self) -> None:
        """Remove the group after its process has ended. If it is not empty yet, ``CageGroups.close`` removes it.

        Never raises.
        """
        os.close(self.entrance)
        with suppress(OSError):
            self._folder.rmdir()


class CageGroups:
    """The groups of one cage: a folder for memory and a folder for processes, which are the same folder in version 2.

    A cage holds a lock on its folders. If no process locks a folder, it was left by a worker that was killed. The next
    cage then removes it. Process ids cannot tell which worker is alive, because containers have their own ids and may
    share the groups.
    """

    def __init__(self, version: int, memory: Path, pids: Path) -> None:
        self.version = version
        self.memory = memory
        self.pids = pids
        self._boxes = itertools.count()
        self._locks: list[int] = []

    @classmethod
    def make(cls) -> Self | None:
        """Make the groups of a cage; return None if this machine does not allow it."""
        for version, parents in ((2, _parents_v2()), (1, _parents_v1())):
            if not parents:
                continue
            name = f"{_NAME}{os.getpid()}-{secrets.token_hex(8)}"
            group = cls(version, parents[0] / name, parents[-1] / name)
            try:
                for parent in dict.fromkeys(parents):
                    _remove_abandoned(parent)
                    group._locks.append(_make_locked(parent / name))
                group._configure()
                group.box(0).close()
            except OSError:
                group.close()
            else:
                return group
        return None

    def _configure(self) -> None:
        _limit(self.pids / "pids.max", str(_PROCESSES))
        if self.version == 2:  # a group that has child groups must not have processes of its own
            _limit(self.memory / "cgroup.subtree_control", "+memory")
            (self.memory / _ZYGOTE).mkdir()

    def take(self, zygote: int) -> None:
        """Put the zygote, and all processes that it will fork, under the limit on processes."""
        folder = self.pids / _ZYGOTE if self.version == 2 else self.pids
        (folder / "cgroup.procs").write_text(str(zygote))

    def box(self, memory: int) -> BoxGroup:
        """Make the group of another box.

        Raises:
            OSError: it cannot be made.
        """
        return BoxGroup(self.version, self.memory / f"box-{next(self._boxes)}", memory)

    def close(self) -> None:
        """Remove all groups after their processes have ended. Never raises."""
        deadline = time.monotonic() + _REMOVAL_SECONDS
        for folder in dict.fromkeys((self.memory, self.pids)):
            while not _removed(folder) and time.monotonic() < deadline:
                time.sleep(0.01)  # the kernel may still be removing the last process
        while self._locks:
            os.close(self._locks.pop())


def _limit(file: Path, text: str) -> None:
    file.write_text(text)


def _removed(folder: Path) -> bool:
    """Remove the folder and its child folders; return False if something is left."""
    for each in (*folder.glob("*/"), folder):
        with suppress(OSError):
            each.rmdir()
    return not folder.exists()


def _counts(file: Path) -> dict[str, int]:
    return {name: int(count) for name, count in (line.split() for line in file.read_text().splitlines())}


def _parents_v2() -> tuple[Path, ...]:
    """Return the folder that may contain our groups: the folder of our own cgroup if it delegates both controllers,
    else that of its parent if that does. Empty if neither does.
    """
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
    """Yield the folder of our own cgroup in each mount of this kind."""
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


def _make_locked(folder: Path) -> int:
    """Make a folder under a random name, lock it, and return the descriptor. The lock lasts until the descriptor is
    closed.

    Raises:
        OSError: it cannot be made.
    """
    for _ in range(_ATTEMPTS):
        folder.mkdir(exist_ok=True)
        with suppress(OSError):  # before the folder is locked, another cage may remove it as abandoned
            lock = _lock(folder)
            if folder.exists():
                return lock
            os.close(lock)
        time.sleep(0.01)
    raise FileNotFoundError(folder)


def _lock(folder: Path) -> int:
    """Lock a folder exclusively for this process.

    Raises:
        OSError: the folder is not there, or another process holds the lock.
    """
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        os.close(lock)
        raise
    return lock


def _remove_abandoned(parent: Path) -> None:
    """Remove the groups of workers that were killed."""
    for left in parent.glob(f"{_NAME}*"):
        with suppress(OSError):
            lock = _lock(left)
            _removed(left)
            os.close(lock)
