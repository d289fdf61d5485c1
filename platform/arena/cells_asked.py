"""How the sockets ask the site for cells that everyone sees: as a stranger does by HTTP, with the same bounds."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote

from arena.body_limit import App, Message
from matches.live.pushed_cells import CellsAnswer, SiteBusyError, site_of
from web.live_deltas import AGAIN, HAVE, STATE
from web.page_cache import PAGE_BYTES_MOST
from web.topics import SHARED, CellsRequest, shared_of

FORWARDED: Final = b"x-forwarded-for"  # whose request it is, behind proxies


class CellsAsked:
    """Asks ``app``, in the name of a socket: a place in line is one of its address, and no more is told of it."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, wanted: CellsRequest, have: str, socket: Mapping[str, Any]) -> CellsAnswer | None:
        """Return the answer; None if it is not everyone's, not of the topic, too large, or an error.

        Raises:
            SiteBusyError: the site has no time for a stranger now.
        """
        told = _Told()
        await self._app(_scope_of(wanted, have, socket), _Silence().receive, told.send)
        if told.status == HTTPStatus.SERVICE_UNAVAILABLE:
            raise SiteBusyError
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in told.headers}
        is_everyones = shared_of(headers.get(SHARED.lower(), ""))[0] == wanted.topic
        if told.status != HTTPStatus.OK or not is_everyones or told.is_too_large or not told.is_whole:
            return None
        again = headers.get(AGAIN.lower(), "")
        return CellsAnswer(
            headers.get(STATE.lower(), ""), int(again) if again.isdecimal() else 0, told.body.decode("utf-8", "replace")
        )


class _Told:
    """What was answered, no more of it than may be."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.is_too_large = False
        self.is_whole = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], list(message["headers"])
            return
        self.is_too_large = self.is_too_large or len(self.body) + len(message.get("body", b"")) > PAGE_BYTES_MOST
        if not self.is_too_large:
            self.body += message.get("body", b"")
        self.is_whole = not message.get("more_body")


class _Silence:
    """Somebody who sends no body, and does not leave."""

    def __init__(self) -> None:
        self._is_sent = False

    async def receive(self) -> Message:
        if self._is_sent:
            await asyncio.Event().wait()
        self._is_sent = True
        return {"type": "http.request", "body": b"", "more_body": False}


def _scope_of(wanted: CellsRequest, have: str, socket: Mapping[str, Any]) -> dict[str, Any]:
    path, _mark, query = wanted.src.partition("?")
    (_, scheme), *site = site_of(socket)
    asks = [(b"x-live-cells", b"1"), (b"accept-language", wanted.language.encode())]
    asks += [(HAVE.lower().encode(), have.encode())] if have else []
    forwarded = [one for one in socket["headers"] if one[0] == FORWARDED]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": scheme.decode(),
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [*site, *asks, *forwarded],
        "client": socket.get("client"),
        "server": socket.get("server"),
        "extensions": {},
    }
