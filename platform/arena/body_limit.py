"""Limit the size of request bodies, because Django reads a whole body before a view is called."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, TypeAlias

Scope: TypeAlias = dict[str, Any]
Message: TypeAlias = Mapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
App: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[Any]]

REFUSAL: Final = b"The request is too large. A bot's upload is far smaller. Nothing of it was kept.\n"


class _TooLarge(Exception):
    pass


def limit_body(app: App, most: int) -> App:
    """Return ``app`` with a limit: a request that announces or sends a body of more than ``most`` bytes gets a 413."""

    async def limited(scope: Scope, receive: Receive, send: Send) -> None:
        read = 0
        started = False

        async def count() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def note(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            if _announced(scope) > most:
                raise _TooLarge
            await app(scope, count, note)
        except _TooLarge:
            if not started:
                await _refuse(send)

    return limited


def _announced(scope: Scope) -> int:
    value = dict(scope["headers"]).get(b"content-length", b"0")
    return int(value) if value.isdigit() else 0


async def _refuse(send: Send) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": REFUSAL})
