"""What games may leave behind: on the judge's side, in the zygote, on the machine."""

import ctypes
import gc
import os
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Final

from sandbox import Backend, Cage

_ROOM: Final = 8 << 20  # bytes of memory that a process may differ by after one case
_FOLDERS: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run", ".")


@dataclass(frozen=True, slots=True)
class Traces:
    """Counts on the judge's side."""

    processes: int
    descriptors: int
    mounts: int
    files: int  # of ids that only boxes have
    queues: int  # System V's
    groups: int  # control groups that we have made
    memory: int = field(compare=False)  # bytes of our own


@dataclass(frozen=True, slots=True)
class Rests:
    """Counts on the zygote's side; those that may not be read are 0."""

    children: int
    open_files: int
    mounted: int
    in_bot_folder: int


def traces() -> Traces:
    """What is there of ours now."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what is freed is not left
    return Traces(
        processes=len(descendants(os.getpid())),
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        files=sum(_of_boxes(folder) for folder in _FOLDERS),
        queues=sum(_own_queues(path) for path in Path("/proc/sysvipc").iterdir()),
        groups=sum(1 for _ in _own_groups()),
        memory=_anonymous("self"),
    )


def rests_of_zygote(cage: Cage) -> Rests:
    """What is there in the zygote, or the keeper, now."""
    outer = cage._zygote._process.pid
    inner = max(descendants(outer), default=0) if cage.backend is Backend.OWN else outer
    process = Path("/proc", str(inner))
    return Rests(
        children=len(descendants(inner)),
        open_files=_entries(process / "fd"),
        mounted=_lines(process / "mountinfo"),
        in_bot_folder=_entries(process / "root/bot"),
    )


def difference(before: Traces | Rests, after: Traces | Rests) -> list[str]:
    """What has changed, in words."""
    changes = [(each.name, getattr(after, each.name) - getattr(before, each.name)) for each in fields(before)]
    return [f"{name}: {change:+d}" for name, change in changes if change and (name != "memory" or change > _ROOM)]


def descendants(pid: int) -> set[int]:
    """The process ids of all that live below this one."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            words = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        children.setdefault(int(words[1]), []).append(int(stat.parent.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in children.get(todo.pop(), ()):
            found.add(child)
            todo.append(child)
    return found


def _of_boxes(folder: str) -> int:
    """Entries that belong to ids which only boxes have, or lie there under the names that our bots use."""
    names = {"seen", "note", "meet", "0", "1"}
    found = 0
    try:
        for entry in os.scandir(folder):
            found += entry.name in names or _is_of_boxes(entry.stat(follow_symlinks=False).st_uid)
    except OSError:
        pass
    return found


def _own_queues(table: Path) -> int:
    """Rows of our own, or of ids that only boxes have."""
    head, *rows = (line.split() for line in table.read_text().splitlines())
    return sum(_is_of_boxes(int(row[head.index("uid")])) or row[head.index("uid")] == str(os.geteuid()) for row in rows)


def _is_of_boxes(user: int) -> bool:
    return 2_000_000 <= user < 4_000_000


def _own_groups() -> Iterator[Path]:
    for line in Path("/proc/self/cgroup").read_text().splitlines():
        number, controllers, path = line.split(":", 2)
        root = Path("/sys/fs/cgroup", controllers if number != "0" else "unified")
        yield from root.joinpath(path.lstrip("/")).glob(f"pecking-order-{os.getpid()}-*/**/")


def _anonymous(pid: str) -> int:
    """Bytes of anonymous memory of a process."""
    for line in Path("/proc", pid, "status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def _entries(folder: Path) -> int:
    try:
        return len(list(folder.iterdir()))
    except OSError:
        return 0


def _lines(file: Path) -> int:
    try:
        return len(file.read_text().splitlines())
    except OSError:
        return 0
