"""Answers that are the same for all strangers, given again from memory until their topic changes.

A board with a thousand viewers is asked for a thousand times after each result. Cells of pages whose reader sees what
everyone does are asked for without cookies, as strangers ask (``arena.strangers``), and a view says of its answer that
it is everyone's by naming the topic whose announcements tell of its changes (``web.topics.share``). Such an answer
costs no thread, no middleware and no query the next time.
"""

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from time import monotonic
from typing import Any, Final, TypeVar

from django.conf import settings
from prometheus_client import Counter

from arena.body_limit import App, Message, Receive, Scope, Send
from arena.logs.ids import HEADER, id_of
from arena.strangers import VARY, stranger_of
from web.shared_pages import SITE
from web.topics import SHARED, shared_of, topic_states

logger = logging.getLogger(__name__)

KEPT_MOST: Final = 4096  # answers, and topics of addresses
BYTES_MOST: Final = 64 * 1024 * 1024  # of all answers
ANSWER_BYTES_MOST: Final = 256 * 1024
WAITED_MOST: Final = 5.0  # seconds for an answer that another request makes; then each makes its own
PRIVATE: Final = frozenset(("private", "no-store"))  # in Cache-Control

given = Counter("pecking_shared_answers", "Answers that were given again from memory.")
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class AnswerInMemory:
    """An answer as it was sent when its topic was in that ``state``; it serves until so much of ``monotonic``."""

    state: str
    until: float
    start: Mapping[str, Any]
    body: bytes

    async def send(self, send: Send, request_id: str) -> None:
        id_header = (HEADER.lower().encode(), request_id.encode())
        headers = [one for one in self.start["headers"] if one[0].lower() != id_header[0]]
        await send({**self.start, "headers": [*headers, id_header]})
        await send({"type": "http.response.body", "body": self.body})


class TopicStates:
    """The states of topics, as the cache has them now: read by one question at a time, for all who wait for it."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="topics")
        self._waiting: dict[str, asyncio.Future[str | None]] = {}
        self._asking: asyncio.Task[None] | None = None

    async def of(self, topic: str) -> str | None:
        """Return the state of a topic and of the site, read after this call; None where they cannot be read."""
        waiting = self._waiting.get(topic)
        if waiting is None:
            waiting = self._waiting[topic] = asyncio.get_running_loop().create_future()
        if self._asking is None:
            self._asking = asyncio.create_task(self._ask())
        return await asyncio.shield(waiting)

    async def _ask(self) -> None:
        loop = asyncio.get_running_loop()
        while self._waiting:
            waiting, self._waiting = self._waiting, {}
            try:
                found = await loop.run_in_executor(self._thread, topic_states, [*waiting, SITE])
            except Exception:  # else everyone who asks would wait for an answer that never comes
                logger.exception("the states of topics cannot be read")
                found = {}
            for topic, future in waiting.items():
                future.set_result(f"{found[topic]} {found[SITE]}" if found else None)
        self._asking = None


class SharedAnswers:
    """``app`` with a memory: of several who ask for the same at once one is answered by it, the others by that answer.

    The state of the topic is read when somebody asks, before an answer is made or given. So nobody is given what was
    true before the announcement upon which they ask.
    """

    def __init__(self, app: App) -> None:
        self._app = app
        self._states = TopicStates()
        self._topics: dict[str, str] = {}  # by path, of those that were answered
        self._kept: dict[bytes, AnswerInMemory] = {}
        self._size = 0  # bytes of all that is kept
        self._made: dict[bytes, asyncio.Event] = {}  # set when the answer that is being made is there, or none comes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asks = stranger_of(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if asks is None:
            await self._app(scope, receive, send)
            return
        key = asks.key
        topic = self._topics.get(scope["path"], "")
        state = await self._states.of(topic) if topic else None
        made, before = self._made.get(key), self._kept.get(key)
        answer = self._found(key, state)
        if answer is None and state is not None and made is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(made.wait(), WAITED_MOST)
            # Whoever waited for an answer takes it however long it took to make.
            answer = self._kept.get(key)
            answer = answer if answer is not before and answer is not None and answer.state == state else None
        if answer is not None:
            given.inc()
            _last(self._kept, key, answer)
            _last(self._topics, scope["path"], topic)
            named = settings.REQUEST_ID_HEADER.lower().encode()
            await answer.send(send, id_of(dict(scope["headers"]).get(named, b"").decode("latin-1") if named else ""))
        elif asks.leaves:
            await self._make(scope, receive, send, key=key, topic=topic, state=state)
        else:
            await self._app(scope, receive, send)

    def _found(self, key: bytes, state: str | None) -> AnswerInMemory | None:
        answer = self._kept.get(key)
        return answer if answer and answer.state == state and monotonic() < answer.until else None

    async def _make(
        self, scope: Scope, receive: Receive, send: Send, *, key: bytes, topic: str, state: str | None
    ) -> None:
        made, begun = asyncio.Event(), monotonic()
        self._made.setdefault(key, made)
        starts: list[Message] = []

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start":
                starts.append(message)  # sent with what follows: a slow reader makes nobody wait
                return
            for start in starts:
                shown, seconds = _shared(start)
                if shown:
                    _last(self._topics, scope["path"], shown)
                    if len(self._topics) > KEPT_MOST:
                        del self._topics[next(iter(self._topics))]
                    body = message.get("body", b"")
                    is_whole = not message.get("more_body") and len(body) <= ANSWER_BYTES_MOST
                    if is_whole and state is not None and shown == topic:
                        self._keep(key, AnswerInMemory(state, begun + seconds, start, body))
                self._end(key, made)
                await send(start)
            starts.clear()
            await send(message)

        try:
            await self._app(scope, receive, note)
        finally:
            self._end(key, made)

    def _keep(self, key: bytes, answer: AnswerInMemory) -> None:
        before = self._kept.get(key)
        self._size += len(answer.body) - (len(before.body) if before else 0)
        _last(self._kept, key, answer)
        while len(self._kept) > KEPT_MOST or self._size > BYTES_MOST:
            self._size -= len(self._kept.pop(next(iter(self._kept))).body)

    def _end(self, key: bytes, made: asyncio.Event) -> None:
        made.set()
        if self._made.get(key) is made:
            del self._made[key]


def _shared(start: Mapping[str, Any]) -> tuple[str, int]:
    """Return the topic of an answer that may be given to everyone who asks alike, and for how many seconds; ("", 0) of
    any other."""
    headers = {name.lower(): value.decode("latin-1") for name, value in start.get("headers", ())}
    vary = {name.strip().lower() for name in headers.get(b"vary", "").split(",")} - {""}
    private = {one.strip().lower() for one in headers.get(b"cache-control", "").split(",")} & PRIVATE
    is_alike = start.get("status") == HTTPStatus.OK and b"set-cookie" not in headers and vary <= VARY and not private
    return shared_of(headers.get(SHARED.lower().encode(), "")) if is_alike else ("", 0)


def _last(kept: dict[Any, Kind], key: Any, one: Kind) -> None:
    """Have ``one`` be what is forgotten last. So whoever asks for addresses without end, each once, makes the memory
    forget their own, and not what others ask for again and again."""
    kept.pop(key, None)
    kept[key] = one
