"""The log format: one line per event, as text or JSON (``LOG_FORMAT``), with request ids and without secrets.

Every line has the ids of its context: the request, the user, the task, the match. A request's id is passed on to the
tasks that it causes, and to tasks caused by these.
"""

import re
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final
from uuid import uuid4

import structlog
from celery import Task
from celery.signals import before_task_publish, task_postrun, task_prerun
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.functional import SimpleLazyObject
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars
from structlog.typing import EventDict

from arena.websocket import App, Receive, Scope, Send

HEADER: Final = "X-Request-ID"
ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
OF_MATCHES: Final = ("matches:", "api-matches:")
_request: ContextVar[HttpRequest | None] = ContextVar("request", default=None)


class RequestIdMiddleware:
    """Give each request an id, or use the one in ``REQUEST_ID_HEADER``, and send it in the response."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        header = settings.REQUEST_ID_HEADER
        request_id = log_id_of(request.headers.get(header, "") if header else "")
        # The ids are not cleared at the end, because Django logs a refused response after all middlewares have ended.
        clear_contextvars()
        bind_contextvars(request_id=request_id)
        _request.set(request)
        response = self.get_response(request)
        response[HEADER] = request_id
        return response

    def process_view(self, request: HttpRequest, _view: object, _args: object, named: dict[str, Any]) -> None:
        """Bind the id of the match that a page is about."""
        match = request.resolver_match
        if match and match.view_name.startswith(OF_MATCHES) and "pk" in named:
            bind_contextvars(match_id=named["pk"])


def log_id_of(given: str) -> str:
    """Return ``given`` if it is a valid id, else a new one."""
    return given if ID.fullmatch(given) else uuid4().hex


def log_id_header(scope: Scope) -> tuple[bytes, bytes]:
    """Return the header with the id of a request that is answered before Django."""
    named = settings.REQUEST_ID_HEADER.lower().encode()
    given = dict(scope["headers"]).get(named, b"").decode("latin-1") if named else ""
    return HEADER.lower().encode(), log_id_of(given).encode()


def log_ids_now() -> dict[str, Any]:
    """Return the ids of the current context by name, without a database query."""
    ids = get_contextvars()
    user = getattr(_request.get(), "user", None)
    if type(user) is SimpleLazyObject:  # the session user, whom no code may have loaded yet
        user = getattr(_request.get(), "_cached_user", None)
    if (pk := getattr(user, "pk", None)) is not None:
        ids = {**ids, "user_id": pk}
    return ids


def log_ids_begin(**ids: str) -> None:
    """Replace all bound ids by ``ids``."""
    clear_contextvars()
    _request.set(None)
    bind_contextvars(**ids)


@before_task_publish.connect
def log_send_request_id(headers: dict[str, Any], **_: Any) -> None:
    """Pass the id of the current request on to a new task."""
    if request_id := get_contextvars().get("request_id"):
        headers["request_id"] = request_id


@task_prerun.connect
def log_task_ids_begin(task_id: str, task: "Task[..., Any]", **_: Any) -> None:
    """Bind the ids of a task before it runs."""
    if task.request.is_eager:
        return  # the task runs inside the request or task that called it
    log_ids_begin(task_id=task_id, task=task.name)
    if request_id := task.request.get("request_id"):
        bind_contextvars(request_id=request_id)


@task_postrun.connect
def log_task_ids_end(task: "Task[..., Any]", **_: Any) -> None:
    """Clear the ids: lines between two tasks belong to neither."""
    if not task.request.is_eager:
        clear_contextvars()


def log_sockets(app: App) -> App:
    """Return ``app`` with an id for each WebSocket: a new one, or the one in ``REQUEST_ID_HEADER``."""

    async def named(scope: Scope, receive: Receive, send: Send) -> Any:
        header = settings.REQUEST_ID_HEADER.lower().encode()
        given = next((value.decode("latin-1") for name, value in scope["headers"] if name == header), "")
        log_ids_begin(request_id=log_id_of(given))
        return await app(scope, receive, send)

    return named


HIDDEN: Final = "[hidden]"
# Secrets are links in emails, API tokens and tickets of sockets. They may be in addresses, headers, tracebacks and
# anywhere else. In an address inside an address, / ? & = are escaped as %2F %3F %26 %3D, one level deeper as %252F, and
# so on.
SLASH: Final = r"(?:/|%(?:25)*2F)"
SECRETS: Final = re.compile(
    rf"""(?P<keep>
        {SLASH}password{SLASH}reset{SLASH}key{SLASH}
      | {SLASH}confirm-email{SLASH}
      | {SLASH}invited{SLASH}
      | {SLASH}feed{SLASH}
      | (?:[?&;]|%(?:25)*(?:3F|26))(?:ticket|token|key|secret|code|password|passwd|sessionid|csrf\w{{1,20}})
        (?:=|%(?:25)*3D)
      | \bAuthorization['":\s]+(?:Token|Bearer|Basic)\s+
      | \b(?:sessionid|csrftoken)=
      | \b(?:match|tournament|league|version)\.\d{{1,18}}:
      | \bpeck_
    )[^\s/&;,"'<>)\]}}@]+
    | (?P<user>://[^\s:/@]{{0,256}}:)[^\s/]{{1,512}}(?=@)""",
    re.VERBOSE | re.IGNORECASE,
)
EMAIL: Final = re.compile(r"[\w.+-]{1,64}(?:@|%(?:25)*40)[\w-]{1,63}(?:\.[\w-]{1,63})+", re.IGNORECASE)
CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
FIRST_KEYS: Final = ("time", "level", "logger", "event")  # first in a line, in this order; ids follow
INDENT: Final = "    "


def log_text_redacted(text: str) -> str:
    """Return ``text`` with secrets and email addresses replaced."""
    return EMAIL.sub(HIDDEN, SECRETS.sub(_hidden, text))


def _hidden(found: re.Match[str]) -> str:
    return (found["keep"] or found["user"]) + HIDDEN


class LogFormatter(structlog.stdlib.ProcessorFormatter):
    """The formatter of all handlers, also for tracebacks and arguments.

    Logged text may be untrusted: it never begins a line, and secrets are hidden everywhere.
    """

    def __init__(self, kind: str) -> None:
        write: dict[str, Callable[[Any, str, EventDict], str]] = {"text": _as_text, "json": _as_json}
        super().__init__(
            foreign_pre_chain=[
                structlog.stdlib.add_log_level,
                structlog.stdlib.add_logger_name,
                structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
                structlog.processors.ExceptionRenderer(),
            ],
            processors=[_add_ids, structlog.stdlib.ProcessorFormatter.remove_processors_meta, _hide, write[kind]],
        )


def _add_ids(_logger: Any, _method: str, line: EventDict) -> EventDict:
    data = getattr(line["_record"], "data", None)  # Celery's own records name their task here
    if isinstance(data, dict) and "id" in data:
        line["task_id"] = data["id"]
    return {**log_ids_now(), **line}


def _hide(_logger: Any, _method: str, line: EventDict) -> EventDict:
    return {name: log_text_redacted(value) if isinstance(value, str) else value for name, value in line.items()}


def _as_text(_logger: Any, _method: str, line: EventDict) -> str:
    """Format one line. Tracebacks below it are indented, so that none of their lines looks like a log line."""
    below = [line.pop(name, "") for name in ("exception", "stack")]
    time, level, logger, event = (CONTROL.sub(_escaped, str(line.pop(name, ""))) for name in FIRST_KEYS)
    ids = "".join(f" {name}={CONTROL.sub(_escaped, str(value))}" for name, value in sorted(line.items()))
    text = f"{time} {level.upper()} {logger}: {event}{ids and f' [{ids.strip()}]'}"
    return "\n".join([text, *(INDENT + CONTROL.sub(_escaped, one) for part in below for one in part.splitlines())])


def _as_json(_logger: Any, _method: str, line: EventDict) -> str:
    ordered = {**{name: line[name] for name in FIRST_KEYS}, **line}
    return str(structlog.processors.JSONRenderer()(None, "", ordered))


def _escaped(control: "re.Match[str]") -> str:
    return control[0].encode("unicode_escape").decode("ascii")
