"""Write to one socket at the pace that it can take, without blocking anybody else."""

import asyncio
import logging
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import suppress
from typing import Any, Final, TypeAlias

logger = logging.getLogger(__name__)

Send: TypeAlias = Callable[[Any], Awaitable[None]]  # ASGI's
Write: TypeAlias = Callable[[str], bool]
WRITE_TEXT: Final = "pecking_order.write_text"  # key of a scope's extensions: a ``Write``, False if it cannot write now


class SocketWriter:
    """Sends what ``next_text`` has, one message after the other, until it has None; ``wake`` says there is more.

    A socket that can take its messages gets them within ``wake``. For one that cannot, a task waits. Where the server
    offers ``write`` (see ``WRITE_TEXT``) nothing is awaited for each message: that costs more than the
    writing.
    """

    __slots__ = ("_closed", "_next_text", "_send", "_task", "_unsent", "_write")

    def __init__(self, send: Send, next_text: Callable[[], str | None], write: Write | None = None) -> None:
        self._send = send
        self._next_text = next_text
        self._write = write
        self._unsent: str | None = None  # taken from ``next_text`` and yet to be sent
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
        self._task = eagerly(self._drain())

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
        except OSError:  # the server's word for a viewer who left; the consumer hears of it in its own way
            self._closed = True
        except Exception:
            logger.exception("live: a message could not be sent")
            self._closed = True
        finally:
            self._task = None


def eagerly(coroutine: Coroutine[Any, Any, None]) -> asyncio.Task[None] | None:
    """Run ``coroutine`` at once as far as it goes without waiting; if it has to wait, a task does the rest.

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
