"""The sockets: read what the viewer asks, follow, and clean up after it."""

import json
import logging
from typing import Any

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncWebsocketConsumer

from live.hub import current_hub
from live.socket_writer import WRITE_TEXT, SocketWriter, Write
from web.topics import TOPICS_MAX, RequestError, TicketError, read_request

logger = logging.getLogger(__name__)

CLOSE_GARBAGE = 4400
CLOSE_FORBIDDEN = 4403
CLOSE_TROUBLE = 1013  # try again later: nothing is lost, the page says where it was
REQUESTS_MAX = 500  # per socket: a page asks when it opens and when parts of it come and go


class SocketConsumer(AsyncWebsocketConsumer):
    """A socket of this site. It has no channel of its own: see ``hub``."""

    channel_layer_alias = None  # type: ignore[assignment]  # Channels' way to say "no layer"
    requests = 0
    refused = False

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Dispatch as Channels does, without its look at old database connections: no handler here holds any."""
        await getattr(self, get_handler_name(message))(message)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answer an invalid message with a typed error, and close the connection."""
        if self.refused:  # sent before the peer could know
            return
        self.requests += 1
        try:
            if self.requests > REQUESTS_MAX:
                raise RequestError("too_many", f"a socket may send {REQUESTS_MAX} messages; open a new one")
            await self.asked(text_data)
        except RequestError as error:
            await self.refuse(error)
        except Exception:
            logger.exception("live: a socket is closed, its page will come back")
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

    async def asked(self, text: str | None) -> None:
        """Handle a request of the viewer.

        Raises:
            RequestError: it makes no sense.
        """
        raise NotImplementedError


class LiveConsumer(SocketConsumer):
    """``/ws/live/``: follows the topics that the page names.

    {"subscribe": ["tournament.5:SIGNATURE"]}, with the ticket of the page (``topics.topic_ticket``), is answered by
    {"subscribed": ["tournament.5"]}, after which each announcement comes as {"topic": "tournament.5", ...};
    {"unsubscribe": [...]} has no answer.

    Three kinds of announcements concern boards. {"topic": "tournament.5", "revision": 81, "part": "standings.7",
    "since": 79, "rows": [[entry, place, ...], ...]}: the rows of a part that changed after revision 79, as data.
    {"topic", "revision", "reload": true}: something else changed, and pages request their fragment. Without both: only
    what rows will show has changed.

    {"subscribed": [...], "rows": true} says that the server knows rows. {"shows": [{"topic": "tournament.5:SIGNATURE",
    "parts": {"standings.7": 79}}]} names the revisions that a page shows; it is sent the difference, or "reload".
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

    async def asked(self, text: str | None) -> None:
        request = read_request(text)
        if len(self.topics | request.subscribe) > TOPICS_MAX:
            raise RequestError("too_many_topics", f"a socket may follow {TOPICS_MAX} topics")
        for topic in request.subscribe - self.topics:
            self.topics.add(topic)
            await current_hub().join(topic, self.hear)
        if request.subscribe:
            # What changed before this, the page has to look up: now nothing can escape it any more.
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
    """Announcements that wait to be sent: of each kind of a topic only the newest, so a socket that does not read holds
    few. A page notices rows that it was not sent by the revision that the next ones follow."""

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
