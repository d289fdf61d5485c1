"""The walls that ``bwrap`` builds where this machine lets a worker build none: the command for one box."""

import os
import shutil
import sysconfig
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from . import interpreter
from .inside import root

# What an interpreter needs to start. A box can only tell that these are there: Landlock lets it read none of them.
_SYSTEM: Final = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
_SHARED: Final = ("LDLIBRARY", "INSTSONAME")  # the interpreter's own shared library, if it has one
_NAMESPACES: Final = (
    *("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"),
    *("--hostname", root.HOST_NAME),
    "--as-pid-1",
)
# To give up being root, the box needs these three; it gives them up too.
_OF_ROOT: Final = ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP")


def find() -> str | None:
    """The program, if it is installed."""
    return shutil.which("bwrap")


def walls(found: interpreter.Interpreter) -> list[str]:
    """The command that starts ``alone`` behind walls; the descriptor of its keeper is to come last.

    As root no user namespace is made: there, all ids but root's would be gone.

    Raises:
        FileNotFoundError: there is no bwrap.
    """
    if (bwrap := find()) is None:
        raise FileNotFoundError("bwrap is not installed")
    system = [*_SYSTEM, *_interpreter_files(found), str(interpreter.OURS)]
    shown = [*found.library, *found.kit]
    command = [bwrap, *_NAMESPACES]
    if os.geteuid() == 0:
        command += ["--cap-drop", "ALL", *_OF_ROOT]
    for folder in _parents([*system, *shown]):
        command += ["--perms", "0755", "--dir", folder]  # left to itself, bwrap makes it for its owner only
    for path in system:
        command += ["--ro-bind-try", path, path]
    for folder in found.library:
        command += ["--ro-bind", folder, folder]
        for name in root.THIRD_PARTY:
            if Path(folder, name).is_dir():
                command += ["--tmpfs", f"{folder}/{name}"]
    for folder in found.kit:
        command += ["--ro-bind", folder, folder]
    # No size for /bot: a bwrap that is setuid takes none, and what is written there the judge has weighed (``files``).
    command += ["--tmpfs", root.BOT_FOLDER, "--remount-ro", "/", "--chdir", "/", "--"]
    return command + found.command("alone")


def _interpreter_files(found: interpreter.Interpreter) -> list[str]:
    folder = sysconfig.get_config_var("LIBDIR") or ""
    names = {name for key in _SHARED if ".so" in (name := sysconfig.get_config_var(key) or "")}
    return [found.executable, *(str(Path(folder, name)) for name in sorted(names))]


def _parents(paths: Iterable[str]) -> list[str]:
    """The folders above these paths, each before those below it."""
    return sorted({str(folder) for path in paths for folder in Path(path).parents} - {"/"})
