"""Run a command as an ordinary user with subordinate ids: ``python -m tests.sandbox.subordinate_ids CMD``.

As root. The two files that say so are covered in a mount namespace of its own.
"""

import os
import sys
import tempfile
from pathlib import Path
from typing import Final

from sandbox.inside import linux

from . import ordinary_user

FIRST: Final = 300_000
LENGTH: Final = 65_536
FILES: Final = (Path("/etc/subuid"), Path("/etc/subgid"))


def main(words: list[str]) -> None:
    linux.unshare(linux.NEWNS)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    with tempfile.NamedTemporaryFile("w") as rows:
        rows.write(f"daemon:100000:{LENGTH}\n{ordinary_user.NOBODY}:{FIRST}:{LENGTH}\n")
        rows.flush()
        os.fchmod(rows.fileno(), 0o644)
        for file in FILES:
            linux.mount(rows.name, str(file), None, linux.MS_BIND)
    ordinary_user.main(words)


if __name__ == "__main__":
    main(sys.argv[1:])
