"""Every address of the site, with hostile bytes in every part of a request: none is a server error."""

import logging
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.arena.test_every_address import NAMES, address, visit, whole_site

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(900)]

# As they stand in a request: NUL, a lone surrogate, no UTF-8 at all, numbers out of every range, a new header.
HOSTILE = ["%00", "%ED%A0%80", "%FF%FE", "-1", "9" * 30, "9" * 4400, "a" * 700, "%0D%0AX-Evil:%201", "%C2%B2"]
PARAMETERS = {"page", "stage", "round", "season", "version", "opponent", "state", "bot", "game", "format", "lang"}
PARAMETERS |= {"edition", "began", "from", "next", "table", "look", "entry", "fixture", "limit", "theme", "language"}
FIELD = re.compile(r'\bname="([\w-]+)"')
FORM = "application/x-www-form-urlencoded"
KINDS = [FORM, "application/json", "multipart/form-data; boundary=x", "multipart/form-data"]


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No broker, and nothing in the log of what is refused: it would be megabytes."""
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def as_strict_as_postgresql(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    """SQLite takes what PostgreSQL refuses with an exception: text with NUL or a lone surrogate."""
    for value in params or ():
        if isinstance(value, str):
            assert "\0" not in value, f"NUL asked of the database: {sql[:80]}"
            value.encode()
    return execute(sql, params, many, context)


def room_of(name: str) -> str:
    return name.partition(":")[0] if ":" in name else ""


def spoilt(good: str) -> Iterator[str]:
    """Yield the address with each of its parts hostile in turn, and with hostile query parameters."""
    parts = good.split("/")
    for value in HOSTILE:
        yield good + "?" + "&".join(f"{name}={value}" for name in sorted(PARAMETERS))
        for at, part in enumerate(parts):
            if at > 1 and part:
                yield "/".join([*parts[:at], value, *parts[at + 1 :]])


def bodies(fields: set[str]) -> Iterator[tuple[bytes, str]]:
    for value in HOSTILE:
        yield "&".join(f"{name}={value}" for name in sorted(fields)).encode(), FORM
    twice = "&".join(f"{name}=1&{name}=x" for name in sorted(fields)).encode()
    for kind in KINDS:
        for body in (twice, b"\xff\x00" * 40, b'{"name": ["\\ud800", 1e999]}', b"[" * 3000):
            yield body, kind


def fields_of(client: Client, address: str) -> set[str]:
    """Return the fields of the forms of the page, and the query parameters of any address."""
    answer = client.get(address)
    html = answer.headers.get("Content-Type", "").startswith("text/html")
    return {*PARAMETERS, *(FIELD.findall(answer.content.decode()) if html else ())}


def answers(client: Client, good: str) -> Iterator[tuple[str, Any]]:
    """What was sent, and what came back."""
    for url in spoilt(good):
        yield url[:100], client.get(url)
    for number, (body, kind) in enumerate(bodies(fields_of(client, good))):
        yield f"{good}, body {number}, {kind}", client.post(good, body, content_type=kind)


@pytest.mark.parametrize("visitor", ["organiser", "stranger"])
@pytest.mark.parametrize("room", sorted({room_of(name) for name in NAMES}))
def test_hostile_bytes_are_never_our_own_fault(visitor: str, room: str) -> None:
    site = whole_site()
    found = {}
    with connection.execute_wrapper(as_strict_as_postgresql):
        for name in (name for name in NAMES if room_of(name) == room):
            for sent, answer in answers(visit(visitor, site), address(name, site)):
                if answer.status_code >= 500 or "X-Evil" in answer.headers:
                    found[sent] = answer.status_code
    assert found == {}
