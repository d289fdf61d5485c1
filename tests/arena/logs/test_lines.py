"""Lines of the log: nobody can forge one, JSON stays valid, and text of visitors is unchanged."""

import json
import logging
from collections.abc import Callable
from io import StringIO
from typing import Any, Final

import pytest
from django.test import Client, RequestFactory
from hypothesis import given
from hypothesis import strategies as st

from arena.logs import INDENT, LogFormatter

FORGED: Final = "2026-11-23T08:00:00Z INFO arena: all is well"
BREAKS: Final = ["\n", "\r", "\r\n", "\x0b", "\x0c", "\x1b[2K", "\x85", "\u2028", "\u2029", "\x00"]


def line_of(message: str, kind: str, error: BaseException | None = None) -> str:
    exc_info = (type(error), error, None) if error else None
    return LogFormatter(kind).format(logging.LogRecord("arena", logging.INFO, "", 0, "%s", (message,), exc_info))  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["text", "json"])
@pytest.mark.parametrize("broken", BREAKS)
def test_a_message_is_one_line_whatever_is_in_it(broken: str, kind: str) -> None:
    line = line_of(f"no such bot: x{broken}{FORGED}", kind)
    assert len(line.splitlines()) == 1
    assert "\x1b" not in line


@pytest.mark.parametrize("broken", BREAKS)
def test_no_line_of_a_traceback_looks_like_one_of_ours(broken: str) -> None:
    line, *below = line_of("void", "text", ValueError(f"x{broken}{FORGED}")).splitlines()
    assert line.endswith("arena: void")
    assert below
    assert all(one.startswith(INDENT) for one in below)


@given(st.text(), st.text())
def test_json_is_valid_and_has_the_message_unchanged(message: str, error: str) -> None:
    line = line_of(message, "json", ValueError(error))
    assert len(line.splitlines()) == 1
    read = json.loads(line)
    assert {"time", "level", "logger", "event", "exception"} <= set(read)
    if "@" not in message and "peck" not in message:
        assert message.startswith(read["event"].partition("[hidden]")[0])


@given(st.text(max_size=30), st.sampled_from(["request_id", "user_id", "level"]))
def test_a_quote_after_a_secret_breaks_no_json(quoted: str, key: str) -> None:
    read = json.loads(line_of(f'/?token=hen"x", "{key}": "{quoted}', "json"))
    assert "hen" not in read["event"] or "hen" in quoted
    assert read["level"] == "info"


def test_an_address_with_a_line_break_forges_nothing(log_as: Callable[[str], StringIO]) -> None:
    log = log_as("text")
    request = RequestFactory().get("/")
    request.path = f"/nowhere/\n{FORGED}"
    logging.getLogger("django.request").warning("Not Found: %s", request.path)
    assert f"\n{FORGED}" not in log.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["text", "json"])
def test_addresses_headers_and_bodies_leak_no_secret(kind: str, log_as: Callable[[str], StringIO]) -> None:
    secret = "c9k2x7d1f0a5b"
    log = log_as(kind)
    client = Client(raise_request_exception=False)
    for address in (
        f"/nowhere/?token={secret}",
        f"/accounts/password/reset/key/3-{secret}/x/",
        f"/accounts/confirm-email/{secret}/nowhere/",
        f"/tournaments/none/invited/{secret}/nowhere/",
        f"/accounts/login/?next=/nowhere/%3Fticket%3D{secret}",
        f"/api/nowhere/?key={secret}",
    ):
        client.get(address, headers={"authorization": f"Token peck_{secret}", "cookie": f"sessionid={secret}"})
    client.post("/nowhere/", {"password": secret, "code": secret})
    client.post("/accounts/login/", {"login": f"{secret}@example.org", "password": secret})
    assert "Not Found" in log.getvalue()
    assert secret not in log.getvalue()


@pytest.mark.parametrize("size", [10_000, 100_000])
def test_a_long_line_takes_no_long_time(size: int) -> None:
    """Linear: a pattern that looks back at each character would take hours."""
    for text in ("a" * size, "a." * size, "/?" * size, "@" * size, "://a" * size, "x" * size + "@"):
        line_of(text, "json")


def test_lines_of_celery_name_their_task() -> None:
    record: Any = logging.LogRecord("celery", logging.INFO, "", 0, "Task %(name)s", ({"name": "x"},), None)
    record.data = {"id": "5-6", "args": "'hen@example.org'"}
    read = json.loads(LogFormatter("json").format(record))
    assert read["task_id"] == "5-6"
    assert "hen" not in str(read)
