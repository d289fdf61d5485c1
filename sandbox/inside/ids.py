"""Choose the kernel user ids of the boxes.

Root takes a range of ids that belongs to nobody: the zygote gets its first id, each bot another one. A user with a
subordinate range (/etc/subuid) takes a part of that range in the same way. Otherwise the zygote and all bots share the
worker's own id.
"""

import os
import pwd
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

RANGE: Final = 1000  # ids of one zygote and its bots
_FIRST: Final = 2_000_000  # far above the ids that distributions hand out
_ZYGOTES: Final = 1000
_ALL_IDS: Final = 0xFFFF_FFFF  # the length of the map of the first user namespace
_SUBORDINATE: Final = {"newuidmap": Path("/etc/subuid"), "newgidmap": Path("/etc/subgid")}


class Ids(Protocol):
    """The ids of a zygote or launcher and its boxes."""

    @property
    def switch_user(self) -> bool:
        """Whether each bot has an id of its own."""

    def write(self, pid: int) -> None:
        """Write the id maps of a process that has just settled.

        Raises:
            OSError: the kernel, or a security module, refuses.
        """

    def bot_user(self, serial: int) -> int:
        """Return the id of the box with this serial number, as its zygote or launcher sees it."""


@dataclass(frozen=True, slots=True)
class IdMap:
    """Maps ids 0 to ``length - 1`` inside the boxes to ``user``, ``group`` and the following ids outside.

    ``handed_out`` says that the range is subordinate: the programs newuidmap and newgidmap write the map.
    """

    user: int
    group: int
    length: int
    handed_out: bool = False

    @property
    def switch_user(self) -> bool:
        return self.length > 1

    def write(self, pid: int) -> None:
        process = Path("/proc", str(pid))
        maps = {"newuidmap": ("uid_map", self.user), "newgidmap": ("gid_map", self.group)}
        if not self.switch_user:  # the kernel requires this of a map that is written without privileges
            (process / "setgroups").write_text("deny")
        for program, (name, first) in maps.items():
            if self.handed_out:
                words = [program, str(pid), "0", str(first), str(self.length)]
                done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
                if done.returncode:
                    raise OSError(f"{program}: {done.stderr.strip()}")
            else:
                (process / name).write_text(f"0 {first} {self.length}")

    def bot_user(self, serial: int) -> int:
        return serial % (self.length - 1) + 1 if self.switch_user else 0


@dataclass(frozen=True, slots=True)
class Unmapped:
    """No user namespace: ids are the same inside and outside. ``first`` is the first id of the range, 0 if there is no
    range.
    """

    first: int

    @property
    def switch_user(self) -> bool:
        return self.first > 0

    def write(self, pid: int) -> None:
        """Do nothing: nothing is mapped."""

    def bot_user(self, serial: int) -> int:
        return self.first + serial % RANGE if self.first else 0


def ids_choose() -> IdMap:
    """Return the best map that this process may get. The kernel may still refuse it when it is written."""
    user = os.geteuid()
    if user == 0:
        first = _range_of_root()
        return IdMap(first, first, RANGE) if first else only_own()
    if all(map(shutil.which, _SUBORDINATE)):
        starts = [_part(_handed_out(file, user)) for file in _SUBORDINATE.values()]
        if all(starts):
            return IdMap(starts[0], starts[1], RANGE, handed_out=True)
    return only_own()


def only_own() -> IdMap:
    """Return the map that needs no privilege: all bots have the worker's id."""
    return IdMap(os.geteuid(), os.getegid(), 1)


def give(wanted: Ids, pid: int) -> Ids:
    """Write the id map of this process and return it. If newuidmap or newgidmap fails, fall back to the worker's own
    id.

    Raises:
        OSError: the kernel, or a security module, refuses.
    """
    try:
        wanted.write(pid)
    except OSError:
        if not (isinstance(wanted, IdMap) and wanted.handed_out):
            raise
        wanted = only_own()
        wanted.write(pid)
    return wanted


def ids_choose_unmapped() -> Unmapped:
    """Return the ids for boxes without a user namespace."""
    return Unmapped(_range_of_root() if os.geteuid() == 0 else 0)


def _range_of_root() -> int:
    """Return the first id of a range for this process's boxes; 0 if root itself has a single id."""
    inside, _, length = max(_own_map(), key=lambda row: row[2])
    if length >= _ALL_IDS:  # this is the machine's root, which must not fall back to a single id: that would be root's
        return _FIRST + os.getpid() % _ZYGOTES * RANGE
    return inside + length - 2 * RANGE if length >= 3 * RANGE else 0  # root of a container


def _own_map() -> Iterator[tuple[int, int, int]]:
    with Path("/proc/self/uid_map").open() as rows:
        for row in rows:
            inside, outside, length = map(int, row.split())
            yield inside, outside, length


def _handed_out(file: Path, user: int) -> tuple[int, int]:
    """Return the first id and the length of the longest range that the system has given to the user; 0, 0 if it has
    given none.
    """
    try:
        name = pwd.getpwuid(user).pw_name
    except KeyError:
        name = ""
    ranges = [(0, 0)]
    try:
        for line in file.read_text().splitlines():
            owner, _, numbers = line.partition(":")
            if owner and owner in (name, str(user)):
                first, _, length = numbers.partition(":")
                ranges.append((int(first), int(length)))
    except (OSError, ValueError):
        pass
    return max(ranges, key=lambda found: found[1])


def _part(handed_out: tuple[int, int]) -> int:
    """Return where this process's part of a range begins; 0 if the range is too short. Parts differ by process id."""
    first, length = handed_out
    parts = length // RANGE
    return first + os.getpid() % parts * RANGE if parts else 0
