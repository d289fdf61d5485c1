"""The way out to one socket: what waits to be sent, and the task that sends it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeAlias

Send: TypeAlias = Callable[[Any], Awaitable[None]]  # ASGI's


class Outlet:
    """Sends announcements to one socket at the pace it can take them.

    Of each topic only the newest announcement waits, so a socket that does not read holds as many messages as it
    follows topics and delays nobody else. The server's keep-alive closes it in the end.
    """

    __slots__ = ("_ready", "_send", "_task", "_waiting")

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: dict[str, str] = {}
        self._ready = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def push(self, topic: str, text: str) -> None:
        """A hub's listener: notes the announcement and returns."""
        self._waiting[topic] = text
        self._ready.set()

    async def close(self) -> None:
        """Stops sending; what waits is dropped."""
        self._task.cancel()
        with suppress(asyncio.CancelledError, Exception):  # a socket that broke while sending is gone as well
            await self._task

    async def _run(self) -> None:
        while True:
            await self._ready.wait()
            self._ready.clear()
            waiting, self._waiting = self._waiting, {}
            for text in waiting.values():
                await self._send({"type": "websocket.send", "text": text})
