"""Serve static files before Django handles a request, so that scripts and styles never wait behind pages.

WhiteNoise finds the files and their compressed forms and decides the response. Sending a file needs no thread and no
database.
"""

import asyncio
from functools import partial
from io import BytesIO
from typing import Any, BinaryIO, Final

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpResponse
from django.middleware.security import SecurityMiddleware

from arena.body_limit import App, Receive, Scope, Send
from arena.handler import READS
from arena.logs import HEADER, log_id_of
from web.pyodide import SiteStaticFiles

CHUNK: Final = 64 * 1024  # bytes of a message


class StaticAnswers:
    """Wrap ``app``: answer requests for static files, with the headers that every response has."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._files = SiteStaticFiles()
        self._security = SecurityMiddleware(lambda _request: HttpResponse())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._found(scope) if scope["type"] == "http" and scope["method"] in READS else None
        if found is None:
            await self._app(scope, receive, send)
            return
        start, file = found
        try:
            await send(start)
            for piece in iter(partial(file.read, CHUNK), b"") if file else ():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
                await asyncio.sleep(0)  # lets the event loop notice that the reader has left
            await send({"type": "http.response.body"})
        finally:
            if file:
                file.close()

    def _found(self, scope: Scope) -> tuple[dict[str, Any], BinaryIO | None] | None:
        """Return the start of a response and the file of its body, if it has one; None if Django handles the
        request."""
        path = scope["path"]
        file = self._files.find_file(path) if self._files.autorefresh else self._files.files.get(path)
        if file is None:
            return None
        request = ASGIRequest(scope, BytesIO())
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return None
        try:
            found = file.get_response(request.method, request.META)
        except FileNotFoundError:  # another release has replaced the files since they were found
            return None
        answer = HttpResponse(status=found.status)
        del answer["Content-Type"]
        named = settings.REQUEST_ID_HEADER
        for name, value in [*found.headers, (HEADER, log_id_of(request.headers.get(named, "") if named else ""))]:
            answer[name] = value
        headers = self._security.process_response(request, answer).items()
        sent = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return {"type": "http.response.start", "status": answer.status_code, "headers": sent}, found.file
