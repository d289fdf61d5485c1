"""Files are sent while they are made."""

from typing import Any

from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase, StreamingHttpResponse

from web.downloads import awaited


class StreamingHandler(ASGIHandler):
    """Django's handler, which reads no answer whole that is made piece by piece: views make them by plain iterators."""

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        response = await super().get_response_async(request)
        if isinstance(response, StreamingHttpResponse) and not response.is_async:
            made: Any = response.streaming_content
            response.streaming_content = awaited(made)
        return response
