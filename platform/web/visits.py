"""Visitors: whether somebody is using the site, and which anonymous visitors get the same public page.

Work that only spectators need pauses while nobody is using the site. The page cache uses the keys of visits.

An anonymous visitor is one whose only cookies are those of choices, such as the theme, with values that the site sets.
Any other cookie may identify a person. Choices and languages are compared as the site interprets them, because browsers
write a language in hundreds of ways.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any, Final, TypeAlias, cast
from urllib.parse import parse_qsl, urlencode

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest
from django.middleware.gzip import re_accepts_gzip
from django.urls import Resolver404, resolve
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language_from_request

KEY: Final = "visited"
REMEMBERED: Final = 15 * 60  # seconds after the last visit for which the site counts as visited
NOTED_EVERY: Final = 60.0  # seconds between two records of visits in the cache, in each process
UNATTENDED: Final = frozenset({"/healthz", "/readyz", "/metrics"})  # requested by monitoring
_noted = -NOTED_EVERY  # when this process last recorded a visit, by its monotonic clock


def visit_note() -> None:
    """Record that somebody is using the site."""
    caches["optional"].set(KEY, True, REMEMBERED)


def visit_is_recent() -> bool:
    """Return whether somebody has visited the site within the last ``REMEMBERED`` seconds."""
    return bool(caches["optional"].get(KEY))


def visit_note_in_background() -> None:
    """Record a visit, at most once a minute. For use in an event loop, which must not wait for the cache."""
    global _noted
    now = time.monotonic()
    if now - _noted >= NOTED_EVERY:
        _noted = now
        asyncio.get_running_loop().run_in_executor(None, visit_note)


def visits_noted(app: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Wrap the ASGI application ``app`` so that its requests are recorded as visits."""

    async def noted(scope: Any, receive: Any, send: Any) -> Any:
        if scope["path"] not in UNATTENDED:
            visit_note_in_background()
        return await app(scope, receive, send)

    return noted


Header: TypeAlias = tuple[bytes, bytes]

ANY: Final = ("*",)  # every parameter is part of the key, because the view rejects unknown ones
# The request headers on which pages may depend. Headers in ``RAW`` are part of the key as they were sent.
RAW: Final = frozenset((b"host", b"x-forwarded-proto", b"x-forwarded-host", b"x-live-cells", b"range"))
PARSED: Final = frozenset((b"cookie", b"authorization", b"accept-language", b"accept-encoding"))
BODY: Final = frozenset((b"transfer-encoding", b"content-length"))

_choices: dict[str, tuple[str, ...]] = {}  # the valid values of each cookie with a visitor's choice


def visitor_choice_register(cookie: str, values: Iterable[str]) -> None:
    """Let cached pages depend on a cookie with a visitor's choice. Apps call this when they start."""
    _choices[cookie] = tuple(values)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of an anonymous visitor to a public view.

    ``key`` is equal for visitors who get the same page. ``query`` has only the parameters that the view knows.
    ``may_store`` tells that the response to this visit is the same for everybody, and may be stored. It is false for a
    visitor with a CSRF token, who may only get pages from the cache.
    """

    key: str
    path: str
    query: bytes
    may_store: bool
    wants_current: bool  # for live cells, which have changed, and requests with Cache-Control: no-cache
    if_none_match: str

    @property
    def topic_key(self) -> str:
        return _key("topic", self.path)

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Visit | None":
        """Return the visit; None if the request is of a user, has a body, or is to a view that is not public."""
        headers: Iterable[Header] = scope["headers"]
        cookies = _all(headers, b"cookie")
        chosen = _choices_in(cookies[0]) if cookies else {}
        # Servers and Django interpret several Cookie headers in different ways.
        if chosen is None or len(cookies) > 1 or any(name == b"authorization" for name, _value in headers):
            return None
        if any(name in BODY and value != b"0" for name, value in headers):
            return None
        query = _known_query(scope)
        if query is None:
            return None
        spoken = {"HTTP_ACCEPT_LANGUAGE": ",".join(_all(headers, b"accept-language"))}
        language = get_language_from_request(cast(HttpRequest, SimpleNamespace(COOKIES=chosen, META=spoken)))
        looks = [language, *(chosen.get(name) for name in _choices)]
        is_short = bool(re_accepts_gzip.search(",".join(_all(headers, b"accept-encoding"))))
        raw = [one for one in headers if one[0] in RAW]
        key = _key("page", repr((scope["scheme"], scope["path"], query, looks, is_short, raw)))
        may_store = settings.CSRF_COOKIE_NAME not in chosen
        directives = {one.strip().lower() for one in ",".join(_all(headers, b"cache-control")).split(",")}
        wants_current = "no-cache" in directives or any(name == b"x-live-cells" for name, _value in raw)
        return cls(key, scope["path"], query, may_store, wants_current, ",".join(_all(headers, b"if-none-match")))


def _key(kind: str, of: str) -> str:
    """Return a cache key for this site, because several sites may share a cache server.

    Django adds the release's prefix.
    """
    site = salted_hmac(__name__, "site", algorithm="sha256").hexdigest()[:16]
    return f"page-cache/1/{site}/{kind}/{blake2b(of.encode(), digest_size=16).hexdigest()}"


def _known_query(scope: Mapping[str, Any]) -> bytes | None:
    """Return the query string with only the view's own parameters, sorted by name; None if it is not public."""
    try:
        known = getattr(resolve(scope["path"]).func, "public_query", None)
    except Resolver404:
        return None
    query: bytes = scope["query_string"]
    if known is None or not query or "*" in known:
        return None if known is None else query
    pairs = [one for one in parse_qsl(query.decode("latin-1"), keep_blank_values=True) if one[0] in known]
    return urlencode(sorted(pairs, key=lambda pair: pair[0])).encode()


def _choices_in(cookies: str) -> Mapping[str, str] | None:
    """Return the visitor's choices by cookie name; None if another cookie, another value or a duplicate is sent."""
    may_be = {settings.LANGUAGE_COOKIE_NAME: dict(settings.LANGUAGES), **_choices}
    chosen: dict[str, str] = {}
    for cookie in cookies.split(";"):
        name, _equals, value = cookie.strip().partition("=")
        if name in chosen or (name != settings.CSRF_COOKIE_NAME and value not in may_be.get(name, ())):
            return None
        chosen[name] = value
    return chosen


def _all(headers: Iterable[Header], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]
