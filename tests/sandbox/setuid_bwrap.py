"""Run a command as an ordinary user of a machine without user namespaces whose bwrap is setuid root.

As root, ``python -m tests.sandbox.container_root PYTHON -m tests.sandbox.setuid_bwrap CMD ...``: in a container they
can be switched off without harm to others.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Final

from sandbox.inside import linux

from .ordinary_user import become_ordinary

FOLDER: Final = Path("/mnt")


def main(words: list[str]) -> None:
    bwrap = shutil.which("bwrap")
    assert bwrap is not None
    linux.unshare(linux.NEWNS)
    linux.mount("tmpfs", str(FOLDER), "tmpfs", 0, "mode=755")
    shutil.copy(bwrap, FOLDER)
    (FOLDER / "bwrap").chmod(0o4755)
    os.environ["PATH"] = f"{FOLDER}:{os.environ['PATH']}"
    Path("/proc/sys/user/max_user_namespaces").write_text("0")
    become_ordinary()
    os.execv(words[0], words)


if __name__ == "__main__":
    main(sys.argv[1:])
