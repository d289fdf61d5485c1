"""The page cache: responses to anonymous visitors, stored in Django's cache until the topic of the page changes.

A page is cached if its view is marked with ``public_page`` and the topic of the page was named: by the view, or by a
function that the view called. The Django middleware ``PublicPages`` sets the headers for HTTP caches. The ASGI
middleware ``PageCache`` runs before Django, so that a cached page needs no thread and no database query.
"""

import asyncio
import logging
import zlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial, wraps
from http import HTTPStatus
from time import time
from typing import Any, Final, TypeAlias, TypeVar

from django.core.cache import caches
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_vary_headers, set_response_etag
from django.utils.http import parse_etags
from prometheus_client import Counter

from web.topics import SHARED, topic_share, topic_share_read, topic_states, topic_states_renew
from web.visits import PARSED, RAW, Header, Visit

logger = logging.getLogger(__name__)

App: TypeAlias = Callable[[Any, Any, Any], Any]
Page = TypeVar("Page", bound=HttpResponseBase)

CLOCK: Final = "clock.1"  # never announced; for pages that expire only by time
SITE: Final = "site.1"  # the topic of all pages
NOW_SECONDS: Final = 5  # for current events, and for responses that programs poll
LIST_SECONDS: Final = 10  # for other lists, bots and users
PLAYED_SECONDS: Final = 10  # for topics with announcements
OVER_SECONDS: Final = 30  # for finished events: names of bots change without an announcement
TEXT_SECONDS: Final = 30  # for pages that change with a release only, apart from the status line
STALE_SECONDS: Final = 10  # seconds after which an expired page is not served any more while another request renders it
BUSY_SECONDS: Final = 60  # seconds after which an expired page is not served any more in place of a 503
TOPIC_SECONDS: Final = 3600  # seconds for which the topic of an address is remembered
WAITED_MOST: Final = 5.0  # seconds for a page that another request renders
PAGE_BYTES_MOST: Final = 256 * 1024
BYTES_MOST: Final = 64 * 1024 * 1024  # compressed pages stored by one process
ENTRIES_MOST: Final = 8192  # pages, and topics of addresses, of one process; some addresses have unlimited variants
# Visits whose pages are read at once; with more, the first would wait until all pages are unpacked.
VISITS_MOST: Final = 64

DESCRIBES: Final = b"content-"  # how the headers of a body begin; a 304 does not have these
PRIVATE: Final = frozenset(("private", "no-store"))  # directives of Cache-Control that forbid caching

hits = Counter("pecking_shared_answers", "Pages that were served from the page cache.")


def public_page(
    *, query: Iterable[str] = (), topic: str = "", max_age: int = 0
) -> Callable[[Callable[..., Page]], Callable[..., Page]]:
    """Return a decorator for views whose pages may be cached for anonymous visitors.

    ``query`` names the parameters that the page depends on; others are removed before the view is called for an
    anonymous visitor. With ``max_age``, each page is cached for so many seconds, or until ``topic`` changes (by default
    it never does). Without it, only pages for which ``cache_page_for`` is called are cached.
    """

    def decorator(view: Callable[..., Page]) -> Callable[..., Page]:
        @wraps(view)
        def public(request: HttpRequest, *args: Any, **kwargs: Any) -> Page:
            if max_age:
                cache_page_for(request, topic or CLOCK, max_age)
            return view(request, *args, **kwargs)

        public.public_query = frozenset(query)  # type: ignore[attr-defined]
        return public

    return decorator


def cache_page_for(request: Any, topic: str, max_age: int) -> None:
    """Let the response to ``request`` be cached until ``topic`` changes, for at most ``max_age`` seconds. If it is
    called several times, the last call counts.
    """
    getattr(request, "_request", request).cached_for = (topic, max_age)  # a request of the API wraps Django's request


def page_mark_unlisted(request: Any) -> None:
    """Exclude the response to ``request`` from search engines, because only people with its address may know of it."""
    getattr(request, "_request", request).is_unlisted = True


def pages_forget() -> None:
    """Invalidate all cached pages after this transaction commits. Call it if something was hidden, blocked or deleted,
    because any page may show it."""
    transaction.on_commit(partial(topic_states_renew, SITE))


