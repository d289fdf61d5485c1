"""Many POSTs under way at once, in an event loop beside the thread that reads and writes the database."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Collection, Coroutine, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from hooks.wire import Unsent

logger = logging.getLogger(__name__)
SLOTS: Final = 32  # at once
ON_FOR: Final = 30.0  # seconds; then the task returns its process to the pool

Claim = TypeVar("Claim")


def send_concurrently(
    *,
    claim: Callable[[int], Collection[Claim]],
    send: Callable[[Claim], Coroutine[Any, Any, int]],
    note: Callable[[Claim, int | None, str], bool],
    on_for: float,
) -> int:
    """Send what ``claim`` returns, until that is nothing or the time is over. Return how many outcomes were written.

    ``claim`` gets the number of free slots; ``send`` returns the status of the answer or raises ``Unsent``; ``note``
    gets that status, or None and the problem in a word, and returns whether it was written. ``on_for`` in seconds.
    """
    until, written = time.monotonic() + on_for, 0
    under_way: dict[Future[int], Claim] = {}
    with _loop() as loop:
        while True:
            if time.monotonic() < until and len(under_way) < SLOTS:
                for one in claim(SLOTS - len(under_way)):
                    under_way[asyncio.run_coroutine_threadsafe(send(one), loop)] = one
            if not under_way:
                break
            done, _going_on = wait(under_way, timeout=0.5, return_when=FIRST_COMPLETED)
            for sent in done:
                one = under_way.pop(sent)
                written += note(one, *_outcome(sent, one))
    return written


def _outcome(sent: "Future[int]", claimed: object) -> tuple[int | None, str]:
    try:
        return sent.result(), ""
    except Unsent as error:
        return None, error.problem
    except Exception:  # a fault of ours: it is tried again like after one of theirs
        logger.exception("%s could not be sent", claimed)
        return None, "ours"


@contextmanager
def _loop() -> Iterator[asyncio.AbstractEventLoop]:
    """Run an event loop in a thread of its own: the database stays in this one. Names are looked up in threads that
    may outlive it; as many as there may be, and as many again that hang.
    """
    loop = asyncio.new_event_loop()
    names = ThreadPoolExecutor(2 * SLOTS, "names")
    loop.set_default_executor(names)
    thread = threading.Thread(target=loop.run_forever, name="webhooks", daemon=True)
    thread.start()
    try:
        yield loop
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        names.shutdown(wait=False, cancel_futures=True)
        loop._default_executor = None  # type: ignore[attr-defined]
        loop.close()
