"""Files are sent while they are made."""

from typing import Any

from asgiref.sync import ThreadSensitiveContext
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse

from arena.request_threads import thread_lent
from web.downloads import awaited


class StreamingHandler(ASGIHandler):
    """Django's handler, which reads no answer whole that is made piece by piece: views make them by plain iterators.
    Its threads are used again."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            raise ValueError(f"pages come by HTTP, not by {scope['type']}")
        with thread_lent() as thread:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        response = await super().get_response_async(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            made: Any = response.streaming_content
            response.streaming_content = awaited(made)
        return response
