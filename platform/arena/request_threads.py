"""The threads in which requests are answered: a fixed number, acquired in turn.

By itself Django gives each request a thread of its own, and with it a new connection to the database. To open one takes
longer than most answers, and hundreds of threads share one interpreter and use up the connections.
"""

from asyncio import CancelledError, Future, get_running_loop, timeout
from collections import deque
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Final

from asgiref.sync import ThreadSensitiveContext
from django.db import close_old_connections

WAIT_MOST: Final = 15.0  # seconds for a thread
READER_WAITS_MOST: Final = 2.0  # a reader loses nothing by a retry, and has left before long
CROWD_SECONDS: Final = 1.0  # for which somebody has always waited: more come than can be served
CROWDED_WAITS_MOST: Final = 0.5  # seconds for a reader then: who is served is served soon, the others know soon
QUEUE_MAX: Final = 200  # waiting requests of one line


class NoThreadFree(Exception):
    """A request waited for a thread for too long, or too many wait already in its line."""


class RequestThreads:
    """``count`` threads and those who wait for one. Addresses take turns, so that one with many requests delays its
    own. The thread that became free last is acquired first, so that few hold a connection that nobody uses.

    Of one address those who read and those who send something stand in two lines, which take turns too. Of readers
    the newest is next: where more come than can be served, the first who came would each be served just before they
    leave, and nobody would be served soon. Who sends something is served in the order of coming. For the same reason
    readers of all addresses are refused sooner while there has been a line for a second, but for those who are
    ``known``: else authors could not sign in while anonymous visitors crowd the site.
    """

    def __init__(self, name: str, count: int) -> None:
        self.free = [ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) for _ in range(count)]
        self._waiting: dict[tuple[str, bool], deque[Future[ThreadPoolExecutor]]] = {}  # by address, and if they read
        self._crowded_since: float | None = None  # by the clock of the loop; None: nobody waited for the last thread

    @asynccontextmanager
    async def acquired(self, address: str, *, reads: bool = False, known: bool = False) -> AsyncIterator[None]:
        """Have Django's synchronous code run in a thread of these. Raise ``NoThreadFree``."""
        thread = await self.acquire(address, reads=reads, known=known)
        try:
            async with ThreadSensitiveContext(executor=thread):
                yield
        finally:
            self.release(thread)

    async def acquire(self, address: str, *, reads: bool = False, known: bool = False) -> ThreadPoolExecutor:
        """Return a thread, which is to be given back; ``reads``: for a request that changes nothing; ``known``: of
        somebody who has signed in, or is about to. Raise ``NoThreadFree``."""
        if self.free:
            return self.free.pop()
        turns = self._waiting.setdefault((address, reads), deque())
        if len(turns) >= QUEUE_MAX:
            if not reads:
                raise NoThreadFree
            _refuse(turns.popleft())
        loop = get_running_loop()
        turn: Future[ThreadPoolExecutor] = loop.create_future()
        turns.append(turn)
        try:
            async with timeout(self._patience(loop.time(), known=known) if reads else WAIT_MOST):
                return await turn
        except (TimeoutError, CancelledError) as error:
            if turn in turns:
                turns.remove(turn)
            elif turn.done() and not turn.cancelled() and turn.exception() is None:
                self._pass_on(turn.result())  # it came in the moment in which nobody waited any more
            if isinstance(error, TimeoutError):
                raise NoThreadFree from None
            raise

    def _patience(self, now: float, *, known: bool) -> float:
        if self._crowded_since is None:
            self._crowded_since = now
        is_crowded = now - self._crowded_since > CROWD_SECONDS
        return CROWDED_WAITS_MOST if is_crowded and not known else READER_WAITS_MOST

    def release(self, thread: ThreadPoolExecutor) -> None:
        """Take a thread back. It can be acquired again when it has nothing left to do for clients that have gone
        away."""
        loop = get_running_loop()

        def is_free(_closed: object) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._pass_on, thread)

        thread.submit(close_old_connections).add_done_callback(is_free)

    def _pass_on(self, thread: ThreadPoolExecutor) -> None:
        while self._waiting:
            line = next(iter(self._waiting))
            turns = self._waiting.pop(line)
            turn = (turns.pop() if line[1] else turns.popleft()) if turns else None
            if turns:
                self._waiting[line] = turns  # behind all others
            if turn and not turn.done():
                turn.set_result(thread)
                return
        self._crowded_since = None
        self.free.append(thread)


def _refuse(turn: Future[ThreadPoolExecutor]) -> None:
    if not turn.done():
        turn.set_exception(NoThreadFree)
