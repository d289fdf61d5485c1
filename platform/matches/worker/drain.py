"""A worker that is told to stop, by SIGTERM: it takes no new work, ends what it is at, or hands it back after a while.

Celery tells the worker's first process alone. When that has begun is therefore kept in memory that the processes of its
pool share, for they are forked from it. Workers may be forked from one process too (``arena/embedded/forks.py``), so
each takes memory of its own when it is set up.
"""

import mmap
import struct
import time
from typing import Final

from django.conf import settings

_TIME: Final = struct.Struct("d")
_begun = mmap.mmap(-1, _TIME.size)  # by the monotonic clock, which is the machine's; zeros while it works on


def drain_set_up() -> None:
    """Share the drain with no other worker. Call it in a worker's first process, before its pool is forked."""
    global _begun
    _begun = mmap.mmap(-1, _TIME.size)


def drain_begin() -> None:
    """Have all processes of this worker stop: at the end of a block, at the latest ``DRAIN_SECONDS`` from now."""
    _begun[:] = _TIME.pack(time.monotonic())


def draining() -> bool:
    """Tell whether this worker is to take no new work."""
    return any(_begun[:])


def drain_is_over() -> bool:
    """Tell whether what is still being worked on is to be handed back."""
    return draining() and time.monotonic() >= _TIME.unpack(_begun[:])[0] + settings.DRAIN_SECONDS
