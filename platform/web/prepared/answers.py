"""Prepared files in pages and the API. POST orders a file, GET sends it or its progress. Pages poll meanwhile."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from rest_framework.request import Request

from web.boards import REFRESH_HEADER
from web.downloads import TooManyDownloads, prepared_file_response
from web.errors import Refusal
from web.limits import AuthorThrottle, limit_exceeded_response
from web.models import PreparedFile, PreparedState
from web.prepared.services import FAILED_FOR, QueueFull, prepared_file, prepared_file_order, prepared_file_use

RETRY_AFTER: Final = 3  # seconds
DOWNLOADS, ORDERS = ("datasets", "preparing")  # scopes of the throttle, which pages and the API share


class FileNotOrdered(Refusal):
    """The current version of the file has not been ordered."""

    code = "not_prepared"
    status = 404


class FileFailed(Refusal):
    """A file could not be made."""

    code = "failed"
    status = 503
    wait = int(FAILED_FOR.total_seconds())


class _Scope:
    """Replaces the view from which the throttle reads its scope."""

    def __init__(self, scope: str) -> None:
        self.throttle_scope = scope


def prepared_response(
    request: HttpRequest, kind: str, subject: int, name: str, filename: str, *, page: str = ""
) -> HttpResponseBase:
    """Answer a request for a file that the signed-in user may have. POST orders it, GET sends it once it is ready.

    Before that, a browser is redirected to the ``page``, which shows the progress; a program gets the progress as JSON.

    Raises:
        PermissionDenied: nobody is signed in.
        TooManyDownloads, QueueFull, FileFailed, FileNotOrdered: only without a ``page``.
    """
    if not request.user.is_authenticated:
        raise PermissionDenied
    file: PreparedFile | None
    try:
        if request.method == "POST":
            file = prepared_file_order(
                kind=kind, subject=subject, name=name, by=request.user, ordered=lambda: _counted(request, ORDERS)
            )
        else:
            file = prepared_file(kind, subject, name)
            if file is not None and file.state == PreparedState.READY:
                _counted(request, DOWNLOADS)
                return _sent(file, filename)
    except (TooManyDownloads, QueueFull) as error:
        if not page:
            raise
        return limit_exceeded_response(request, error.wait)
    return redirect(page) if page else _state_of(file)


def _sent(file: PreparedFile, filename: str) -> HttpResponseBase:
    answer = prepared_file_response(filename, prepared_file_use(file=file))
    answer["Content-Length"] = str(file.size)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _state_of(file: PreparedFile | None) -> HttpResponse:
    if file is None:
        raise FileNotOrdered(_("This file has not been prepared yet. Send a POST to this address first."))
    if file.state == PreparedState.FAILED:
        raise FileFailed(_("The file could not be made. Try again in ten minutes."))
    is_ready = file.state == PreparedState.READY
    detail = _("The file is ready.") if is_ready else _("The file is being prepared.")
    answer = JsonResponse({"state": file.state, "detail": detail}, status=200 if is_ready else 202)
    answer["Retry-After"] = "0" if is_ready else str(RETRY_AFTER)
    answer["Cache-Control"] = "private, no-store"
    return answer


def _counted(request: HttpRequest, scope: str) -> None:
    throttle, rest_request = AuthorThrottle(), Request(request)
    rest_request.user = request.user
    view: Any = _Scope(scope)
    if not throttle.allow_request(rest_request, view):
        raise TooManyDownloads(int(throttle.wait()) + 1)


@dataclass(frozen=True, slots=True)
class OfferedFile:
    """The file ``name`` at ``address``, with the ``title`` of its link. ``file`` is None if it was not ordered."""

    name: str
    title: str
    address: str
    file: PreparedFile | None

    @property
    def is_ready(self) -> bool:
        return self.file is not None and self.file.state == PreparedState.READY

    @property
    def is_coming(self) -> bool:
        return self.file is not None and self.file.state in (PreparedState.WAITING, PreparedState.MAKING)

    @property
    def has_failed(self) -> bool:
        return self.file is not None and self.file.state == PreparedState.FAILED


def prepared_answer_offer(kind: str, subject: int, name: str, address: str, title: str) -> OfferedFile:
    """Return the file ``name`` of a subject as an offer for a page; see ``PreparedFile``."""
    return OfferedFile(name, title, address, prepared_file(kind, subject, name))


def prepared_answer_is_pending(files: Iterable[OfferedFile]) -> bool:
    return any(one.is_coming for one in files)


def prepared_answer_polls(answer: HttpResponse, files: Iterable[OfferedFile]) -> HttpResponse:
    """Make the page poll as long as a file is being prepared; see live-cells.js."""
    if prepared_answer_is_pending(files):
        answer[REFRESH_HEADER] = str(RETRY_AFTER)
    return answer