class PublicPages:
    """Middleware for public pages: set the topic, ``ETag``, ``Cache-Control`` and ``X-Robots-Tag``, and invalidate all
    pages after each form that staff send in the admin."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        cached_for: tuple[str, int] | None = getattr(request, "cached_for", None)
        if (cached_for is not None or SHARED in response) and request.user.is_anonymous:
            if cached_for is not None and SHARED not in response:
                topic_share(response, *cached_for)
            if response.status_code == HTTPStatus.OK:
                _describe(response)
        # Immutable responses have a separate address in each language, so they do not vary.
        if "immutable" not in response.get("Cache-Control", ""):
            patch_vary_headers(response, ["Cookie"])
        if getattr(request, "is_unlisted", False):
            response["X-Robots-Tag"] = "noindex"
        match = request.resolver_match
        if request.method == "POST" and match is not None and match.app_name == "admin" and request.user.is_staff:
            topic_states_renew(SITE)
        return response


def _describe(response: HttpResponse) -> None:
    """Set the headers for browsers and proxies. These do not learn when a topic changes. So if the changes of a topic
    are announced, browsers must revalidate its pages each time, with the ``ETag``.
    """
    topic, seconds = topic_share_read(response[SHARED])
    if "Cache-Control" not in response:
        if seconds < NOW_SECONDS:
            response["Cache-Control"] = "no-cache"
        elif topic != CLOCK or seconds < LIST_SECONDS:
            response["Cache-Control"] = "public, max-age=0, s-maxage=1"
        else:
            response["Cache-Control"] = f"public, max-age={seconds}, stale-while-revalidate={STALE_SECONDS}"
    if not response.streaming and "ETag" not in response:
        set_response_etag(response)


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A response. ``state`` has the states of its topic and of the site when it was rendered, in this order. The
    response is fresh until ``expires_at``. Both times are in seconds since the epoch.
    """

    state: tuple[str, str]
    rendered_at: float
    expires_at: float
    start: Mapping[str, Any]
    body: bytes


@dataclass(frozen=True, slots=True)
class Lookup:
    """The entries of the cache for a visit. ``topic`` is the topic of the address, and ``state`` has the current states
    of the topic and of the site. ``page`` is from the current state of the site, but its topic may have changed since.
    Unknown entries are empty.
    """

    page: StoredPage | None = None
    topic: str = ""
    state: tuple[str, str] | None = None

    @property
    def current(self) -> StoredPage | None:
        """Return the page if its topic has not changed and it has not expired for long."""
        page = self.page
        return page if page and page.state == self.state and time() < page.expires_at + STALE_SECONDS else None

    @property
    def last(self) -> StoredPage | None:
        """Return the page if it may replace a 503. Pages that must be revalidated may not."""
        page = self.page
        is_last = page and time() < page.expires_at + BUSY_SECONDS and "must-revalidate" not in _directives(page.start)
        return page if is_last else None


