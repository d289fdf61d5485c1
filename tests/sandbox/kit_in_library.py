"""Run a command with the kit installed beside the library, as in a container image, and not in a virtual environment.

As root: ``python -m tests.sandbox.kit_in_library ARGUMENTS ...`` of a Python without one.
"""

import os
import subprocess
import sys
import sysconfig

from sandbox.inside import linux

from .ordinary_user import REPOSITORY


def main(arguments: list[str]) -> None:
    kit = sysconfig.get_path("purelib")
    python = os.path.realpath(sys.executable)
    text = "import sysconfig; print(sysconfig.get_path('purelib'))"  # Debian's has a place of its own
    beside = subprocess.run([python, "-c", text], capture_output=True, text=True, check=True).stdout.strip()
    linux.unshare(linux.NEWNS)
    linux.mount(None, "/", None, linux.MS_REC | linux.MS_PRIVATE)
    linux.mount(kit, beside, None, linux.MS_BIND)
    os.environ["PYTHONPATH"] = f"{REPOSITORY}:{REPOSITORY / 'platform'}"
    os.execv(python, [python, *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
