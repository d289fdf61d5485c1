"""The ASGI handler: a fixed number of threads for requests, with fair queues; and files that are streamed while they
are generated.

Django's own handler gives each request a thread and with it a new database connection. Opening one takes longer than
most responses, and hundreds of threads share one interpreter and use up the connections.
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
from arena.websocket import websocket_client_address

CHUNK: Final = 64 * 1024  # bytes of a message


class MadeFile:
    """A response body that ``thread`` generates from ``parts``, as long as its reader stays. The ``context`` of the
    request provides the language.

    The generating view occupies a thread and a database connection, so it must not wait for a slow reader. It writes to
    a temporary file, from which the reader is served.
    """

    def __init__(self, parts: Iterable[bytes], thread: ThreadPoolExecutor, context: Context) -> None:
        self._loop = get_running_loop()
        self._more = Event()
        self.is_closed = False
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  open as long as it is written or read
        self.made = self._loop.run_in_executor(thread, context.run, self._make, parts)
        self.made.add_done_callback(lambda _made: self._more.set())

    async def read(self) -> AsyncIterator[bytes]:
        """Yield pieces as they become available. Raise what the generator raised."""
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
        """Stop generating: the response was sent, or the reader has left. Django calls this."""
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
OPEN_MOST: Final = 20  # unread files of one address; each takes disk space
STATEMENT_MOST: Final = 30  # seconds for one statement; then PostgreSQL cancels it, and the response is 503


class BoundedHandler(ASGIHandler):
    """Django's handler with a limit of threads, and so of database connections, in a web process.

    At most ``REQUESTS_AT_ONCE`` responses are computed and ``FILES_AT_ONCE`` files generated at a time; more would not
    be faster. Other requests wait in a queue. A request that waits too long gets a 503 with Retry-After. So does a
    request for another file from an address with ``OPEN_MOST`` unread files. Health probes have their own thread.
    Sending a response occupies no thread.
    """

    def __init__(self) -> None:
        super().__init__()
        connection_created.connect(handler_limit_statements)
        self.pages = RequestThreads("page", settings.REQUESTS_AT_ONCE)
        self.files = RequestThreads("file", settings.FILES_AT_ONCE)
        self.probes = RequestThreads("probe", 1)
        self._open: WeakKeyDictionary[MadeFile, str] = WeakKeyDictionary()  # value: client address
        self._signed_in: dict[str, None] = {}  # session keys that this process has seen, latest last
        self._outside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="signals")
        self._proxies = getattr(settings, "ALLAUTH_TRUSTED_PROXY_COUNT", 0)

    def load_middleware(self, is_async: bool = False) -> None:
        """Load the middleware to run in one thread with the view. Django would switch threads for each of them."""
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages come by HTTP, not by {scope['type']}")
        # Django's signals around a request close the database connections of the thread that runs them. So they run in
        # a thread of their own, which has none.
        async with ThreadSensitiveContext(executor=self._outside):
            await self.handle(scope, receive, send)

    async def get_response_async(self, request: Any) -> HttpResponseBase:
        """Return the response once a thread has computed it, or 503 if none became free in time."""
        threads = self.probes if request.path_info in (ALIVE, READY) else self.pages
        address = websocket_client_address(request.scope, self._proxies)
        is_known = request.COOKIES.get(settings.SESSION_COOKIE_NAME) in self._signed_in
        # Includes ``is_known``, so that anonymous visitors do not delay signed-in users of the same address.
        line = f"{address} {is_known}"
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
            logger.warning("%s found no free thread: 503", request.path)
            return error_page_unavailable(request, busy=True)

    def _note_session(self, request: Any) -> None:
        """Remember the session of a signed-in user. Later requests are recognised by it before the session is read; a
        session cookie that was never checked proves nothing.
        """
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
        if isinstance(response, FileResponse):  # it is on the disk already
            response.streaming_content = _each(made)
            return
        thread = await self.files.acquire(address)
        try:
            if sum(whose == address and not file.is_closed for file, whose in self._open.items()) >= OPEN_MOST:
                raise NoThreadFree
            file = MadeFile(made, thread, context)
        except (NoThreadFree, OSError):  # or no temporary file can be created
            self.files.release(thread)
            raise
        self._open[file] = address
        file.made.add_done_callback(lambda _made: self.files.release(thread))
        response.streaming_content = file


def handler_limit_statements(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    """Set a time limit for statements of a new connection: threads are few, and a statement may wait for a lock."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"SET statement_timeout = {1000 * STATEMENT_MOST:.0f}")


