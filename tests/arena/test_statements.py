"""A statement that takes too long does not hold a thread of the web process."""

from typing import Any

import pytest
from django.db import connection
from django.db.backends.signals import connection_created
from django.http import HttpRequest, HttpResponse
from django.urls import path

from arena.handler import BoundedHandler, handler_limit_statements
from tests.arena.asgi import fetch
from tests.racing import on_postgres

pytestmark = [on_postgres, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def endless(_request: HttpRequest) -> HttpResponse:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(600)")
    finally:
        connection.close()  # this thread's: the database goes after the tests
    return HttpResponse()


async def test_it_is_ended_and_answered_as_an_outage(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.handler.STATEMENT_MOST", 0.2)
    settings.ROOT_URLCONF = (path("endless/", endless),)
    settings.MIDDLEWARE = ["arena.site.error_pages.AwayMiddleware"]
    try:
        answer = await fetch(BoundedHandler(), "/endless/")
    finally:
        connection_created.disconnect(handler_limit_statements)
    assert (answer.status, answer.headers[b"Retry-After"]) == (503, b"10")
