"""Requests to an ASGI application, without a server."""

from dataclasses import dataclass
from typing import Any

from asgiref.testing import ApplicationCommunicator


@dataclass(frozen=True)
class Answer:
    """What came back, whole."""

    status: int
    headers: dict[bytes, bytes]
    body: bytes


def scope_of(path: str, address: str = "127.0.0.1") -> dict[str, Any]:
    headers = [(b"host", b"testserver")]
    base = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": headers}
    return base | {"client": (address, 1)}


async def begun(application: Any, path: str, method: str = "GET", cookie: bytes = b"") -> ApplicationCommunicator:
    """Send a request; what comes back is to be read."""
    scope = scope_of(path) | {"method": method}
    scope["headers"] += [(b"cookie", cookie)] if cookie else []
    sent = ApplicationCommunicator(application, scope)
    await sent.send_input({"type": "http.request", "body": b"", "more_body": False})
    return sent


async def fetch(application: Any, path: str, method: str = "GET", cookie: bytes = b"") -> Answer:
    """Send a request and read the answer to its end."""
    sent = await begun(application, path, method, cookie)
    start = await sent.receive_output(60)
    body, more = b"", True
    while more:
        message = await sent.receive_output(60)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await sent.wait(60)
    return Answer(start["status"], dict(start["headers"]), body)
