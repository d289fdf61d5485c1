"""Ids on what the log says of open sockets."""

import asyncio
import json
import re
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator

from arena.asgi import application
from live.consumers import CLOSE_TROUBLE
from matches.live import match_stream

ORIGIN = (b"origin", b"http://localhost")


async def fail(*_: Any) -> None:
    raise RuntimeError("the shelf is gone")


async def follow(*_: Any) -> None:
    await asyncio.Event().wait()


@pytest.mark.parametrize(("header", "given"), [("", b"abc-1"), ("X-Request-ID", b"abc-1"), ("X-Request-ID", b'a","b')])
async def test_a_failure_in_a_socket_is_logged_with_its_id_and_match(
    header: str, given: bytes, log_as: Callable[[str], StringIO], monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.REQUEST_ID_HEADER = header
    monkeypatch.setattr(match_stream.MatchConsumer, "handle_request", fail)
    monkeypatch.setattr(match_stream.MatchConsumer, "_follow", follow)
    log, headers = log_as("json"), [ORIGIN, (b"x-request-id", given)]
    ids = set()
    for match in (5, 6):
        scope = {"type": "websocket", "path": f"/ws/matches/{match}/", "query_string": b"", "headers": headers}
        socket = ApplicationCommunicator(application, scope)
        await socket.send_input({"type": "websocket.connect"})
        assert (await socket.receive_output())["type"] == "websocket.accept"
        await socket.send_input({"type": "websocket.receive", "text": "{}"})
        assert (await socket.receive_output())["code"] == CLOSE_TROUBLE
        line = json.loads(log.getvalue().splitlines()[-1])
        assert (line["match_id"], line["level"]) == (match, "error")
        ids.add(line["request_id"])
        socket.stop(exceptions=False)
    taken = header and given == b"abc-1"
    assert ids == {"abc-1"} if taken else len(ids) == 2 and all(re.fullmatch("[0-9a-f]{32}", one) for one in ids)
