"""CORS: scripts of other sites may read public data from the API, and nothing else."""

from collections.abc import Callable
from typing import Final

from django.http import HttpRequest, HttpResponse

READS: Final = ("GET", "HEAD")
MAY_SEND: Final = "Accept-Language, If-None-Match"
MAY_SEE: Final = "ETag, Link, Pecking-Version, Retry-After"
A_DAY: Final = "86400"


class PublicReads:
    """Middleware that lets scripts of any site read without a token. It never lets them read with a token or cookies,
    and never lets them write.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith("/api/"):
            return self.get_response(request)
        method = request.method
        if method == "OPTIONS" and request.headers.get("Access-Control-Request-Method") in READS:
            method = "GET"  # a preflight request for a read
            response = HttpResponse(status=204)
            response["Access-Control-Allow-Methods"] = ", ".join(READS)
            response["Access-Control-Allow-Headers"] = MAY_SEND
            response["Access-Control-Max-Age"] = A_DAY
        else:
            response = self.get_response(request)
        if method in READS and "Authorization" not in request.headers:
            response["Access-Control-Allow-Origin"] = "*"
            response["Access-Control-Expose-Headers"] = MAY_SEE
        return response
