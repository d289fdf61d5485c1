"""No request can fill the disk."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.body_limit import limit_body


async def echo_size(scope: Any, receive: Any, send: Any) -> None:
    """Reads the whole body, as Django does, and answers with its size."""
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def status_of(chunks: list[bytes], *, announced: bytes | None) -> int:
    headers = [] if announced is None else [(b"content-length", announced)]
    app = ApplicationCommunicator(limit_body(echo_size, 10), {"type": "http", "headers": headers})
    async for chunk in _last_marked(chunks):
        await app.send_input(chunk)
    return int((await app.receive_output())["status"])


async def _last_marked(chunks: list[bytes]) -> AsyncIterator[dict[str, Any]]:
    for index, chunk in enumerate(chunks):
        yield {"type": "http.request", "body": chunk, "more_body": index < len(chunks) - 1}


@pytest.mark.parametrize(
    ("chunks", "announced", "status"),
    [
        ([b"x" * 10], b"10", 200),
        ([b"x" * 11], b"11", 413),
        ([b"x"], b"99999999999999", 413),
        ([b"x" * 6, b"x" * 6], None, 413),
        ([b"x" * 6, b"x" * 6], b"3", 413),
        ([b"x" * 5, b"x" * 5], b"nonsense", 200),
    ],
)
async def test_a_body_past_the_limit_is_refused_whatever_was_announced(
    chunks: list[bytes], announced: bytes | None, status: int
) -> None:
    assert await status_of(chunks, announced=announced) == status
