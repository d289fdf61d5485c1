"""The threads in which requests are answered, used again.

By itself Django gives each request a thread of its own, and with it a new connection to the database: to open one takes
longer than most answers. Of the threads that are free ``KEPT`` are kept, and the last one is taken first, so that few
hold a connection that nobody uses. A request has its thread to itself until it is answered.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

KEPT: Final = 8

_free: Final[list[ThreadPoolExecutor]] = []


@contextmanager
def thread_lent() -> Iterator[ThreadPoolExecutor]:
    """Lend a thread; where nobody waits any more for what it does, it is free when that is done."""
    try:
        thread = _free.pop()
    except IndexError:
        thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
    try:
        yield thread
    finally:
        thread.submit(int).add_done_callback(lambda _done: _give_back(thread))


def _give_back(thread: ThreadPoolExecutor) -> None:
    if len(_free) < KEPT:
        _free.append(thread)
    else:
        thread.shutdown(wait=False)
