"""Run a command as root of a container, with 65,536 ids: ``python -m tests.sandbox.container_root CMD ...`` as root."""

import os
import sys
from pathlib import Path
from typing import Final

from sandbox.inside import linux

from .ordinary_user import REPOSITORY, open_closed_folders

FIRST: Final = 100_000
LENGTH: Final = 65_536


def possible() -> bool:
    """We are root, and of more than such a container ourselves."""
    ids = max(int(row.split()[2]) for row in Path("/proc/self/uid_map").read_text().splitlines())
    return os.geteuid() == 0 and ids >= FIRST + LENGTH


def main(words: list[str]) -> int:
    open_closed_folders()
    from_child, to_parent = os.pipe()
    from_parent, to_child = os.pipe()
    if (pid := os.fork()) == 0:
        linux.unshare(linux.NEWUSER)
        os.write(to_parent, b"M")
        os.read(from_parent, 1)
        os.setgroups([])
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)
        os.chdir(REPOSITORY)
        os.execv(words[0], words)
    os.read(from_child, 1)
    for name in ("uid_map", "gid_map"):
        Path(f"/proc/{pid}/{name}").write_text(f"0 {FIRST} {LENGTH}")
    os.write(to_child, b"G")
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
