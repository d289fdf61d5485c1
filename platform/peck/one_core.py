"""One core for a judge and its bots, as in the cage, where the system lets a process choose.

They take turns, so a second core is of no use to them; and to wake each other up on another one takes longer than most
actions.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

CHOOSES: Final = hasattr(os, "sched_setaffinity")
_STAT: Final = Path("/proc/self/stat")
_PROCESSOR: Final = 36  # its place after the name of the process, in proc(5)


def cores() -> list[int]:
    """Return the cores that this process may run on; none where it cannot choose."""
    return sorted(os.sched_getaffinity(0)) if CHOOSES else []


def stay_on(core: int) -> None:
    """Keep this process, and what it starts from now on, on ``core``."""
    with suppress(OSError):  # it is no longer one of ours: any other will do
        os.sched_setaffinity(0, {core})


@contextmanager
def one_core() -> Iterator[None]:
    """Stay on the core that this process is on: the system has just found it free."""
    before = cores()
    if len(before) < 2:
        yield
        return
    stay_on(_current(before))
    try:
        yield
    finally:
        with suppress(OSError):
            os.sched_setaffinity(0, before)


def _current(among: list[int]) -> int:
    try:
        core = int(_STAT.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()[_PROCESSOR])
    except (OSError, ValueError, IndexError):
        return among[0]
    return core if core in among else among[0]
