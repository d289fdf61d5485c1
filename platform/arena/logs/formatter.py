"""How a line of the log is written: as text that a person reads, or as JSON for programs (``LOG_FORMAT``)."""

import re
from collections.abc import Callable
from typing import Any, Final

import structlog
from structlog.typing import EventDict

from arena.logs.ids import ids_now

HIDDEN: Final = "[hidden]"
# Links of letters, tokens of the API, tickets of sockets: in addresses, headers, tracebacks, wherever they stand. In an
# address within an address, / ? & = are %2F %3F %26 %3D, %252F in one within that, and so on.
SLASH: Final = r"(?:/|%(?:25)*2F)"
SECRETS: Final = re.compile(
    rf"""(?P<keep>
        {SLASH}password{SLASH}reset{SLASH}key{SLASH}
      | {SLASH}confirm-email{SLASH}
      | {SLASH}invited{SLASH}
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
KEPT: Final = ("time", "level", "logger", "event")  # first in a line, in this order; ids follow
INDENT: Final = "    "


def discreet(text: str) -> str:
    """Return ``text`` without what lets anybody in, and without e-mail addresses."""
    return EMAIL.sub(HIDDEN, SECRETS.sub(_hidden, text))


def _hidden(found: re.Match[str]) -> str:
    return (found["keep"] or found["user"]) + HIDDEN


class LogFormatter(structlog.stdlib.ProcessorFormatter):
    """The formatter of all our handlers; tracebacks and arguments come through it too.

    What is logged may contain untrusted text: it never begins a line, and secrets are hidden in all of it.
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
    said = getattr(line["_record"], "data", None)  # Celery's own lines name the task that they are about
    if isinstance(said, dict) and "id" in said:
        line["task_id"] = said["id"]
    return {**ids_now(), **line}


def _hide(_logger: Any, _method: str, line: EventDict) -> EventDict:
    return {name: discreet(value) if isinstance(value, str) else value for name, value in line.items()}


def _as_text(_logger: Any, _method: str, line: EventDict) -> str:
    """Write one line; a traceback below it is indented, so that no line of it looks like one of ours."""
    below = [line.pop(name, "") for name in ("exception", "stack")]
    time, level, logger, event = (CONTROL.sub(_escaped, str(line.pop(name, ""))) for name in KEPT)
    ids = "".join(f" {name}={CONTROL.sub(_escaped, str(value))}" for name, value in sorted(line.items()))
    text = f"{time} {level.upper()} {logger}: {event}{ids and f' [{ids.strip()}]'}"
    return "\n".join([text, *(INDENT + CONTROL.sub(_escaped, one) for part in below for one in part.splitlines())])


def _as_json(_logger: Any, _method: str, line: EventDict) -> str:
    ordered = {**{name: line[name] for name in KEPT}, **line}
    return str(structlog.processors.JSONRenderer()(None, "", ordered))


def _escaped(control: "re.Match[str]") -> str:
    return control[0].encode("unicode_escape").decode("ascii")
