"""Who asks as a stranger, and by what of a request the answers to strangers differ.

A stranger sends no cookie, or none but the choices of a visitor: language, theme, whether results are shown. These are
few, and told apart as the site understands them: browsers write a language in hundreds of ways. Whoever sends anything
else may be somebody.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from types import SimpleNamespace
from typing import Any, Final, cast

from django.conf import settings
from django.http import HttpRequest
from django.middleware.gzip import re_accepts_gzip
from django.utils.translation import get_language_from_request

from arena.body_limit import Scope
from arena.site.context import COOKIE as THEME
from arena.site.context import THEMES
from matches.pages.results_choice import COOKIE as RESULTS
from matches.pages.results_choice import SHOWN

# Told apart as they are sent, each as often as it comes.
TOLD_APART: Final = frozenset(
    (
        *(b"host", b"x-forwarded-proto", b"x-forwarded-host", b"x-live-cells", b"x-live-have"),
        *(b"if-none-match", b"if-modified-since", b"range"),
    )
)
BODY: Final = frozenset((b"transfer-encoding", b"content-length"))  # a request that has one asks with it
UNDERSTOOD: Final = (b"cookie", b"authorization", b"accept-language", b"accept-encoding")
# What an answer may depend on. One that says in Vary that it depends on more is not everyone's.
VARY: Final = frozenset(name.decode() for name in (*UNDERSTOOD, *TOLD_APART))


@dataclass(frozen=True, slots=True)
class Stranger:
    """``key``: the same for those who are answered the same. ``leaves``: the answer to this request is everyone's. It
    is not where a form could have the visitor's own token; who sends that may be given what others left."""

    key: bytes
    leaves: bool


def stranger_of(scope: Scope) -> Stranger | None:
    """Return who asks; None for whoever may be somebody."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    sent = _all(headers, b"cookie")
    chosen = _choices(sent[0]) if sent else {}
    # Of several headers with cookies servers and Django make different things.
    if chosen is None or len(sent) > 1 or any(name == b"authorization" for name, _value in headers):
        return None
    if any(name in BODY and value != b"0" for name, value in headers):
        return None
    spoken = {"HTTP_ACCEPT_LANGUAGE": ",".join(_all(headers, b"accept-language"))}
    language = get_language_from_request(cast(HttpRequest, SimpleNamespace(COOKIES=chosen, META=spoken)))
    looks = language, chosen.get(THEME), chosen.get(RESULTS)
    is_short = bool(re_accepts_gzip.search(",".join(_all(headers, b"accept-encoding"))))
    as_sent = [one for one in headers if one[0] in TOLD_APART]
    words = scope["scheme"], scope["path"], scope["query_string"], looks, is_short, as_sent
    key = blake2b(repr(words).encode(), digest_size=16).digest()
    return Stranger(key, leaves=settings.CSRF_COOKIE_NAME not in chosen)


def _choices(cookies: str) -> Mapping[str, str] | None:
    """Return the visitor's choices by the names of their cookies; None if there is any other cookie, any other value,
    or one of them twice."""
    may_be: Mapping[str, Any] = {
        settings.LANGUAGE_COOKIE_NAME: dict(settings.LANGUAGES),
        THEME: THEMES,
        RESULTS: (SHOWN,),
    }
    chosen: dict[str, str] = {}
    for cookie in cookies.split(";"):
        name, _equals, value = cookie.strip().partition("=")
        if name in chosen or (name != settings.CSRF_COOKIE_NAME and value not in may_be.get(name, ())):
            return None
        chosen[name] = value
    return chosen


def _all(headers: Iterable[tuple[bytes, bytes]], wanted: bytes) -> list[str]:
    return [value.decode("latin-1") for name, value in headers if name == wanted]
