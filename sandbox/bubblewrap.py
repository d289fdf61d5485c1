"""Build the ``bwrap`` command for one box, for machines where a worker may not create namespaces itself."""

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
# The box needs these three capabilities to give up being root. It drops them afterwards.
_OF_ROOT: Final = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


def bubblewrap_find() -> str | None:
    """Return the path of ``bwrap``, or None if it is not installed."""
    return shutil.which("bwrap")


def bubblewrap_walls(found: interpreter.Interpreter, library: Library) -> list[str]:
    """Return the command that starts ``bwrap_child`` behind walls. The caller appends the launcher's descriptor.

    Root gets no user namespace: it would have no ids but root's.

    Raises:
        FileNotFoundError: bwrap is not installed.
    """
    if (bwrap := bubblewrap_find()) is None:
        raise FileNotFoundError("bwrap is not installed")
    command = [bwrap, *_NAMESPACES]
    if os.geteuid() == 0:
        command += ["--cap-drop", "ALL", *_OF_ROOT]
    # /bot has no size limit: a setuid bwrap does not accept one, and ``files`` has checked the size of what is written
    # there.
    command += ["--ro-bind", library.root, "/", "--tmpfs", tree.BOT_FOLDER, "--chdir", "/"]
    # A box has no loader cache, so the loader needs the folders of the shared libraries.
    folders = dict.fromkeys(str(Path(path).parent) for path in library.linked)
    command += ["--setenv", "LD_LIBRARY_PATH", ":".join(folders), "--"]
    return command + found.command("bwrap_child")
