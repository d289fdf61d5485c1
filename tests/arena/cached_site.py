"""The whole site behind its page cache, with a frozen clock."""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async
from django.core.cache import caches
from django.test import Client

from arena.logs import log_id_header
from tests.arena.asgi import scope_of
from tests.arena.test_every_address import whole_site
from tests.waiting import eventually_async
from tournaments.models import Tournament
from web.page_cache import PageCache


class WholeSite:
    """All pages behind the page cache; ``made`` counts the answers that did not come from it."""

    def __init__(self) -> None:
        self.made = 0
        self._handler = Client().handler
        self._shared = PageCache(self, log_id_header)

    async def __call__(self, scope: Any, _receive: Any, send: Any) -> None:
        self.made += 1
        answer, body = await sync_to_async(self._answer)(scope)
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in answer.items()]
        headers += [(b"set-cookie", one.OutputString().encode()) for one in answer.cookies.values()]
        await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    def _answer(self, scope: Any) -> tuple[Any, bytes]:
        client: Any = Client(raise_request_exception=False)
        client.handler = self._handler
        headers = {name.decode(): value.decode("latin-1") for name, value in scope["headers"]}
        query = scope["query_string"].decode()
        path = f"{scope['path']}?{query}" if query else scope["path"]
        answer = client.get(path, headers=headers, secure=scope["scheme"] == "https")
        return answer, b"".join(answer.streaming_content) if answer.streaming else answer.content

    def fetch(
        self, path: str, headers: Mapping[str, str] | None = None, **scope: Any
    ) -> tuple[int, dict[str, str], str]:
        """Return status, headers and body."""
        path, _mark, query = path.partition("?")
        sent = {"host": "testserver"} | dict(headers or {})
        request = scope_of(path) | {
            "scheme": "http",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items()],
            **scope,
        }
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        async_to_sync(self._send)(request, send)
        found = {name.decode(): value.decode("latin-1") for name, value in messages[0]["headers"]}
        return messages[0]["status"], found, messages[1]["body"].decode("utf-8", "replace")

    async def _send(self, scope: Any, send: Any) -> None:
        await self._shared(scope, None, send)
        await asyncio.get_running_loop().run_in_executor(self._shared._thread, int)  # what is to be stored is
        assert await eventually_async(lambda: not self._shared._rendering)

    def page(self, path: str, **headers: str) -> str:
        return self.fetch(path, headers)[2]

    def is_given(self, path: str, **headers: str) -> bool:
        """Fetch a page and return whether the answer came from the cache."""
        before = self.made
        self.fetch(path, headers)
        return self.made == before

    def warm(self, path: str, **headers: str) -> str:
        """Fetch a page until it is cached, and return it."""
        while not self.is_given(path, **headers):
            assert self.made < 1000
        return self.page(path, **headers)


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    # However slow the machine is, nothing runs out here by the clock.
    monkeypatch.setattr("web.page_cache.time", lambda: 0.0)
    for cache in caches.all():
        cache.clear()
    yield
    for cache in caches.all():
        cache.clear()


@pytest.fixture
def things() -> dict[str, Any]:
    return whole_site()


@pytest.fixture
def site() -> WholeSite:
    return WholeSite()


def cookies(client: Client) -> str:
    return "; ".join(f"{name}={one.value}" for name, one in client.cookies.items())


def cup_of(things: dict[str, Any]) -> Tournament:
    return Tournament.objects.get(slug=things["slugs"]["tournaments"])
