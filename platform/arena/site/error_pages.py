"""Error pages where Django's are empty: 503 while a server is away, from a template that needs no server, and 405."""

import logging
import sys
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, HttpResponseServerError, JsonResponse
from django.template import loader
from django.utils import translation
from django.views.decorators.csrf import requires_csrf_token

from arena.caches import CacheAway
from web.api_errors import PROBLEM, UNAVAILABLE, api_error_document
from web.database import OUTAGES, RETRY_AFTER, database_is_outage

logger = logging.getLogger(__name__)


class AwayMiddleware:
    """Return a 503 if a server did not answer a view. Exceptions of middlewares do not pass here; ``error_page_broken``
    handles them.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.status_code == 405 and not (response.streaming or response.content):
            try:
                response.content = loader.get_template("405.html").render({}, request)
            except OUTAGES:
                logger.warning("405 for %s without its page: a server is away", request.path)
        return response

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not database_is_outage(error):
            return None
        logger.error("503 for %s: %s: %s", request.path, type(error).__name__, error)
        return error_page_unavailable(request, error)


@requires_csrf_token
def error_page_broken(request: HttpRequest) -> HttpResponse:
    """Handle uncaught exceptions: 503 while a server is away, else 500."""
    error = sys.exc_info()[1]
    if database_is_outage(error):
        return error_page_unavailable(request, error)
    return HttpResponseServerError(loader.get_template("500.html").render())


def error_page_unavailable(
    request: HttpRequest, error: BaseException | None = None, *, busy: bool = False
) -> HttpResponse:
    """Return a 503 with Retry-After: a problem document for the API, else a page. ``busy`` tells that no thread was
    free; then no middleware has seen ``request``.
    """
    response: HttpResponse
    if request.path_info.startswith("/api/"):
        wrong = [{"field": "", "code": "unavailable", "detail": str(UNAVAILABLE)}]
        response = JsonResponse(api_error_document(request.path, 503, wrong), content_type=PROBLEM)
    else:
        reason = {"limits": isinstance(error, CacheAway), "busy": busy}
        with translation.override(translation.get_language_from_request(request)):
            response = HttpResponse(loader.get_template("503.html").render(reason))
    response.status_code = 503
    response["Retry-After"] = str(RETRY_AFTER)
    response["Cache-Control"] = "no-store"
    return response
