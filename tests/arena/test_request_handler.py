"""The handler: pages, files and probes wait in lines of their own, and who waits too long is refused."""

import asyncio
import json
import threading
import time
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path, reverse

from arena.handler import BoundedHandler
from tests.arena.asgi import fetch, scope_of
from tests.arena.test_request_threads import all_free
from tests.waiting import eventually_async

GO_ON = threading.Event()


def slow(_request: HttpRequest) -> HttpResponse:
    GO_ON.wait(60)
    return HttpResponse(b"page")


def quick(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"quick")


def file(_request: HttpRequest) -> StreamingHttpResponse:
    def parts() -> Any:
        yield b"first"
        GO_ON.wait(60)
        yield b"last"

    return StreamingHttpResponse(parts())


def mine(request: HttpRequest) -> HttpResponse:
    return HttpResponse(str(request.session.get(SESSION_KEY)))


@pytest.fixture
def handler(settings: Any) -> BoundedHandler:
    GO_ON.clear()
    settings.ROOT_URLCONF = (path("slow/", slow), path("file/", file), path("quick/", quick), path("mine/", mine))
    settings.MIDDLEWARE = [
        *("arena.operations.health.ProbeMiddleware", "django.contrib.sessions.middleware.SessionMiddleware"),
    ]
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    settings.REQUESTS_AT_ONCE = settings.FILES_AT_ONCE = 1
    return BoundedHandler()


async def test_pages_files_and_probes_do_not_wait_for_each_other(handler: BoundedHandler) -> None:
    page = asyncio.create_task(fetch(handler, "/slow/"))
    assert await eventually_async(lambda: not handler.pages.free)
    assert (await fetch(handler, "/healthz")).status == 200
    GO_ON.set()
    assert (await page).body == b"page"
    GO_ON.clear()
    sent = asyncio.create_task(fetch(handler, "/file/"))
    assert await eventually_async(lambda: not handler.files.free and len(handler.pages.free) == 1)
    assert (await fetch(handler, "/quick/")).body == b"quick"
    GO_ON.set()
    assert (await sent).body == b"firstlast"
    assert await all_free(handler.files, 1)


