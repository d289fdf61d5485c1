"""Pages with live cells as ``live-cells.js`` keeps them, whose sockets come back to whatever web process answers."""

import asyncio
import json
import re
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from http.client import HTTPException
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from tests.tournaments.test_live_deltas import merged
from web.live_deltas import AGAIN, HAVE, STATE

PAUSE_SECONDS = 0.05  # until a page that lost its socket comes back
TAG = re.compile(r"<live-cells [^>]*>")


class LivePage:
    """A page of a stranger. ``at``: the process that its socket is with, "" for none; ``pushed``: how many characters
    it was sent over sockets, by the state that it had and the one that this led to; ``asked``: how often by itself."""

    def __init__(self, html: str) -> None:
        self.html = html
        [tag] = TAG.findall(html)
        told = dict(re.findall(r'([a-z-]+)="([^"]*)"', tag))
        assert " data-shared" in tag
        self.state, self.src, self.ticket = told["data-state"], told["src"].replace("&amp;", "&"), told["topic"]
        self.at = ""
        self.pushed: dict[tuple[str, str], int] = {}
        self.asked = 0
        self._task: asyncio.Task[None] | None = None

    def come(self, address: str) -> None:
        """Follow there, from now on."""
        self.leave()
        self._task = asyncio.create_task(self._live(address))

    def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
        self.at = ""

    async def _live(self, address: str) -> None:
        while True:
            with suppress(OSError, HTTPException, WebSocketException):
                await self._follow(address)
            self.at = ""
            await asyncio.sleep(PAUSE_SECONDS)

    async def _follow(self, address: str) -> None:
        live = address.replace("http", "ws") + "/ws/live/"
        async with connect(live, origin=Origin(address), max_size=None, open_timeout=60) as socket:
            await socket.send(json.dumps({"subscribe": [self.ticket]}))
            async for text in socket:
                await self._hear(json.loads(text), socket, address)

    async def _hear(self, message: Mapping[str, Any], socket: ClientConnection, address: str) -> None:
        if "subscribed" in message:
            assert message["cells"] is True
            await self._want(socket, 0)
            self.at = address
        elif "topic" not in message:
            assert message == {}, "a heartbeat"
        elif "html" in message and message["have"] == self.state:
            assert message["src"] == self.src
            self.pushed[self.state, message["state"]] = len(message["html"])
            self.html, self.state = merged(self.html, message["html"]), message["state"]
        else:
            self.asked += 1
            headers, html = await asyncio.to_thread(read, address + self.src, HAVE, self.state)
            self.html, self.state = merged(self.html, html), headers[STATE]
            await self._want(socket, int(headers.get(AGAIN, 0)) or None)

    async def _want(self, socket: ClientConnection, due: int | None) -> None:
        wanted = {"topic": self.ticket, "src": self.src, "language": "en", "state": self.state, "due": due}
        await socket.send(json.dumps({"cells": [wanted]}))


def read(address: str, *header: str) -> tuple[Mapping[str, str], str]:
    """Return headers and text of what a stranger is given there."""
    headers = {"X-Live-Cells": "1", header[0]: header[1]} if header else {}
    with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
        return answer.headers, answer.read().decode()
