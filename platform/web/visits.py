"""Visitors: whether somebody looks at the site, because what nobody but a spectator needs may rest while there is
none; and who is anonymous, and by what of their requests public pages differ, which makes the keys of the page cache.

An anonymous visitor sends no cookie but the choices that a visitor may make, such as the theme, each with a value that
the site sets. Any other cookie may identify a person. Choices and languages are distinguished as the site understands
them: browsers write a language in hundreds of ways.
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
REMEMBERED: Final = 15 * 60  # seconds: so long after the last visitor the site is taken to be watched
NOTED_EVERY: Final = 60.0  # seconds, by each process
UNATTENDED: Final = frozenset({"/healthz", "/readyz", "/metrics"})  # asked by machines
_noted = -NOTED_EVERY  # by the monotonic clock of this process


def visit_note() -> None:
    """Note that somebody looks at the site now."""
    caches["optional"].set(KEY, True, REMEMBERED)


def is_visited() -> bool:
    """Tell whether somebody has visited the site within the last minutes."""
    return bool(caches["optional"].get(KEY))


def visit_note_in_background() -> None:
    """Note a visit from an event loop, which must not wait for the cache, once a minute."""
    global _noted
    now = time.monotonic()
    if now - _noted >= NOTED_EVERY:
        _noted = now
        asyncio.get_running_loop().run_in_executor(None, visit_note)


def visits_noted(app: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return the ASGI application ``app`` with its requests noted as visits."""

    async def noted(scope: Any, receive: Any, send: Any) -> Any:
        if scope["path"] not in UNATTENDED:
            visit_note_in_background()
        return await app(scope, receive, send)

    return noted


Header: TypeAlias = tuple[bytes, bytes]

ANY: Final = ("*",)  # every parameter counts: the view refuses those that it does not know
# By which request headers pages may differ. Those that are not parsed are part of the key as they were sent.
RAW: Final = frozenset((b"host", b"x-forwarded-proto", b"x-forwarded-host", b"x-live-cells", b"range"))
PARSED: Final = frozenset((b"cookie", b"authorization", b"accept-language", b"accept-encoding"))
BODY: Final = frozenset((b"transfer-encoding", b"content-length"))

_choices: dict[str, tuple[str, ...]] = {}  # the values of each cookie that holds a choice of visitors


def visitor_choice_register(cookie: str, values: Iterable[str]) -> None:
    """Let pages be cached by the value of a cookie that holds a choice of visitors. Rooms call this when they start."""
    _choices[cookie] = tuple(values)


@dataclass(frozen=True, slots=True)
class Visit:
    """A request of an anonymous visitor to a public view. ``key``: equal for those who get the same page. ``query``:
    without the parameters that the view does not know. ``may_store``: the response is everybody's; a visitor with a
    token for forms only reads."""

    key: str
    path: str
    query: bytes
    may_store: bool
    if_none_match: str

    @property
    def topic_key(self) -> str:
        return _key("topic", self.path)

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Visit | None":
        """Return the visit; None for a request of somebody, with a body, or to a view that is not public."""
        headers: Iterable[Header] = scope["headers"]
        cookies = _all(headers, b"cookie")
        chosen = _choices_in(cookies[0]) if cookies else {}
        # Of several headers with cookies servers and Django make different things.
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
        return cls(key, scope["path"], query, may_store, ",".join(_all(headers, b"if-none-match")))


def _key(kind: str, of: str) -> str:
    """Return a key of this site: several may share a server. Django's cache adds the prefix of the release."""
    site = salted_hmac(__name__, "site", algorithm="sha256").hexdigest()[:16]
    return f"page-cache/1/{site}/{kind}/{blake2b(of.encode(), digest_size=16).hexdigest()}"


def _known_query(scope: Mapping[str, Any]) -> bytes | None:
    """Return the query with the parameters that the view knows, sorted by name; None where the view is not public."""
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
    """Return the visitor's choices by the names of their cookies; None if there is any other cookie, any other value,
    or one of them twice."""
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
