"""The sockets: read what the viewer asks, follow, and clean up after it."""

import json
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer

from matches.live.hub import current_hub
from matches.live.outlet import Outlet
from matches.live.topics import TOPICS_MAX, RequestError, read_request

CLOSE_GARBAGE = 4400
REQUESTS_MAX = 500  # per socket: a page asks when it opens and when parts of it come and go


class SocketConsumer(AsyncWebsocketConsumer):
    """A socket of this site. It has no channel of its own: see ``hub``."""

    channel_layer_alias = None  # type: ignore[assignment]  # Channels' way to say "no layer"
    requests = 0

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Answers garbage with a typed error and hangs up."""
        self.requests += 1
        try:
            if self.requests > REQUESTS_MAX:
                raise RequestError("too_many", f"a socket may send {REQUESTS_MAX} messages; open a new one")
            await self.asked(text_data)
        except RequestError as error:
            await self.send(text_data=json.dumps({"error": error.code, "detail": str(error)}))
            await self.close(CLOSE_GARBAGE)

    async def asked(self, text: str | None) -> None:
        """What the viewer wants.

        Raises:
            RequestError: it makes no sense.
        """
        raise NotImplementedError


class LiveConsumer(SocketConsumer):
    """``/ws/live/``: follows the topics that the page names."""

    async def connect(self) -> None:
        self.topics: set[str] = set()
        await self.accept()
        self.outlet = Outlet(self.base_send)

    async def disconnect(self, code: Any) -> None:
        await self.outlet.close()
        for topic in self.topics:
            await current_hub().leave(topic, self.outlet.push)

    async def asked(self, text: str | None) -> None:
        request = read_request(text)
        if len(self.topics | request.subscribe) > TOPICS_MAX:
            raise RequestError("too_many_topics", f"a socket may follow {TOPICS_MAX} topics")
        for topic in request.subscribe - self.topics:
            self.topics.add(topic)
            await current_hub().join(topic, self.outlet.push)
        for topic in request.unsubscribe & self.topics:
            self.topics.discard(topic)
            await current_hub().leave(topic, self.outlet.push)
