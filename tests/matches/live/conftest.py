"""A viewer's end of a socket, in process."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from channels.routing import URLRouter

from matches.live.match_stream import websocket_urlpatterns

APPLICATION = URLRouter(websocket_urlpatterns)


class Viewer:
    """A browser at ``address``."""

    def __init__(self, address: str) -> None:
        path, _, query = address.partition("?")
        scope = {"type": "websocket", "path": path, "query_string": query.encode(), "headers": [], "subprotocols": []}
        self._socket = ApplicationCommunicator(APPLICATION, scope)

    async def open(self) -> "Viewer":
        await self._socket.send_input({"type": "websocket.connect"})
        assert (await self._socket.receive_output(timeout=30))["type"] == "websocket.accept"
        return self

    async def refused(self) -> bool:
        """Not even opened."""
        await self._socket.send_input({"type": "websocket.connect"})
        return bool((await self._socket.receive_output(timeout=30))["type"] == "websocket.close")

    async def say(self, data: Any) -> None:
        text = data if isinstance(data, str) else json.dumps(data)
        await self._socket.send_input({"type": "websocket.receive", "text": text})

    async def say_bytes(self, data: bytes) -> None:
        await self._socket.send_input({"type": "websocket.receive", "bytes": data})

    async def hear(self) -> Any:
        event = await self._socket.receive_output(timeout=30)
        assert event["type"] == "websocket.send"
        return json.loads(event["text"])

    async def hear_until(self, **wanted: Any) -> list[Any]:
        """All messages up to the first that has these values."""
        messages = []
        while True:
            messages.append(await self.hear())
            if all(messages[-1].get(name) == value for name, value in wanted.items()):
                return messages

    async def hears_nothing(self) -> bool:
        return await self._socket.receive_nothing(timeout=0.3)

    async def closed_with(self) -> int:
        event = await self._socket.receive_output(timeout=30)
        assert event["type"] == "websocket.close"
        return int(event["code"])

    async def leave(self) -> None:
        await self._socket.send_input({"type": "websocket.disconnect", "code": 1001})
        await self._socket.wait(timeout=30)


@pytest.fixture
async def visit() -> AsyncIterator[Callable[[str], Awaitable[Viewer]]]:
    """``await visit("/ws/live/")``; visitors that are still there at the end leave."""
    viewers = []

    async def come(address: str) -> Viewer:
        viewers.append(await Viewer(address).open())
        return viewers[-1]

    yield come
    for viewer in viewers:
        await viewer.leave()