async def _each(pieces: Iterable[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


WAIT_MOST: Final = 15.0  # seconds for a thread
# Seconds for a request that only reads: its client loses nothing by a retry, and leaves soon.
READER_WAITS_MOST: Final = 2.0
KNOWN_WAITS_MOST: Final = 10.0  # seconds for signed-in readers, e.g. a class that reloads a page after a round
CROWD_SECONDS: Final = 1.0  # seconds; if there has been a queue for longer, there is more demand than can be served
# Seconds for readers during an overload: some are served soon, the others get an error soon.
CROWDED_WAITS_MOST: Final = 0.5
QUEUE_MAX: Final = 200  # waiting requests of one queue


class NoThreadFree(Exception):
    """A request waited too long for a thread, or its queue is full."""


# Queues by address, and whether their requests only read.
Lines: TypeAlias = dict[tuple[str, bool], deque[Future[ThreadPoolExecutor]]]


class RequestThreads:
    """A pool of ``count`` threads with fair queues. Addresses take turns, so that an address with many requests delays
    only its own. Every second turn is for ``known`` clients, so that a crowd of strangers does not delay them. The
    thread that became free last is used first, so that few idle connections stay open.

    Each address has a queue for reading requests and one for others, which take turns too. Writes are served first
    come, first served. Reads are served newest first. During an overload, serving the oldest first would mean that each
    reader is served just before giving up. For the same reason, reads get an error sooner once there has been a queue
    for a second. Reads of ``known`` clients are excepted, so that authors can sign in during a rush of anonymous
    visitors.
    """

    def __init__(self, name: str, count: int) -> None:
        self.free = [ThreadPoolExecutor(max_workers=1, thread_name_prefix=name) for _ in range(count)]
        self._waiting: dict[bool, Lines] = {True: {}, False: {}}  # by whether the client is known
        self._known_next = True
        # Time of the event loop at which a request first had to wait; None: no request waits.
        self._crowded_since: float | None = None

    @property
    def waiting(self) -> int:
        """The number of requests that wait for a thread."""
        return sum(len(turns) for lines in self._waiting.values() for turns in lines.values())

    @asynccontextmanager
    async def acquired(self, address: str, *, reads: bool = False, known: bool = False) -> AsyncIterator[None]:
        """Run Django's synchronous code in a thread of this pool. Raise ``NoThreadFree``."""
        thread = await self.acquire(address, reads=reads, known=known)
        try:
            async with ThreadSensitiveContext(executor=thread):
                yield
        finally:
            self.release(thread)

    async def acquire(self, address: str, *, reads: bool = False, known: bool = False) -> ThreadPoolExecutor:
        """Return a thread, which the caller must release. ``reads`` tells that the request changes nothing, and
        ``known`` that the client is signed in or about to sign in. Raise ``NoThreadFree``.
        """
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
                self._pass_on(turn.result())  # it became free at the moment of the timeout
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
        """Return a thread to the pool. It becomes free once it has finished all work that it was given, also for
        clients that have disconnected.
        """
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
                lines[line] = turns  # the line moves to the end
            if turn and not turn.done():
                turn.set_result(thread)
                return
        self._crowded_since = None
        self.free.append(thread)


def _refuse(turn: Future[ThreadPoolExecutor]) -> None:
    if not turn.done():
        turn.set_exception(NoThreadFree)
