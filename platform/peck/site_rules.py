"""The cage's rules for a bot at home, as far as a process can keep them for itself: for ``peck check``.

They show an honest bot what the site will refuse. They hold nobody back who wants out.
"""

import _thread
import errno
import os
import sys
import threading
from pathlib import Path
from typing import Any, Final, NoReturn

UNCHECKED: Final = (
    "modules that the site does not have, files read beside the bot's own, calls into C, time that it sleeps in all"
)
_MEMORY: Final = "memory"
_STARTS: Final = (
    "start_new",
    "start_new_thread",
    "_start_new_thread",
    "start_joinable_thread",
    "_start_joinable_thread",
)
_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_PROCESSES: Final = ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen")
_REFUSED: Final = {
    **dict.fromkeys(_PROCESSES, errno.EAGAIN),
    **dict.fromkeys(("os.chmod", "os.chown", "os.link", "os.mkdir", "os.remove", "os.rename"), errno.EROFS),
    **dict.fromkeys(("os.rmdir", "os.symlink", "os.truncate", "os.utime"), errno.EROFS),
    "socket.__new__": errno.EPERM,
}


def keep(memory: int) -> None:
    """Keep the rules in this process from here on, for good: no threads, processes, sockets or written files, and no
    more than so many bytes on top of what is mapped, where the system has such a limit.
    """
    _limit_memory(memory)
    for module in (_thread, threading):  # of threads the interpreter tells its hooks from 3.12 on alone
        for name in _STARTS:
            if hasattr(module, name):
                setattr(module, name, _no_thread)
    sys.addaudithook(_refuse)


def unchecked() -> str:
    """Return what of the cage's rules is not looked at here, in words."""
    return UNCHECKED if sys.platform == "linux" else f"{_MEMORY}, {UNCHECKED}"


def _limit_memory(memory: int) -> None:
    if sys.platform == "linux":
        import resource

        mapped = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        most = mapped + memory if hard == resource.RLIM_INFINITY else min(mapped + memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _no_thread(*_args: Any, **_named: Any) -> NoReturn:
    raise RuntimeError("can't start new thread")


def _refuse(event: str, given: tuple[Any, ...]) -> None:
    """Let what the site refuses fail as it does there."""
    if event == "open":
        path, mode, flags = given
        if (flags or 0) & _WRITING or any(letter in (mode or "") for letter in "wax+"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
    elif event in _REFUSED:
        raise OSError(code := _REFUSED[event], os.strerror(code))
