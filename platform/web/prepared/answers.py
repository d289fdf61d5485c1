"""The answers of pages and of the API to who asks for a prepared file: it, or that it is being prepared."""

from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from rest_framework.request import Request

from web.downloads import TooManyDownloads, zip_response
from web.errors import Refusal
from web.limits import too_many
from web.models import PreparedFile, PreparedState
from web.prepared.services import FAILED_FOR, QueueFull, file_ask, pieces_of
from web.throttle import AuthorThrottle

RETRY_AFTER: Final = 3  # seconds
DOWNLOADS, ORDERS = ("datasets", "preparing")  # the scopes of the throttle; pages and the API share their counts


class FileFailed(Refusal):
    """A file could not be made."""

    code = "failed"
    status = 503
    wait = int(FAILED_FOR.total_seconds())


class _Scope:
    """Stands for the view that the throttle asks for its scope."""

    def __init__(self, scope: str) -> None:
        self.throttle_scope = scope


def prepared_download(
    request: HttpRequest, kind: str, subject: int, name: str, filename: str, *, page: str = ""
) -> HttpResponseBase:
    """Answer who is signed in and may have the file: with it, for the API with 202 while it is being made. A browser is
    sent to the ``page`` meanwhile, and told there what is missing.

    Raises:
        PermissionDenied: nobody is signed in.
        TooManyDownloads, QueueFull, FileFailed: not of a ``page``.
    """
    if not request.user.is_authenticated:
        raise PermissionDenied
    try:
        file = file_ask(
            kind=kind, subject=subject, name=name, by=request.user, ordered=lambda: _counted(request, ORDERS)
        )
        if file.state == PreparedState.READY:
            _counted(request, DOWNLOADS)
            return _sent(file, filename)
        if page:
            return redirect(page)
        if file.state == PreparedState.FAILED:
            raise FileFailed(_("The file could not be made. Try again in ten minutes."))
    except (TooManyDownloads, QueueFull) as error:
        if not page:
            raise
        return too_many(request, error.wait)
    return _being_made(file)


def _sent(file: PreparedFile, filename: str) -> HttpResponseBase:
    answer = zip_response(filename, pieces_of(file))
    answer["Content-Length"] = str(file.size)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _being_made(file: PreparedFile) -> HttpResponse:
    answer = JsonResponse({"state": file.state, "detail": _("The file is being prepared.")}, status=202)
    answer["Retry-After"] = str(RETRY_AFTER)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _counted(request: HttpRequest, scope: str) -> None:
    throttle, asked = AuthorThrottle(), Request(request)
    asked.user = request.user
    view: Any = _Scope(scope)
    if not throttle.allow_request(asked, view):
        raise TooManyDownloads(int(throttle.wait()) + 1)
