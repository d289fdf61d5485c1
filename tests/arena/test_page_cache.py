"""The page cache: who gets a cached answer, until when, and that nobody else does."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.http import HttpResponse

from arena.logs import log_id_header
from live import hub_announce
from tests.arena.asgi import scope_of
from web.page_cache import SITE, PageCache
from web.topics import SHARED, topic_share, topic_share_read, topic_states, topic_states_renew

TOPIC = "tournament.5"
SHARE = b"tournament.5 2"
PATH = "/tournaments/cup/live/"
LIVE = (b"x-live-cells", b"1")


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    for cache in caches.all():
        cache.clear()
    yield
    for cache in caches.all():
        cache.clear()


class Site:
    """An application that gives a different answer to each request, with the given headers."""

    def __init__(self, *headers: tuple[bytes, bytes], body: bytes = b"answer %d", status: int = 200) -> None:
        self.headers = [(SHARED.encode(), SHARE), (b"X-Request-ID", b"of the first"), *headers]
        self.body, self.status, self.made = body, status, 0
        self.before: Callable[[], Awaitable[object]] | None = None
        self.pieces = 1
        self.queries: list[bytes] = []
        self.shared = PageCache(self, log_id_header)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.made += 1
        self.queries.append(scope["query_string"])
        body = self.body % self.made if b"%d" in self.body else self.body
        if self.before:
            await self.before()
        await send({"type": "http.response.start", "status": self.status, "headers": self.headers})
        for number in range(1, self.pieces + 1):
            await send({"type": "http.response.body", "body": body, "more_body": number < self.pieces})

    async def fetch(self, *headers: tuple[bytes, bytes], path: str = PATH, **scope: Any) -> bytes:
        return (await self.sent(*headers, path=path, **scope))[1]["body"]  # type: ignore[no-any-return]

    async def sent(self, *headers: tuple[bytes, bytes], path: str = PATH, **scope: Any) -> list[Any]:
        messages: list[Any] = []

        async def send(message: Any) -> None:
            messages.append(message)

        request = scope_of(path) | {"scheme": "http", "headers": [(b"host", b"here"), LIVE, *headers]} | scope
        await self.shared(request, None, send)
        await asyncio.get_running_loop().run_in_executor(self.shared._thread, int)  # what is to be stored is
        return messages

    async def warm(self) -> bytes:
        """Fetch until the answer is cached: the first one declares its topic."""
        await self.fetch()
        return await self.fetch()


async def test_one_answer_is_given_to_all_until_its_topic_is_announced() -> None:
    site = Site()
    cached = await site.warm()
    assert [await site.fetch() for _ in range(3)] == [cached] * 3
    assert site.made == 2
    await asyncio.to_thread(hub_announce, TOPIC)
    assert await site.fetch() == await site.fetch() == b"answer 3"
    await asyncio.to_thread(hub_announce, "tournament.6")
    assert await site.fetch() == b"answer 3"


async def test_a_page_is_rendered_again_after_the_max_age_of_its_view() -> None:
    site = Site((b"x-live-shared", b"tournament.5 0"))
    assert await site.warm() == b"answer 2"
    assert await site.fetch() == b"answer 3"


@pytest.mark.parametrize(
    "header",
    [(b"cookie", b"sessionid=x"), (b"cookie", b""), (b"authorization", b"Token x")],
)
async def test_requests_with_credentials_neither_use_nor_fill_the_cache(header: tuple[bytes, bytes]) -> None:
    site = Site()
    await site.warm()
    assert await site.fetch(header) == b"answer 3"
    assert await site.fetch() == b"answer 2"


@pytest.mark.parametrize(
    "scope",
    [
        {"method": "POST"},
        {"method": "HEAD"},
        {"path": "/tournaments/other/live/"},
        {"query_string": b"page=2"},
        {"scheme": "https"},
        {"headers": [(b"host", b"elsewhere"), LIVE]},
        {"headers": [(b"host", b"here")]},
        {"headers": [(b"host", b"here"), (b"host", b"here"), LIVE]},
        {"headers": [(b"host", b"here"), LIVE, (b"x-forwarded-proto", b"https")]},
        {"headers": [(b"host", b"here"), LIVE, (b"x-forwarded-host", b"elsewhere")]},
        {"headers": [(b"host", b"here"), LIVE, (b"accept-language", b"de")]},
        {"headers": [(b"host", b"here"), LIVE, (b"range", b"bytes=0-1")]},
    ],
)
async def test_a_different_request_gets_another_answer(scope: dict[str, Any]) -> None:
    site = Site()
    cached = await site.warm()
    assert await site.fetch(**scope) != cached
    assert await site.fetch() == cached


async def test_an_answer_in_two_languages_at_once_is_that_of_the_language_which_the_site_speaks_then() -> None:
    site = Site()
    await site.fetch()
    both = await site.fetch((b"accept-language", b"de"), (b"accept-language", b"en"))  # German, says Django
    assert await site.fetch((b"accept-language", b"en")) != both
    assert await site.fetch((b"accept-language", b"fr")) != both
    assert await site.fetch((b"accept-language", b"de")) == both


@pytest.mark.parametrize(
    "site",
    [
        Site((b"Set-Cookie", b"csrftoken=x")),
        Site((b"Vary", b"Accept-Language, User-Agent")),
        Site((b"Vary", b"*")),
        Site((b"Cache-Control", b"max-age=0, Private")),
        Site((b"Cache-Control", b"no-store")),
        Site(status=404),
        Site(status=503),
    ],
    ids=[
        "sets a cookie",
        "varies by what is not known",
        "varies by all",
        "private",
        "not to be stored",
        "is not there",
        "is away",
    ],
)
async def test_a_private_answer_is_not_cached(site: Site) -> None:
    await Site().warm()  # from then on the topic is known
    await asyncio.to_thread(topic_states_renew, TOPIC)
    assert len({await site.fetch() for _ in range(3)}) == 3


async def test_an_answer_that_no_view_marks_public_is_not_cached() -> None:
    site = Site((b"Vary", b"Cookie, Accept-Language"))
    await site.warm()
    assert site.made == 2
    await site.fetch()
    assert site.made == 2
    site.headers = []
    await asyncio.to_thread(topic_states_renew, TOPIC)
    assert len({await site.fetch() for _ in range(3)}) == 3


async def test_an_address_with_another_topic_follows_the_new_topic() -> None:
    site = Site()
    await site.warm()
    await asyncio.to_thread(topic_states_renew, TOPIC)
    site.headers = [(SHARED.encode(), b"tournament.6 2")]
    assert await site.fetch() != await site.fetch()
    page = await site.fetch()
    await asyncio.to_thread(topic_states_renew, "tournament.6")
    assert await site.fetch() != page


async def test_processes_share_rendered_pages() -> None:
    one, other = Site(), Site()
    page = await one.warm()
    assert await other.fetch() == page
    assert other.made == 0


async def test_an_etag_is_answered_with_304_whether_the_page_is_cached_or_not() -> None:
    site = Site((b"ETag", b'"first"'), (b"Content-Type", b"text/html"), (b"X-Frame-Options", b"DENY"))
    for had in (b'"first"', b'W/"first"', b'"other", "first"', b"*"):
        for _ in range(3):
            start, body = await site.sent((b"if-none-match", had))
            names = {name.lower() for name, _value in start["headers"]}
            assert (start["status"], body["body"]) == (304, b"")
            assert names >= {b"etag", b"x-frame-options"}
            assert b"content-type" not in names
    for had in (b'"other"', b"first", b""):
        start, body = await site.sent((b"if-none-match", had))
        assert (start["status"], body["body"]) == (200, b"answer 2")
    assert site.made == 2, "a rendering is never a 304 that nobody else could be given"


@pytest.mark.parametrize("query", [b"utm_source=x", b"x=1&y=2", b"%ff=1", b"pagex=2", b"&&&", b"="])
async def test_parameters_that_the_view_does_not_know_are_neither_in_the_key_nor_in_the_page(query: bytes) -> None:
    site = Site()
    page = await site.warm()
    assert await site.fetch(query_string=query) == page
    second = await site.fetch(query_string=b"page=2&" + query)
    assert await site.fetch(query_string=query + b"&page=2") == second != page
    assert site.queries[-1] == b"page=2"


async def test_known_parameters_are_sorted_and_those_that_come_twice_stay_in_their_order() -> None:
    site = Site()
    await site.warm()
    page = await site.fetch(query_string=b"round=1&page=2")
    assert await site.fetch(query_string=b"page=2&round=1") == page
    assert await site.fetch(query_string=b"page=3&page=2&round=1") != page
    assert await site.fetch(query_string=b"page=2&page=3&round=1") not in (page, await site.fetch())


async def test_an_answer_without_the_public_mark_is_passed_on_unchanged() -> None:
    site = Site()
    for path in ("/hooks/", "/nowhere/", "/tournaments/cup/export/standings.csv"):
        assert await site.fetch(path=path, query_string=b"x=1") != await site.fetch(path=path, query_string=b"x=1")
    assert set(site.queries) == {b"x=1"}


async def test_a_long_page_that_django_sends_in_pieces_is_stored_whole() -> None:
    site = Site((b"Content-Length", b"18"))
    site.pieces = 2
    page = await site.warm()
    assert page == b"answer 2answer 2"
    assert [await site.fetch() for _ in range(2)] == [page] * 2
    assert site.made == 2


async def test_hiding_anything_renders_every_answer_again() -> None:
    site = Site((b"x-live-shared", b"clock.1 60"))
    cached = await site.warm()
    assert await site.fetch() == cached
    await asyncio.to_thread(topic_states_renew, SITE)
    assert await site.fetch() != cached


async def test_a_visitor_with_a_csrf_token_gets_the_cached_answer_and_stores_none() -> None:
    site = Site()
    token = (b"cookie", b"csrftoken=x")
    assert len({await site.fetch(token) for _ in range(3)}) == 3
    cached = await site.warm()
    assert await site.fetch(token) == cached
    await asyncio.to_thread(topic_states_renew, TOPIC)
    own = await site.fetch(token)
    assert own != cached
    assert await site.fetch() != own


async def test_visitors_with_the_same_choice_share_a_cached_answer() -> None:
    site = Site()
    cached = await site.warm()
    dark = await site.fetch((b"cookie", b"theme=dark"))
    assert dark != cached
    assert await site.fetch((b"cookie", b"theme=dark")) == dark
    assert await site.fetch() == cached


async def test_each_answer_has_an_id_of_its_own(settings: Any) -> None:
    site = Site()
    await site.warm()
    answers = [dict((await site.sent())[0]["headers"]) for _ in range(3)]
    assert len({answer[b"x-request-id"] for answer in answers}) == 3
    assert {name for answer in answers for name in answer if name.lower() == b"x-request-id"} == {b"x-request-id"}
    settings.REQUEST_ID_HEADER = "X-Amzn-Trace-Id"
    [start, _body] = await site.sent((b"x-amzn-trace-id", b"Root-1"))
    assert dict(start["headers"])[b"x-request-id"] == b"Root-1"


def test_only_topics_whose_kind_has_a_state_are_given_one() -> None:
    topic_states_renew(TOPIC, "league.1", "match.3", "nothing.1")
    states = topic_states([TOPIC, "league.1", "match.3", "tournament.7"])
    assert states["match.3"] == states["tournament.7"] != states[TOPIC] != states["league.1"]


def test_a_change_is_noted_before_it_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[str] = []
    monkeypatch.setattr("live.hub.hub_publish", lambda *_: states.append(topic_states([TOPIC])[TOPIC]))
    before = topic_states([TOPIC])[TOPIC]
    hub_announce(TOPIC)
    assert states == [topic_states([TOPIC])[TOPIC]] != [before]


def test_a_view_names_the_topic_of_an_answer() -> None:
    answer = HttpResponse()
    topic_share(answer, TOPIC)
    assert answer[SHARED] == f"{TOPIC} 2"
    assert topic_share_read(answer[SHARED]) == (TOPIC, 2)
    assert topic_share_read(TOPIC) == topic_share_read("tournament.5 soon") == ("", 0)
