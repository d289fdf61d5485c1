"""Which kernel ids the boxes get.

Started by root, a range of ids that belongs to nobody: the zygote is its first id, each bot has another.
Otherwise the one id there is: the worker's own.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

RANGE: Final = 1000  # ids of one zygote
_FIRST: Final = 2_000_000  # far above the ids that distributions hand out
_ZYGOTES: Final = 1000
_ALL_IDS: Final = 0xFFFF_FFFF  # the length of the map of the first user namespace


@dataclass(frozen=True, slots=True)
class IdMap:
    """Ids 0 to ``length - 1`` inside the boxes are ``user``, ``group`` and the following outside."""

    user: int
    group: int
    length: int

    @property
    def switch_user(self) -> bool:
        return self.length > 1

    def write(self, pid: int) -> None:
        """Give the process, which has just made its user namespace, its ids.

        Raises:
            OSError: the kernel, or a security module, refuses.
        """
        process = Path("/proc", str(pid))
        if not self.switch_user:  # the kernel's condition for a map without privilege
            (process / "setgroups").write_text("deny")
        (process / "uid_map").write_text(f"0 {self.user} {self.length}")
        (process / "gid_map").write_text(f"0 {self.group} {self.length}")

    def bot_user(self, serial: int) -> int:
        """The id of the box with this serial number, inside."""
        return serial % (self.length - 1) + 1 if self.switch_user else 0


def choose() -> IdMap:
    """The best map this process may hope for. Whether it may really have it shows when it is written."""
    user, group = os.geteuid(), os.getegid()
    single = IdMap(user, group, 1)
    if user != 0:
        return single
    inside, _, length = max(_own_map(), key=lambda row: row[2])
    if length >= _ALL_IDS:  # the real root: must not fall back to one id, which would be root's
        return IdMap(*2 * (_FIRST + os.getpid() % _ZYGOTES * RANGE,), RANGE)
    if length >= 3 * RANGE:  # root of a container
        return IdMap(*2 * (inside + length - 2 * RANGE,), RANGE)
    return single


def _own_map() -> list[tuple[int, int, int]]:
    with Path("/proc/self/uid_map").open() as rows:
        return [(int(a), int(b), int(c)) for a, b, c in (row.split() for row in rows)]
