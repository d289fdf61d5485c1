"""Find the rule of the cage that caused an exception, and explain it to the bot's author."""

import errno
from collections.abc import Iterable
from pathlib import PurePath
from typing import Final

# Modules of the standard library whose shared libraries are not in the box, and modules of other systems.
ABSENT: Final = frozenset(
    (
        *("bz2", "crypt", "curses", "dbm", "idlelib", "lzma", "nis", "readline", "sqlite3", "ssl", "tkinter", "turtle"),
        *("turtledemo", "msilib", "msvcrt", "nt", "winreg", "winsound"),
    )
)
_THREADS: Final = "a bot is one thread: threads, and asyncio.run, do not work in the cage"
_PROCESSES: Final = "a bot is one process: it cannot start others (os.fork, subprocess, multiprocessing)"
_NETWORK: Final = "there is no network in the cage, not even a socket"
_WRITING: Final = "nothing can be written in the cage; what a bot wants to keep for its game it keeps in memory"
_READING: Final = "a bot can read its own files, beside bot.py, and Python's library: Path(__file__).parent / 'name'"
_MODULES: Final = "a bot can import Python's standard library, numpy and its own files; 'Write a bot' has the list"
_NUMPY: Final = (
    "there is no NumPy here. On the site bots have it, and at home after 'pip install numpy'; in a browser there is"
    " none: play this bot at home ('peck play'), or save it and let the site check it"
)
_ZONES: Final = "there are no time zone files in the cage; datetime.timezone works"
_FORBIDDEN: Final = "the cage does not allow this call to the operating system"

# The rules by module. The first module of the library between the bot and the exception tells what the bot tried.
_BY_MODULE: Final = {
    **dict.fromkeys(("threading", "asyncio", "_base", "thread"), _THREADS),
    **dict.fromkeys(("subprocess", "multiprocessing", "popen_fork", "pty", "forkserver", "spawn"), _PROCESSES),
    **dict.fromkeys(("socket", "socketserver", "client", "request", "ssl", "selectors"), _NETWORK),
    **dict.fromkeys(("tempfile", "shutil"), _WRITING),
    **dict.fromkeys(("zoneinfo", "_common", "_tzpath"), _ZONES),
}
_BY_ERRNO: Final = {
    errno.EAGAIN: _PROCESSES,  # fork raises this error
    errno.EROFS: _WRITING,
    errno.ENOENT: _READING,
    errno.EACCES: _READING,
    errno.EPERM: _FORBIDDEN,
    errno.ENOSYS: _FORBIDDEN,
}


def rule(error: BaseException, library: Iterable[str]) -> str:
    """Return the rule that this exception ran into, "" if none. ``library`` are the standard library's files in its
    traceback.
    """
    kind = type(error)
    if kind is ModuleNotFoundError and error.name == "numpy":  # type: ignore[attr-defined]
        return _NUMPY  # the cage always has numpy, so this runs in a browser or at home
    if issubclass(kind, ImportError):
        return _MODULES
    if issubclass(kind, RuntimeError) and "new thread" in str(error):
        return _THREADS
    if kind.__name__ == "ZoneInfoNotFoundError":
        return _ZONES
    if not issubclass(kind, OSError):
        return ""
    for file in library:
        path = PurePath(file)
        for name in (path.stem, path.parent.name):
            if name in _BY_MODULE:
                return _BY_MODULE[name]
    return _BY_ERRNO.get(error.errno or 0, "")  # type: ignore[attr-defined]
