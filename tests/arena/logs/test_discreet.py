"""Logs have no reset keys, tickets and tokens, whichever logger writes them."""

import io
import logging
import logging.config
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from uvicorn.config import LOGGING_CONFIG

from arena.logs import LogFormatter, log_text_redacted

SECRET = "c9k2x-7d1f0a5b"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What a web process writes: uvicorn sets up its log first, then the settings are read."""
    written = io.StringIO()
    logging.config.dictConfig(LOGGING_CONFIG)
    ours = {**settings.LOGGING, "handlers": {"console": {**settings.LOGGING["handlers"]["console"], "stream": written}}}
    logging.config.dictConfig(ours)
    yield written
    logging.config.dictConfig(settings.LOGGING)


@pytest.mark.parametrize(
    "text",
    [
        f"GET /accounts/password/reset/key/3-{SECRET}/ HTTP/1.1",
        f"GET /accounts/confirm-email/{SECRET}/",
        f"GET /tournaments/fox-night/invited/{SECRET}/ HTTP/1.1",
        f"GET /groups/hens/feed/3-{SECRET}/ HTTP/1.1",
        f"/ws/matches/5/?since=1.0.57&ticket={SECRET}",
        f"Authorization: Token peck_{SECRET}",
        f"{{'authorization': 'Token {SECRET}'}}",
        f"token peck_{SECRET} is wrong",
        f"no such topic: 'tournament.5:{SECRET}'",
        f"cookie: sessionid={SECRET}; theme=dark",
        f"postgres://hens:{SECRET}@db/pecking",
        f"redis://:{SECRET}@cache:6379/0",
        f"/accounts/login/?next=%2Faccounts%2Fpassword%2Freset%2Fkey%2F3-{SECRET}%2F",
        f"/accounts/login/?next=/x/%3Fa%3Db%26ticket%3D{SECRET}",
        f"/accounts/login/?next=%2Flanguage%2F%3Fnext%3D%252Faccounts%252Fpassword%252Freset%252Fkey%252F3-{SECRET}%252F",
        f"/accounts/login/?next=/x/%3Fnext%3D/y/%253Fa%253Db%2526ticket%253D{SECRET}",
        f"/search/?next=%2Fsearch%2F%3Fq%3Dhen%2540{SECRET}.example.org",
        f"/accounts/login/?next=%{'25' * 12}2Finvited%{'25' * 12}2F{SECRET}",
        f"postgres://hens:old@{SECRET}@db/pecking",
        f"refused: {{'{SECRET}@example.org': (550, b'no')}}",
        f"/search/?q={SECRET}%40mail.example.org",
    ],
)
def test_credentials_are_hidden(text: str) -> None:
    assert SECRET not in log_text_redacted(text)
    assert "[hidden]" in log_text_redacted(text)


@pytest.mark.parametrize(
    "text", ["GET /tournaments/fox-night/?page=2 HTTP/1.1", "a match 5.2: held", "https://example.org/accounts/login/"]
)
def test_other_text_stays_unchanged(text: str) -> None:
    assert log_text_redacted(text) == text


def test_access_errors_and_tracebacks_are_written_discreetly(log: io.StringIO) -> None:
    where = f"/accounts/password/reset/key/3-{SECRET}/"
    access = '%s - "%s %s HTTP/%s" %d'
    logging.getLogger("uvicorn.access").info(access, "192.0.2.1:5", "GET", where, "1.1", 200)
    logging.getLogger("django.request").warning("Not Found: %s", where)
    logging.getLogger("django.server").warning('"GET %s"', where)
    try:
        raise ValueError(f"bad token peck_{SECRET}")
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
        logging.getLogger("arena").exception("at %s", where)
    output = log.getvalue()
    assert output.count("/accounts/password/reset/key/[hidden]/") == 4
    assert output.count("Traceback") == 2
    assert SECRET not in output


def test_every_handler_of_a_web_process_is_discreet(log: io.StringIO) -> None:
    loggers = [logging.getLogger(name) for name in ("", "django", "django.server", "uvicorn", "uvicorn.access")]
    assert [logger.propagate for logger in loggers] == [True] * 5
    console = [handler for logger in loggers for handler in logger.handlers if _writes(handler)]
    assert [type(handler.formatter) for handler in console] == [LogFormatter]


@pytest.mark.django_db
def test_an_address_that_is_none_is_logged_without_its_secrets(log: io.StringIO) -> None:
    Client().get(f"/nowhere/?ticket={SECRET}")
    Client().get(f"/accounts/password/reset/key/3-{SECRET}/x/")
    assert "Not Found" in log.getvalue()
    assert SECRET not in log.getvalue()


def _writes(handler: Any) -> bool:
    return getattr(handler, "stream", None) not in (None, sys.__stdin__) and "pytest" not in type(handler).__module__
