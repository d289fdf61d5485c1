"""Static files, answered before Django: a page's scripts and styles never wait in line behind other people's pages.

WhiteNoise knows the files, their compressed forms and what to answer. To send one takes no thread and no database.
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
    """``app``, with requests for static files answered before it, with the headers that every answer has."""

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
                await asyncio.sleep(0)  # a reader who is gone is not waited for
            await send({"type": "http.response.body"})
        finally:
            if file:
                file.close()

    def _found(self, scope: Scope) -> tuple[dict[str, Any], BinaryIO | None] | None:
        """Return the beginning of an answer and the file that is its body, if it has one; None where Django answers."""
        path = scope["path"]
        file = self._files.find_file(path) if self._files.autorefresh else self._files.files.get(path)
        if file is None:
            return None
        request = ASGIRequest(scope, BytesIO())
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            return None
        try:
            found = file.get_response(request.method, request.META)
        except FileNotFoundError:  # another release's files lie there by now
            return None
        answer = HttpResponse(status=found.status)
        del answer["Content-Type"]
        named = settings.REQUEST_ID_HEADER
        for name, value in [*found.headers, (HEADER, log_id_of(request.headers.get(named, "") if named else ""))]:
            answer[name] = value
        headers = self._security.process_response(request, answer).items()
        sent = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        return {"type": "http.response.start", "status": answer.status_code, "headers": sent}, found.file
