"""How requests are answered: some at once, the others in turn; and files are sent while they are made."""

import asyncio
import logging
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase, StreamingHttpResponse

from arena.operations.health import ALIVE, READY
from arena.request_threads import thread_lent
from web.downloads import awaited
from web.outage import RETRY_AFTER

logger = logging.getLogger(__name__)

WAIT_MOST: Final = 15.0  # seconds for a place
BUSY: Final = "The site has more to do at the moment than it can. Try again in some seconds.\n"


class StreamingHandler(ASGIHandler):
    """Django's handler, which reads no answer whole that is made piece by piece: views make them by plain iterators.
    Its threads are used again.

    ``REQUESTS_AT_ONCE`` answers are computed at a time, and the others wait in line, for 15 s at most: a process
    computes no more by doing more at once, and each of its threads has a connection to the database. Whoever only reads
    or is sent a file waits for nobody, and probes of health have no place in line.
    """

    def __init__(self) -> None:
        super().__init__()
        self._places = asyncio.Semaphore(settings.REQUESTS_AT_ONCE)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages come by HTTP, not by {scope['type']}")
        with thread_lent(new=self._places.locked()) as thread:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info in (ALIVE, READY):
            return await self.answer(request)
        try:
            async with asyncio.timeout(WAIT_MOST):
                await self._places.acquire()
        except TimeoutError:
            logger.warning("%s waited for its turn for %.0f s, and was refused", request.path, WAIT_MOST)
            return HttpResponse(BUSY, "text/plain; charset=utf-8", 503, headers={"Retry-After": str(RETRY_AFTER)})
        try:
            return await self.answer(request)
        finally:
            self._places.release()

    async def answer(self, request: HttpRequest) -> HttpResponseBase:
        """Return what Django answers; files piece by piece."""
        response = await super().get_response_async(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            made: Any = response.streaming_content
            response.streaming_content = awaited(made)
        return response
