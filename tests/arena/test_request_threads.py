"""Requests are answered in threads that are used again, each by one request at a time."""

import asyncio
import threading
from collections.abc import Iterator
from typing import Any
from unittest.mock import AsyncMock

import pytest
from asgiref.sync import sync_to_async
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory

from arena import request_threads
from arena.request_threads import KEPT, thread_lent
from arena.streaming import StreamingHandler
from tests.waiting import eventually, eventually_async


@pytest.fixture(autouse=True)
def _none_free() -> Iterator[None]:
    request_threads._free.clear()
    yield
    request_threads._free.clear()


class Answering(StreamingHandler):
    """Answers by calling something in the thread of the request."""

    def __init__(self, call: Any) -> None:
        super().__init__()
        self.call = call

    async def handle(self, scope: Any, receive: Any, send: Any) -> None:
        await send(await sync_to_async(self.call)())


async def answers(call: Any, count: int, *, at_once: bool) -> list[Any]:
    found: list[Any] = []

    async def send(answer: Any) -> None:
        found.append(answer)

    asked = [Answering(call)({"type": "http"}, None, send) for _ in range(count)]
    if at_once:
        await asyncio.gather(*asked)
    else:
        for one in asked:
            await one
            assert await eventually_async(lambda: len(request_threads._free) == 1)
    return found


def test_one_request_after_the_other_is_answered_in_one_thread() -> None:
    assert len(set(asyncio.run(answers(threading.get_ident, 5, at_once=False)))) == 1


def test_requests_at_once_have_a_thread_each_and_few_are_kept() -> None:
    together = threading.Barrier(KEPT + 3, timeout=60)

    def meet() -> int:
        together.wait()  # broken if one waited for another
        return threading.get_ident()

    assert len(set(asyncio.run(answers(meet, KEPT + 3, at_once=True)))) == KEPT + 3
    assert eventually(lambda: len(request_threads._free) == KEPT)


def test_a_thread_that_still_works_is_lent_to_nobody() -> None:
    go_on = threading.Event()
    with thread_lent() as busy:
        busy.submit(go_on.wait, 60)
    with thread_lent() as other:
        assert other is not busy
    go_on.set()
    assert eventually(lambda: busy in request_threads._free)


def test_what_is_no_page_is_refused() -> None:
    with pytest.raises(ValueError, match="by HTTP"):
        asyncio.run(Answering(int)({"type": "lifespan"}, None, None))


class Waiting(StreamingHandler):
    """Computes each answer until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go_on = asyncio.Event()
        self.at_work: list[str] = []

    async def answer(self, request: HttpRequest) -> HttpResponseBase:
        self.at_work.append(request.path)
        if not request.path.endswith("z"):
            await self.go_on.wait()
        return HttpResponse()


def asked(handler: StreamingHandler, path: str) -> "asyncio.Task[HttpResponseBase]":
    return asyncio.create_task(handler.get_response_async(RequestFactory().get(path)))


async def test_so_many_answers_are_computed_at_once_and_the_others_in_turn(settings: Any) -> None:
    settings.REQUESTS_AT_ONCE = 2
    handler = Waiting()
    tasks = [asked(handler, f"/{number}") for number in range(5)]
    assert (await asked(handler, "/healthz")).status_code == (await asked(handler, "/readyz")).status_code == 200
    assert handler.at_work == ["/0", "/1", "/healthz", "/readyz"]
    tasks[2].cancel()  # whoever has left is not waited for
    handler.go_on.set()
    assert [one.status_code for one in await asyncio.gather(*tasks[:2], *tasks[3:])] == [200] * 4
    assert handler.at_work[4:] == ["/3", "/4"]


async def test_who_waits_for_too_long_is_told_to_come_again(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REQUESTS_AT_ONCE = 1
    monkeypatch.setattr("arena.streaming.WAIT_MOST", 0.1)
    handler = Waiting()
    first = asked(handler, "/0")
    refused = await asked(handler, "/1")
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "10")
    handler.go_on.set()
    assert (await first).status_code == (await asked(handler, "/2")).status_code == 200


async def test_a_place_is_free_again_after_an_answer_that_failed(settings: Any) -> None:
    settings.REQUESTS_AT_ONCE = 1

    class Failing(StreamingHandler):
        async def answer(self, request: HttpRequest) -> HttpResponseBase:
            raise RuntimeError

    handler = Failing()
    for _ in range(3):
        with pytest.raises(RuntimeError):
            await asked(handler, "/0")


async def test_who_waits_in_line_takes_no_thread_that_has_a_connection(settings: Any) -> None:
    settings.REQUESTS_AT_ONCE = 1
    with thread_lent() as kept:
        pass
    assert await eventually_async(lambda: kept in request_threads._free)
    handler = Answering(threading.get_ident)
    await handler._places.acquire()
    await handler({"type": "http"}, None, AsyncMock())
    assert kept in request_threads._free
    handler._places.release()
    await handler({"type": "http"}, None, AsyncMock())
    assert await eventually_async(lambda: len(request_threads._free) == 2)


def test_a_thread_that_is_kept_no_more_has_closed_its_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_threads, "KEPT", 0)
    closed = []
    monkeypatch.setattr("django.db.connections.close_all", lambda: closed.append(threading.get_ident()))
    with thread_lent() as thread:
        own = thread.submit(threading.get_ident).result()
    assert eventually(lambda: closed == [own])
