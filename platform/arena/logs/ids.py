"""The ids on every line of the log: of the request, the user, the task, the match.

The id of a request goes with the tasks that it causes, and with those that these cause."""

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final
from uuid import uuid4

from celery import Task
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

from arena.websocket import App, Receive, Scope, Send

HEADER: Final = "X-Request-ID"
ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
OF_MATCHES: Final = ("matches:", "api-matches:")
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RequestIdMiddleware:
    """Gives each request an id, or takes the one that ``REQUEST_ID_HEADER`` brings, and tells it in the answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        header = settings.REQUEST_ID_HEADER
        request_id = id_of(request.headers.get(header, "") if header else "")
        # Not unbound at the end: Django says of an answer that it was refused when all middlewares are done.
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        _request.set(request)
        response = self.get_response(request)
        response[HEADER] = request_id
        return response

    def process_view(self, request: HttpRequest, _view: object, _args: object, named: dict[str, Any]) -> None:
        """Note which match a page is about."""
        match = request.resolver_match
        if match and match.view_name.startswith(OF_MATCHES) and "pk" in named:
            bind_contextvars(match_id=named["pk"])


def id_of(given: str) -> str:
    """Return the id that was ``given``, or a new one if it is none."""
    return given if ID.fullmatch(given) else uuid4().hex


def id_header(scope: Scope) -> tuple[bytes, bytes]:
    """Return the header with the id of a request that is answered before Django."""
    named = settings.REQUEST_ID_HEADER.lower().encode()
    given = dict(scope["headers"]).get(named, b"").decode("latin-1") if named else ""
    return HEADER.lower().encode(), id_of(given).encode()


def ids_now() -> dict[str, Any]:
    """Return the ids that belong to whatever happens now, by name. It asks the database for nothing."""
    ids = get_contextvars()
    user = getattr(_request.get(), "user", None)
    if type(user) is SimpleLazyObject:  # of a page, and perhaps nobody has looked yet
        user = getattr(_request.get(), "_cached_user", None)
    if (pk := getattr(user, "pk", None)) is not None:
        ids = {**ids, "user_id": pk}
    return ids


def log_ids_begin(**ids: str) -> None:
    """Bind the ids of what begins, and of nothing before it."""
    clear_contextvars()
    _request.set(None)
    bind_contextvars(**ids)


@before_task_publish.connect
def send_request_id(headers: dict[str, Any], **_: Any) -> None:
    """Let a task know the request that it serves."""
    if request_id := get_contextvars().get("request_id"):
        headers["request_id"] = request_id


@task_prerun.connect
def task_ids_begin(task_id: str, task: "Task[..., Any]", **_: Any) -> None:
    """Bind the ids of a task before it begins."""
    if task.request.is_eager:
        return  # within whatever waits for it
    log_ids_begin(task_id=task_id, task=task.name)
    if request_id := task.request.get("request_id"):
        bind_contextvars(request_id=request_id)


@task_postrun.connect
def task_ids_end(task: "Task[..., Any]", **_: Any) -> None:
    """Forget them: what the worker says between two tasks belongs to none."""
    if not task.request.is_eager:
        clear_contextvars()


def name_sockets(app: App) -> App:
    """Return ``app`` with an id for each WebSocket: its own, or the one that ``REQUEST_ID_HEADER`` brings."""

    async def named(scope: Scope, receive: Receive, send: Send) -> Any:
        header = settings.REQUEST_ID_HEADER.lower().encode()
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == header), "")
        log_ids_begin(request_id=id_of(given))
        return await app(scope, receive, send)

    return named
