"""The walls that ``bwrap`` builds where this machine lets a worker build none: the command for one box."""

import os
import shutil
from pathlib import Path
from typing import Final

from . import interpreter
from .inside import root, tree
from .library import Library

_NAMESPACES: Final = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", root.HOST_NAME),
    "--as-pid-1",
)
# To give up being root, the box needs these three; it gives them up too.
_OF_ROOT: Final = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


def bubblewrap_find() -> str | None:
    """Return the program, if it is installed."""
    return shutil.which("bwrap")


def bubblewrap_walls(found: interpreter.Interpreter, library: Library) -> list[str]:
    """Return the command that starts ``bwrap_child`` behind walls; the descriptor of its launcher is to come last.

    As root no user namespace is made: there, all ids but root's would be gone.

    Raises:
        FileNotFoundError: there is no bwrap.
    """
    if (bwrap := bubblewrap_find()) is None:
        raise FileNotFoundError("bwrap is not installed")
    command = [bwrap, *_NAMESPACES]
    if os.geteuid() == 0:
        command += ["--cap-drop", "ALL", *_OF_ROOT]
    # No size for /bot: a bwrap that is setuid takes none, and what is written there the judge has weighed (``files``).
    command += ["--ro-bind", library.root, "/", "--tmpfs", tree.BOT_FOLDER, "--chdir", "/"]
    # The loader finds them without its cache, which is not there.
    folders = dict.fromkeys(str(Path(path).parent) for path in library.linked)
    command += ["--setenv", "LD_LIBRARY_PATH", ":".join(folders), "--"]
    return command + found.command("bwrap_child")