@pytest.mark.parametrize("path", ["/slow/", "/file/"])
async def test_a_refused_request_gets_a_retry_after(
    handler: BoundedHandler, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    for name in ("WAIT_MOST", "READER_WAITS_MOST"):
        monkeypatch.setattr(f"arena.handler.{name}", 0.05)
    first = asyncio.create_task(fetch(handler, path))
    threads = handler.pages if path == "/slow/" else handler.files
    assert await eventually_async(lambda: not threads.free)
    refused = await fetch(handler, path, cookie=b"django_language=de")
    assert (refused.status, refused.headers[b"Retry-After"]) == (503, b"10")
    assert b'<html lang="de">' in refused.body
    GO_ON.set()
    assert (await first).status == 200


async def test_a_program_that_is_refused_gets_a_problem_document(
    handler: BoundedHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.handler.READER_WAITS_MOST", 0.05)
    first = asyncio.create_task(fetch(handler, "/slow/"))
    assert await eventually_async(lambda: not handler.pages.free)
    refused = await fetch(handler, "/api/matches/")
    assert (refused.status, refused.headers[b"Content-Type"]) == (503, b"application/problem+json")
    assert json.loads(refused.body)["code"] == "unavailable"
    GO_ON.set()
    assert (await first).status == 200


async def test_reads_are_refused_sooner_than_writes(handler: BoundedHandler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.handler.READER_WAITS_MOST", 0.05)
    first = asyncio.create_task(fetch(handler, "/slow/"))
    assert await eventually_async(lambda: not handler.pages.free)
    sends = asyncio.create_task(fetch(handler, "/quick/", method="POST"))
    assert [(await fetch(handler, "/quick/", method=method)).status for method in ("GET", "HEAD")] == [503, 503]
    assert not sends.done()
    GO_ON.set()
    assert ((await first).status, (await sends).status) == (200, 200)


async def signed_in(handler: BoundedHandler) -> bytes:
    """Return the cookies of somebody who has signed in, and has been answered once."""
    session = SessionStore()
    session[SESSION_KEY] = "1"
    session.save()
    cookie = f"sessionid={session.session_key}".encode()
    assert (await fetch(handler, "/mine/", cookie=cookie)).body == b"1"
    assert await eventually_async(lambda: handler.pages.free)  # the thread comes back after the answer
    return cookie


async def test_a_session_is_known_once_somebody_was_answered_in_it(handler: BoundedHandler) -> None:
    for made_up in (b"sessionid=x", b"sessionid=", b"sessionid=x; sessionid=y"):
        assert (await fetch(handler, "/mine/", cookie=made_up)).body == b"None"
        assert not handler._signed_in
    cookie = await signed_in(handler)
    assert list(handler._signed_in) == [cookie.decode().partition("=")[2]]
    assert (await fetch(handler, "/quick/", cookie=b"sessionid=y")).body == b"quick"
    assert len(handler._signed_in) == 1


async def test_the_number_of_known_sessions_is_bounded(
    handler: BoundedHandler, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.handler.KNOWN_MOST", 2)
    now = time.time()
    cookies = []
    for number in range(3):
        monkeypatch.setattr("time.time", lambda number=number: now + number)  # each has another key
        cookies.append((await signed_in(handler)).decode().partition("=")[2])
    assert list(handler._signed_in) == cookies[1:]


async def test_a_signed_in_reader_does_not_wait_for_anonymous_requests_of_the_same_address(
    handler: BoundedHandler,
) -> None:
    cookie = await signed_in(handler)
    answered: list[str] = []

    async def request(name: str, cookie: bytes = b"") -> None:
        assert (await fetch(handler, "/quick/", cookie=cookie)).status == 200
        answered.append(name)

    first = asyncio.create_task(fetch(handler, "/slow/"))
    assert await eventually_async(lambda: not handler.pages.free)
    waiting = []
    for number, one in enumerate((("stranger", b"sessionid=x"), ("signed in", cookie), *[("stranger", b"")] * 3), 1):
        waiting.append(asyncio.create_task(request(*one)))
        assert await eventually_async(lambda number=number: handler.pages.waiting == number)
    GO_ON.set()
    await asyncio.gather(first, *waiting)
    assert answered.index("signed in") <= 1


async def test_signing_in_and_signed_in_requests_wait_longer_than_anonymous_ones(
    handler: BoundedHandler, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reverse("account_login", urlconf="arena.urls") == settings.LOGIN_URL
    settings.LOGIN_URL = "/quick/"
    cookie = await signed_in(handler)
    for name in ("READER_WAITS_MOST", "CROWDED_WAITS_MOST"):
        monkeypatch.setattr(f"arena.handler.{name}", 0.01)
    monkeypatch.setattr("arena.handler.KNOWN_WAITS_MOST", 60.0)
    first = asyncio.create_task(fetch(handler, "/slow/"))
    assert await eventually_async(lambda: not handler.pages.free)
    waits = [asyncio.create_task(fetch(handler, "/quick/"))]
    assert await eventually_async(lambda: handler.pages.waiting > 0)
    monkeypatch.setattr("arena.handler.CROWD_SECONDS", 0.0)
    await asyncio.sleep(0.01)
    waits += [
        asyncio.create_task(fetch(handler, "/quick/")),
        asyncio.create_task(fetch(handler, "/slow/", cookie=cookie)),
    ]
    assert await eventually_async(lambda: handler.pages.waiting == len(waits))
    assert (await fetch(handler, "/slow/")).status == 503
    assert (await fetch(handler, "/slow/", cookie=b"sessionid=made-up")).status == 503
    assert not any(one.done() for one in waits)
    GO_ON.set()
    assert [(await one).status for one in (first, *waits)] == [200] * 4


async def test_a_lifespan_scope_is_refused(handler: BoundedHandler) -> None:
    with pytest.raises(ValueError, match="by HTTP"):
        await handler(scope_of("/") | {"type": "lifespan"}, None, None)
