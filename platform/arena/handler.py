"""How requests are answered: some at once, the others in turn by a fixed number of threads; and files are sent while
they are made.

By itself Django gives each request a thread of its own, and with it a new connection to the database. To open one
takes longer than most answers, and hundreds of threads share one interpreter and use up the connections.
"""

import logging
import os
import tempfile
from asyncio import CancelledError, Event, Future, get_running_loop, timeout
from collections import deque
from collections.abc import AsyncIterator, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.http import FileResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse

from arena.operations.health import ALIVE, READY
from arena.site.error_pages import error_page_unavailable
from arena.websocket import websocket_address_of

CHUNK: Final = 64 * 1024  # bytes of a message


class MadeFile:
    """A file that ``thread`` makes of ``parts`` from now on, no longer than its reader stays. The ``context`` of the
    request has its language.

    The view that makes one has a thread and a connection to the database, and must not wait for a slow reader. It
    writes to a temporary file, from which the reader is served.
    """

    def __init__(self, parts: Iterable[bytes], thread: ThreadPoolExecutor, context: Context) -> None:
        self._loop = get_running_loop()
        self._more = Event()
        self.is_closed = False
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  open as long as somebody writes or reads
        self.made = self._loop.run_in_executor(thread, context.run, self._make, parts)
        self.made.add_done_callback(lambda _made: self._more.set())

    async def read(self) -> AsyncIterator[bytes]:
        """Yield pieces as they are there. Raises what the making raised."""
        sent = 0
        try:
            while True:
                self._more.clear()
                made = self.made.done()
                if piece := os.pread(self._file.fileno(), CHUNK, sent):
                    sent += len(piece)
                    yield piece
                elif made:
                    self.made.result()
                    return
                else:
                    await self._more.wait()
        finally:
            self.is_closed = True

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self.read()

    def close(self) -> None:
        """End the making: its answer is sent, or its reader has left. Django calls it."""
        self.is_closed = True
        self._loop.call_soon_threadsafe(self.made.add_done_callback, lambda _made: self._file.close())

    def _make(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            if self.is_closed:
                return
            self._file.write(part)
            self._file.flush()
            self._loop.call_soon_threadsafe(self._more.set)


logger = logging.getLogger(__name__)

READS: Final = ("GET", "HEAD")

KNOWN_MOST: Final = 10_000  # sessions
OPEN_MOST: Final = 20  # made files of one address that have not been read to their end: each takes room on the disk
STATEMENT_MOST: Final = 30  # seconds of one statement; PostgreSQL ends it then, and the answer is 503


class BoundedHandler(ASGIHandler):
    """Django's handler with a bound on the threads, and so on the connections to the database, of a web process.

    ``REQUESTS_AT_ONCE`` answers are computed and ``FILES_AT_ONCE`` files are made at a time; a process computes no more
    by doing more at once. The others wait in line, and get a 503 with Retry-After when that takes too long, as does an
    address that has not read ``OPEN_MOST`` files to their end. Probes of health have a thread of their own. A thread is
    not held while an answer is sent.
    """

    def __init__(self) -> None:
        super().__init__()
        connection_created.connect(handler_limit_statements)
        self.pages = RequestThreads("page", settings.REQUESTS_AT_ONCE)
        self.files = RequestThreads("file", settings.FILES_AT_ONCE)
        self.probes = RequestThreads("probe", 1)
        self._open: WeakKeyDictionary[MadeFile, str] = WeakKeyDictionary()  # by address
        self._signed_in: dict[str, None] = {}  # sessions that this process has answered, the latest last
        self._outside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="signals")
        self._proxies = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load it to run in one thread with the view. Django's way switches to the thread for each part of it."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages come by HTTP, not by {scope['type']}")
        # Django's signals before and after a request close connections, of which this thread has none.
        async with ThreadSensitiveContext(executor=self._outside):
            await self.handle(scope, receive, send)

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Return the answer when there is a thread to compute it; 503 if there is none for too long."""
        threads = self.probes if request.path_info in (ALIVE, READY) else self.pages
        address = websocket_address_of(request.scope, self._proxies)
        is_known = request.COOKIES.get(settings.SESSION_COOKIE_NAME) in self._signed_in
        line = f"{address} {is_known}"  # anonymous visitors do not delay signed-in users
        known = is_known or request.path_info == settings.LOGIN_URL
        try:
            context = copy_context()
            async with threads.acquired(line, reads=request.method in READS, known=known):
                response = await sync_to_async(self.get_response, context=context)(request)
            self._note_session(request)
            if isinstance(response, StreamingHttpResponse) and not response.is_async:
                await self._stream(response, address, context)
            return response
        except NoThreadFree:
            logger.warning("%s found no free thread, and was refused", request.path)
            return error_page_unavailable(request, busy=True)

    def _note_session(self, request: Any) -> None:
        """Note whether the session of a request is of somebody who has signed in: a cookie says little."""
        session = getattr(request, "session", None)
        if session is None or not session.session_key or not session.accessed:
            return
        self._signed_in.pop(session.session_key, None)
        if SESSION_KEY in session:
            self._signed_in[session.session_key] = None
            if len(self._signed_in) > KNOWN_MOST:
                del self._signed_in[next(iter(self._signed_in))]

    async def _stream(self, response: StreamingHttpResponse, address: str, context: Context) -> None:
        made: Any = response.streaming_content
        if isinstance(response, FileResponse):  # is on the disk already
            response.streaming_content = _each(made)
            return
        thread = await self.files.acquire(address)
        try:
            if sum(whose == address and not file.is_closed for file, whose in self._open.items()) >= OPEN_MOST:
                raise NoThreadFree
            file = MadeFile(made, thread, context)
        except (NoThreadFree, OSError):  # or no temporary file can be had
            self.files.release(thread)
            raise
        self._open[file] = address
        file.made.add_done_callback(lambda _made: self.files.release(thread))
        response.streaming_content = file


def handler_limit_statements(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Let no statement of a new connection hold its thread for long: threads are few, and one may wait for a lock."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = {1000 * STATEMENT_MOST:.0f}")


async def _each(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


WAIT_MOST: Final = 15.0  # seconds for a thread
READER_WAITS_MOST: Final = 2.0  # a reader loses nothing by a retry, and has left before long
KNOWN_WAITS_MOST: Final = 10.0  # a reader who has signed in: a class that reloads one page after a round is no crowd
CROWD_SECONDS: Final = 1.0  # for which somebody has always waited: more come than can be served
CROWDED_WAITS_MOST: Final = 0.5  # seconds for a reader then: who is served is served soon, the others know soon
QUEUE_MAX: Final = 200  # waiting requests of one line


class NoThreadFree(Exception):
    """A request waited for a thread for too long, or too many wait already in its line."""


Lines: TypeAlias = dict[tuple[str, bool], deque[Future[ThreadPoolExecutor]]]  # by address, and whether they read


class RequestThreads:
    """``count`` threads and those who wait for one. Addresses take turns, so that one with many requests delays its
    own, and every second turn is of those who are ``known``, so that a crowd of strangers does not delay them. The
    thread that became free last is acquired first, so that few hold a connection that nobody uses.

    Of one address those who read and those who send something stand in two lines, which take turns too. Of readers
    the newest is next: where more come than can be served, the first who came would each be served just before they
    leave, and nobody would be served soon. Who sends something is served in the order of coming. For the same reason
    readers of all addresses are refused sooner while there has been a line for a second, but for those who are
    ``known``: else authors could not sign in while anonymous visitors crowd the site.
    """

    def __init__(self, name: str, count: int) -> None:
        self.free = [ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) for _ in range(count)]
        self._waiting: dict[bool, Lines] = {True: {}, False: {}}  # of those who are known, and of the others
        self._known_next = True
        self._crowded_since: float | None = None  # by the clock of the loop; None: nobody waited for the last thread

    @property
    def waiting(self) -> int:
        """Return how many requests wait for a thread."""
        return sum(len(turns) for lines in self._waiting.values() for turns in lines.values())

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
        turns = self._waiting[known].setdefault((address, reads), deque())
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
        if known:
            return KNOWN_WAITS_MOST
        return CROWDED_WAITS_MOST if now - self._crowded_since > CROWD_SECONDS else READER_WAITS_MOST

    def release(self, thread: ThreadPoolExecutor) -> None:
        """Take a thread back. It can be acquired again when it has nothing left to do for clients that have gone
        away."""
        loop = get_running_loop()

        def is_free(_closed: object) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._pass_on, thread)

        thread.submit(close_old_connections).add_done_callback(is_free)

    def _pass_on(self, thread: ThreadPoolExecutor) -> None:
        while any(self._waiting.values()):
            known = self._known_next if self._waiting[self._known_next] else not self._known_next
            self._known_next, lines = not known, self._waiting[known]
            line = next(iter(lines))
            turns = lines.pop(line)
            turn = (turns.pop() if line[1] else turns.popleft()) if turns else None
            if turns:
                lines[line] = turns  # behind all others
            if turn and not turn.done():
                turn.set_result(thread)
                return
        self._crowded_since = None
        self.free.append(thread)


def _refuse(turn: Future[ThreadPoolExecutor]) -> None:
    if not turn.done():
        turn.set_exception(NoThreadFree)
