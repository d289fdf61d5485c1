"""The ids on lines of the log that tell of an open socket."""

from typing import Any

from django.conf import settings

from arena.logs.ids import begin, id_of
from arena.websocket import App, Receive, Scope, Send


def name_sockets(app: App) -> App:
    """Return ``app`` with an id for each WebSocket: its own, or the one that ``REQUEST_ID_HEADER`` brings."""

    async def named(scope: Scope, receive: Receive, send: Send) -> Any:
        header = settings.REQUEST_ID_HEADER.lower().encode()
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == header), "")
        begin(request_id=id_of(given))
        return await app(scope, receive, send)

    return named
