"""Report errors to Sentry if ``SENTRY_DSN`` is set: the place in the code, the kind, and the ids of our log.

Nothing else leaves the site. An event is built from an allow-list. It contains no exception message, no value of a
variable, no address, header, cookie or body, and no name, number or IP address of a user.
"""

import logging
import re
from typing import Any, Final

import sentry_sdk
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.dedupe import DedupeIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.excepthook import ExcepthookIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.transport import Transport

from arena.caches import caches_release_digest
from arena.logs import log_ids_now

OURS: Final = (
    "announcements",
    "arena",
    "bots",
    "games",
    "hooks",
    "teams",
    "leagues",
    "assignments",
    "matches",
    "notices",
    "contests",
    "sandbox",
    "series",
    "tournaments",
    "web",
)
PLAIN: Final = ("event_id", "timestamp", "level", "platform", "release", "environment", "logger")
OF_A_FRAME: Final = ("filename", "function", "module", "lineno", "in_app")
IDS: Final = ("request_id", "task_id", "task", "match_id")  # not the user's
DOTTED: Final = re.compile(r"[A-Za-z_][\w.]{0,200}")


def error_reports_start(dsn: str, transport: type[Transport] | None = None) -> None:
    """Report uncaught exceptions and lines logged as errors to the Sentry of ``dsn``."""
    sentry_sdk.init(
        dsn=dsn,
        transport=transport,
        before_send=_event_sent,  # type: ignore[arg-type]  # the stubs name a class for what is a dict
        release=caches_release_digest(),
        # The default integrations are not used: they report more of a request, and add headers to webhooks.
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(transaction_style="function_name", middleware_spans=False, signals_spans=False),
            CeleryIntegration(propagate_traces=False),
            LoggingIntegration(level=None, event_level=logging.ERROR),
            DedupeIntegration(),
            ExcepthookIntegration(),
        ],
        send_default_pii=False,
        include_local_variables=False,
        include_source_context=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        auto_session_tracking=False,
        send_client_reports=False,
    )


def _event_sent(event: dict[str, Any], hint: dict[str, Any]) -> dict[str, Any]:
    """Return the part of an ``event`` of Sentry's client that is sent."""
    sent: dict[str, Any] = {name: event[name] for name in PLAIN if name in event}
    exceptions = [_exception(one) for one in (event.get("exception") or {}).get("values") or ()]
    if exceptions:
        sent["exception"] = {"values": exceptions}
    if DOTTED.fullmatch(name := str(event.get("transaction") or "")):  # any other text is an address
        sent["transaction"] = name
    record = hint.get("log_record")
    if record is not None and record.name.partition(".")[0] in OURS:
        sent["logentry"] = {"message": str(record.msg)}  # the template, without its arguments
    sent["tags"] = {name: str(value) for name, value in log_ids_now().items() if name in IDS}
    return sent


def _exception(raised: dict[str, Any]) -> dict[str, Any]:
    frames = (raised.get("stacktrace") or {}).get("frames") or ()
    return {
        "type": raised.get("type"),
        "module": raised.get("module"),
        "stacktrace": {"frames": [{name: one.get(name) for name in OF_A_FRAME} for one in frames]},
    }
