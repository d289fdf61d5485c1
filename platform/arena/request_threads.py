"""The threads in which requests are answered, used again.

By itself Django gives each request a thread of its own, and with it a new connection to the database: to open one takes
longer than most answers. Of the threads that are free ``KEPT`` are kept, and the last one is taken first, so that few
hold a connection that nobody uses. A request has its thread to itself until it is answered.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Final

from django.db import connections

KEPT: Final = 8

_free: Final[list[ThreadPoolExecutor]] = []


@contextmanager
def thread_lent(*, new: bool = False) -> Iterator[ThreadPoolExecutor]:
    """Lend a thread, a ``new`` one to whoever waits in line, since it holds no connection. Where nobody waits any more
    for what a thread does, it is free when that is done.
    """
    thread = _free.pop() if _free and not new else ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")
    try:
        yield thread
    finally:
        thread.submit(int).add_done_callback(lambda _done: _give_back(thread))


def _give_back(thread: ThreadPoolExecutor) -> None:
    if len(_free) < KEPT:
        _free.append(thread)
    else:
        connections.close_all()  # we are in that thread
        thread.shutdown(wait=False)
