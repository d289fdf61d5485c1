"""WebSocket consumers: read requests, follow topics and send announcements as fast as each socket accepts them."""

import asyncio
import json
import logging
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from typing import Any, Final, TypeAlias

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from live.hub import current_hub
from web.topics import TOPICS_MAX, RequestError, TicketError, topic_request_read

Send: TypeAlias = Callable[[Any], Awaitable[None]]  # ASGI's
Write: TypeAlias = Callable[[str], bool]
WRITE_TEXT: Final = "pecking_order.write_text"  # key of a scope's extensions: a ``Write``, False if it cannot write now


class SocketWriter:
    """Sends the messages that ``next_text`` returns, until it returns None. Call ``wake`` when there are more.

    If the socket accepts the messages at once, ``wake`` sends them before it returns. Otherwise a task sends the rest.
    If the server provides ``write`` (see ``WRITE_TEXT``), sending does not await anything for each message, because
    that costs more than the writing itself.
    """

    __slots__ = ("_closed", "_next_text", "_send", "_task", "_unsent", "_write")

    def __init__(self, send: Send, next_text: Callable[[], str | None], write: Write | None = None) -> None:
        self._send = send
        self._next_text = next_text
        self._write = write
        self._unsent: str | None = None  # taken from ``next_text`` and not sent yet
        self._task: asyncio.Task[None] | None = None
        self._closed = False

    def wake(self) -> None:
        """Send what there is. Never waits and never raises."""
        if self._task is not None or self._closed:
            return
        if self._write is not None:
            while (text := self._next_text()) is not None:
                if not self._write(text):
                    self._unsent = text
                    break
            else:
                return
        self._task = consumer_run_eagerly(self._drain())

    async def close(self) -> None:
        """Stop sending. Idempotent."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _drain(self) -> None:
        try:
            while not self._closed and (text := self._unsent or self._next_text()) is not None:
                self._unsent = None
                await self._send({"type": "websocket.send", "text": text, "bytes": None})
        except OSError:  # the viewer has left; the server also sends the consumer a disconnect event
            self._closed = True
        except Exception:
            logger.exception("live: a message could not be sent")
            self._closed = True
        finally:
            self._task = None


def consumer_run_eagerly(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run ``coroutine`` at once until it has to wait. If it has to wait, a task does the rest.

    Python 3.12 calls this an eager start. Waking a task for every socket and message costs more than the sending.
    """
    try:
        waits_for = coroutine.send(None)
    except StopIteration:
        return None
    return asyncio.create_task(_rest(coroutine, waits_for))


@types.coroutine
def _rest(coroutine: Coroutine[Any, Any, None], waits_for: Any) -> Generator[Any, Any, None]:
    try:
        yield waits_for
        yield from coroutine.__await__()
    finally:
        coroutine.close()


logger = logging.getLogger(__name__)

CLOSE_GARBAGE = 4400
CLOSE_FORBIDDEN = 4403
CLOSE_TROUBLE = 1013  # "try again later": the page connects again and says what it shows
# Requests of one socket; a page sends one when it opens, and when a part of it appears or disappears.
REQUESTS_MAX = 500


class SocketConsumer(AsyncWebsocketConsumer):
    """A socket of this site. It has no channel of its own: see ``hub``."""

    channel_layer_alias = None  # type: ignore[assignment]  # Channels' way to say "no layer"
    requests = 0
    refused = False

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Dispatch as Channels does, but do not close old database connections: no handler here uses one."""
        await getattr(self, get_handler_name(message))(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer an invalid message with a typed error, and close the connection."""
        if self.refused:  # the client may have sent this before it received the error
            return
        self.requests += 1
        try:
            if self.requests > REQUESTS_MAX:
                raise RequestError("too_many", f"a socket may send {REQUESTS_MAX} messages; open a new one")
            await self.handle_request(text_data)
        except RequestError as error:
            await self.refuse(error)
        except Exception:
            logger.exception("live: a socket was closed, its page will reconnect")
            self.refused = True
            await self.stop()
            await self.close(CLOSE_TROUBLE)

    def writes_at_once(self) -> Write | None:
        """Return how to write to this socket without waiting, if the server knows how."""
        extensions: dict[str, Any] = self.scope.get("extensions") or {}
        write: Write | None = extensions.get(WRITE_TEXT)
        return write

    async def refuse(self, error: RequestError) -> None:
        """Send the error, and close the connection."""
        self.refused = True
        await self.stop()
        await self.send(text_data=json.dumps({"error": error.code, "detail": str(error)}))
        await self.close(CLOSE_FORBIDDEN if isinstance(error, TicketError) else CLOSE_GARBAGE)

    async def disconnect(self, code: Any) -> None:
        await self.stop()

    async def stop(self) -> None:
        """End what runs for this viewer. Idempotent."""
        raise NotImplementedError

    async def handle_request(self, text: str | None) -> None:
        """Handle a request of the viewer.

        Raises:
            RequestError: the request is invalid.
        """
        raise NotImplementedError


