"""Run a command as an ordinary user although the tests run as root: ``python -m tests.sandbox.ordinary_user CMD ...``.

The interpreter or the repository may lie below a folder that only root may enter, such as root's home. In a mount
namespace of its own, the command sees each such folder covered by one that anybody may enter and that holds only them.
"""

import os
import stat
import sys
from pathlib import Path

from sandbox.inside import linux

NOBODY = 65534
REPOSITORY = Path(__file__).resolve().parents[2]


def command(*words: str) -> list[str]:
    """The command line that runs ``python words...`` as an ordinary user, also where we are root."""
    if os.geteuid() != 0:
        return [sys.executable, *words]
    return [sys.executable, "-m", "tests.sandbox.ordinary_user", sys.executable, *words]


def open_closed_folders() -> None:
    """Let anybody reach the repository and the interpreter, in a mount namespace of our own."""
    os.environ.pop("PECKING_ORDER_VAR", None)  # the tests' own folder is closed to others: they make another
    prefixes = {Path(prefix).resolve() for prefix in (sys.base_prefix, sys.prefix)}
    needed = [REPOSITORY, *(path for path in prefixes if not path.is_relative_to(REPOSITORY))]
    closed: dict[Path, list[Path]] = {}
    for path in needed:
        for folder in reversed(path.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                closed.setdefault(folder, []).append(path)
                break
    os.umask(0o022)  # that of a process with the site's settings is narrower
    linux.unshare(linux.NEWNS)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    for folder, paths in closed.items():
        held = [os.open(path, os.O_PATH) for path in paths]
        linux.mount("tmpfs", str(folder), "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=64k,mode=755")
        for path, fd in zip(paths, held, strict=True):
            path.mkdir(parents=True, exist_ok=True)
            linux.mount(f"/proc/self/fd/{fd}", str(path), None, linux.MS_BIND | linux.MS_REC)
            os.close(fd)


def become_ordinary() -> None:
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    os.environ["HOME"] = "/nonexistent"


def main(words: list[str]) -> None:
    open_closed_folders()
    os.chdir(REPOSITORY)
    become_ordinary()
    os.execv(words[0], words)


if __name__ == "__main__":
    main(sys.argv[1:])