class PageCache:
    """ASGI middleware that serves public pages from Django's cache and stores those that ``app`` renders.

    Each request reads the state of the topic before a page is rendered or served. So if somebody requests a page
    because it has changed, the page is never from before that change. If several requests of a process miss the same
    page, one renders it. The others wait for the page or get the one that has just expired. ``own_header`` returns a
    header that differs for each response.

    Instead of a 503, a visitor gets the last page of the address (``stale-if-error`` of RFC 5861), with its age in
    ``Age``. That page may be older than the last change of its topic, but not older than the last change of the site's
    state. Live cells and requests with ``Cache-Control: no-cache`` get the 503, because they ask for changes.
    """

    def __init__(self, app: App, own_header: Callable[[Any], Header]) -> None:
        self._app = app
        self._own_header = own_header
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="page-cache")
        self._rendering: dict[str, asyncio.Future[StoredPage | None]] = {}
        self._visits: list[tuple[Visit, asyncio.Future[Lookup]]] = []  # visits that wait for the next read
        self._reading: asyncio.Task[None] | None = None
        # Bytes by key, in the order of last use; only ``_thread`` uses it.
        self._stored: OrderedDict[str, int] = OrderedDict()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        visit = Visit.of(scope) if scope["type"] == "http" and scope["method"] == "GET" else None
        if visit is None:
            await self._app(scope, receive, send)
            return
        for _ in range(2):  # twice, because after waiting for another request the topic of the page is known
            found = await self._look_up(visit)
            page, rendering = found.current, self._rendering.get(visit.key)
            if page is None or time() >= page.expires_at:
                if rendering is None:
                    break
                if page is None:
                    with suppress(TimeoutError):
                        page = await asyncio.wait_for(asyncio.shield(rendering), WAITED_MOST)
            if page is not None and page.state == found.state:
                await self._serve(scope, send, visit, page)
                return
        await self._render(scope, receive, send, visit, found)

    async def _serve(self, scope: Any, send: Any, visit: Visit, page: StoredPage, *others: Header) -> None:
        hits.inc()
        start = {**page.start, "headers": [*page.start["headers"], self._own_header(scope), *others]}
        await _send(send, visit, start, page.body)

    async def _look_up(self, visit: Visit) -> Lookup:
        """Look up a visit. All visits that arrive during a read of the cache are looked up together in the next read:
        while every thread computes, one read takes as long as dozens of visits would.
        """
        found: asyncio.Future[Lookup] = asyncio.get_running_loop().create_future()
        self._visits.append((visit, found))
        if self._reading is None:
            self._reading = asyncio.create_task(self._read_all())
        return await found

    async def _read_all(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._visits:
                visits, self._visits = self._visits[:VISITS_MOST], self._visits[VISITS_MOST:]
                lookups = dict[str, Lookup]()
                try:
                    topic_keys = {visit.key: visit.topic_key for visit, _ in visits}
                    lookups = await loop.run_in_executor(self._thread, self._read, topic_keys)
                finally:
                    for visit, found in visits:
                        if not found.done():
                            found.set_result(lookups.get(visit.key, Lookup()))
        finally:
            self._reading = None

    def _read(self, topic_keys: Mapping[str, str]) -> dict[str, Lookup]:
        """Look up the visits with these keys, by the keys of their topics. Invalid entries count as missing."""
        try:
            found = caches["optional"].get_many({*topic_keys, *topic_keys.values()})
            topics = {key: found[key] for key in topic_keys.values() if isinstance(found.get(key), str)}
            states = topic_states({SITE, *topics.values()}) if topics else {}
        except Exception:  # then the pages are rendered
            logger.exception("the page cache cannot be read")
            return {}
        lookups = dict[str, Lookup]()
        for key, topic_key in topic_keys.items():
            topic: str = topics.get(topic_key, "")
            state = (states[topic], states[SITE]) if topic in states else None
            lookups[key] = Lookup(_unpacked(found.get(key), state), topic, state)
            for used in (topic_key, key):
                if used in self._stored:
                    self._stored.move_to_end(used)
        return lookups

    async def _render(self, scope: Any, receive: Any, send: Any, visit: Visit, found: Lookup) -> None:
        begun, done = time(), asyncio.get_running_loop().create_future()
        if visit.may_store:
            self._rendering.setdefault(visit.key, done)
        starts, parts = list[Any](), list[bytes]()

        def end(page: StoredPage | None = None, topic: str = "", seconds: int = 0) -> None:
            if done.done():
                return
            done.set_result(page)
            forget = partial(self._forget, visit.key, done)
            if topic:  # until the topic is stored, other requests learn it from ``done``
                loop = asyncio.get_running_loop()
                stored = loop.run_in_executor(self._thread, self._store, visit, topic, page, seconds)
                stored.add_done_callback(forget)
            else:
                forget()

        async def note(message: Any) -> None:
            if message["type"] == "http.response.start":
                starts.append(message)  # sent with the body
                return
            if not starts:
                await send(message)
                return
            if message.get("more_body"):
                if _is_page(starts[0]):  # Django sends a long page in pieces
                    parts.append(message.get("body", b""))
                    return
                end()
                await send(starts.pop())
                await send(message)
                return
            start, body = starts.pop(), b"".join((*parts, message.get("body", b"")))
            if start["status"] == HTTPStatus.SERVICE_UNAVAILABLE and not visit.wants_current:
                end()
                # Read again, because the page may have been hidden meanwhile.
                if last := (await self._look_up(visit)).last:
                    await self._serve(scope, send, visit, last, (b"age", b"%d" % max(time() - last.rendered_at, 0)))
                    return
            shown, seconds = _topic_of(start)
            page = None
            if shown and visit.may_store and found.state and shown == found.topic and len(body) <= PAGE_BYTES_MOST:
                own = self._own_header(scope)[0]
                head = {**start, "headers": [one for one in start["headers"] if one[0].lower() != own]}
                page = StoredPage(found.state, begun, begun + seconds, head, body)
            end(page, shown, seconds)  # called before sending, so that a slow reader delays nobody
            await _send(send, visit, start, body)

        headers = [one for one in scope["headers"] if one[0] != b"if-none-match"]  # other visitors get the response too
        try:
            await self._app({**scope, "query_string": visit.query, "headers": headers}, receive, note)
        finally:
            end()

    def _forget(self, key: str, rendering: asyncio.Future[StoredPage | None], _stored: object = None) -> None:
        if self._rendering.get(key) is rendering:
            del self._rendering[key]

    def _store(self, visit: Visit, topic: str, page: StoredPage | None, seconds: int) -> None:
        """Store the topic of an address, and a page if there is one. Remove the least recently used entries above
        ``BYTES_MOST`` or ``ENTRIES_MOST``, so that a client with endless addresses displaces mostly its own."""
        try:
            cache = caches["optional"]
            cache.set(visit.topic_key, topic, TOPIC_SECONDS)
            entries = {visit.topic_key: len(topic)}
            if page is not None:
                packed = zlib.compress(page.body, 1)
                cache.set(visit.key, replace(page, body=packed), seconds + BUSY_SECONDS)
                entries[visit.key] = len(packed)
            for key, size in entries.items():
                self._stored[key] = size
                self._stored.move_to_end(key)
            while len(self._stored) > ENTRIES_MOST or sum(self._stored.values()) > BYTES_MOST:
                cache.delete(self._stored.popitem(last=False)[0])
        except Exception:
            logger.exception("a page was not stored")


def _unpacked(page: Any, state: tuple[str, str] | None) -> StoredPage | None:
    """Return a stored page with its body unpacked; None if it is missing or from another state of the site."""
    try:
        is_of_now = page and state and page.state[1] == state[1]
        return replace(page, body=zlib.decompress(page.body)) if is_of_now else None
    except Exception:
        logger.exception("a stored page cannot be read")
        return None


async def _send(send: Any, visit: Visit, start: Mapping[str, Any], body: bytes) -> None:
    """Send a complete response, or a 304 to a client that has it already."""
    found = {name.lower(): value for name, value in start["headers"]}
    etag = found.get(b"etag", b"").decode("latin-1").removeprefix("W/")
    had = [one.removeprefix("W/") for one in parse_etags(visit.if_none_match)] if visit.if_none_match else []
    if etag and start["status"] == HTTPStatus.OK and (etag in had or "*" in had):
        headers = [one for one in start["headers"] if not one[0].lower().startswith(DESCRIBES)]
        start, body = {**start, "status": HTTPStatus.NOT_MODIFIED.value, "headers": headers}, b""
    await send(start)
    await send({"type": "http.response.body", "body": body})


def _is_page(start: Mapping[str, Any]) -> bool:
    """Return whether a response may be stored: it is complete, not streamed."""
    length = next((value for name, value in start["headers"] if name.lower() == b"content-length"), b"")
    return length.isdigit() and int(length) <= PAGE_BYTES_MOST


def _directives(start: Mapping[str, Any]) -> frozenset[str]:
    """Return the directives of ``Cache-Control``, in lower case."""
    sent = ",".join(
        value.decode("latin-1") for name, value in start.get("headers", ()) if name.lower() == b"cache-control"
    )
    return frozenset(one.strip().lower() for one in sent.split(","))


def _topic_of(start: Mapping[str, Any]) -> tuple[str, int]:
    """Return the topic and seconds of a response that all anonymous visitors share; ("", 0) for others."""
    headers = {name.lower(): value.decode("latin-1") for name, value in start.get("headers", ())}
    vary = {name.strip().lower() for name in headers.get(b"vary", "").split(",")} - {""}
    known = {name.decode() for name in RAW | PARSED}
    private = _directives(start) & PRIVATE
    is_alike = start.get("status") == HTTPStatus.OK and b"set-cookie" not in headers and vary <= known and not private
    return topic_share_read(headers.get(SHARED.lower().encode(), "")) if is_alike else ("", 0)