class LiveConsumer(SocketConsumer):
    """``/ws/live/``: follows the topics that the page names.

    The client sends {"subscribe": ["tournament.5:SIGNATURE"]}, with the ticket of the page (``topics.topic_ticket``).
    The server answers {"subscribed": ["tournament.5"], "rows": true}, where "rows" tells that it can send rows. Then it
    sends each announcement as {"topic": "tournament.5", ...}. {"unsubscribe": [...]} has no answer.

    Three kinds of announcements concern boards:

    - {"topic": "tournament.5", "revision": 81, "part": "standings.7", "since": 79, "rows": [[entry, place, ...], ...]}:
      the rows of a part that changed after revision 79, as data.
    - {"topic", "revision", "reload": true}: something else changed, and pages request their fragment.
    - {"topic", "revision"}, without "rows" and "reload": everything that changed is in rows, which follow in another
      message.

    The client sends {"shows": [{"topic": "tournament.5:SIGNATURE", "parts": {"standings.7": 79}}]} to name the
    revisions that the page shows. The server sends the rows that the page has missed, or "reload".
    """

    async def connect(self) -> None:
        self.topics: set[str] = set()
        self.mailbox = LatestByTopic()
        await self.accept()
        self.outlet = SocketWriter(self.base_send, self.mailbox.next_text, self.writes_at_once())

    async def stop(self) -> None:
        await self.outlet.close()
        for topic in self.topics:
            await current_hub().leave(topic, self.hear)
        self.topics.clear()

    async def handle_request(self, text: str | None) -> None:
        request = topic_request_read(text)
        if len(self.topics | request.subscribe) > TOPICS_MAX:
            raise RequestError("too_many_topics", f"a socket may follow {TOPICS_MAX} topics")
        for topic in request.subscribe - self.topics:
            self.topics.add(topic)
            await current_hub().join(topic, self.hear)
        if request.subscribe:
            # From now on the page receives every announcement. What changed earlier it must look up itself.
            await self.send(text_data=json.dumps({"subscribed": sorted(request.subscribe), "rows": True}))
        for shown in request.shows:
            if shown.topic not in self.topics:
                raise RequestError("not_followed", f"rows are sent of topics that are followed: {shown.topic}")
            for kind, missed in current_hub().missed(shown.topic, shown.parts):
                self.hear(shown.topic, kind, missed)
        for topic in request.unsubscribe & self.topics:
            self.topics.discard(topic)
            await current_hub().leave(topic, self.hear)

    def hear(self, topic: str, kind: str, text: str) -> None:
        """Pass an announcement of the hub on to the socket."""
        self.mailbox.put(topic, kind, text)
        self.outlet.wake()


class LatestByTopic:
    """Announcements that wait to be sent: for each topic and kind, only the newest one.

    So few announcements wait, even if a client does not read. If a message with rows was replaced before it was sent,
    the page notices this by "since" in the next rows.
    """

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], str] = {}

    def put(self, topic: str, kind: str, text: str) -> None:
        self._waiting[topic, kind] = text

    def next_text(self) -> str | None:
        """Return the announcement that waits longest; None if there is none."""
        for one in self._waiting:
            return self._waiting.pop(one)
        return None


class NowhereConsumer(AsyncWebsocketConsumer):
    """Refuse a connection to any other address."""

    async def connect(self) -> None:
        await self.close()
