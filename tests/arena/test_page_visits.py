"""Which requests are anonymous, and which of them share an answer."""

from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.utils.translation import get_language_from_request

from tests.arena.asgi import scope_of
from web.visits import Visit


def visit_of(*headers: tuple[str, str], **scope: Any) -> Any:
    sent = [(b"host", b"here"), *((name.encode(), value.encode()) for name, value in headers)]
    return Visit.of(scope_of("/watch/") | {"scheme": "http", "headers": sent} | scope)


@pytest.mark.parametrize(
    "cookie",
    [
        *("sessionid=x", "messages=x", "theme=dark; sessionid=x", "sessionid=", "unknown=1", "theme", "=dark", ";", ""),
        *("theme=neon", "theme=", 'theme="dark"', "theme=dark; theme=dark", "theme=dark; theme=light", "theme= dark"),
        *("django_language=xx", "django_language=DE", "results=hidden", "results=shown; results=", "Theme=dark"),
        *("csrftoken=a; csrftoken=b", "csrftoken=a; sessionid=b", "theme=dark;", "theme=dark, sessionid=x"),
    ],
)
def test_another_cookie_may_be_of_a_signed_in_visitor(cookie: str) -> None:
    assert visit_of(("cookie", cookie)) is None


def test_a_token_is_somebodys() -> None:
    assert visit_of(("authorization", "Token x")) is None
    assert visit_of(("authorization", "")) is None


def test_a_request_with_a_body_is_not_shared() -> None:
    """What follows the headers, trailers among it, is no part of the key."""
    assert visit_of(("transfer-encoding", "chunked")) is None
    assert visit_of(("content-length", "1")) is None
    assert visit_of(("content-length", "0"), ("content-length", "00")) is None
    assert visit_of(("content-length", "0")) == visit_of()


def test_cookies_that_come_apart_are_not_guessed_at() -> None:
    assert visit_of(("cookie", "theme=dark"), ("cookie", "sessionid=x")) is None
    assert visit_of(("cookie", "theme=dark"), ("cookie", "results=shown")) is None
    assert visit_of(("cookie", "theme=dark; results=shown")) == visit_of(("cookie", "results=shown;theme=dark"))


@pytest.mark.parametrize(
    "headers",
    [
        [("accept_language", "fr")],
        [("cookie", "theme=dark"), ("cookie", "results=shown")],
        [("cookie", "theme=dark,results=shown")],
        [("cookie", "theme=dark;results=shown")],
        [("cookie", " theme=dark ;  results=shown ")],
        [("cookie", "theme=dark; results=shown; csrftoken=;")],
        [("accept-language", "fr"), ("accept_language", "de")],
        [("cookie", "django_language=de, theme=dark")],
        [("cookie", 'theme="dark"; results=shown')],
    ],
)
def test_the_site_and_the_page_cache_read_a_request_alike(headers: list[tuple[str, str]]) -> None:
    found = visit_of(*headers)
    sent = [(name.encode(), value.encode()) for name, value in [("host", "here"), *headers]]
    request = ASGIRequest(scope_of("/watch/") | {"scheme": "http", "headers": sent}, BytesIO())
    chosen = {name: request.COOKIES[name] for name in ("theme", "results") if name in request.COOKIES}
    plain = [("accept-language", get_language_from_request(request))]
    plain += [("cookie", "; ".join(f"{name}={value}" for name, value in chosen.items()))] * bool(chosen)
    assert found is None or found.key == visit_of(*plain).key


def test_choices_have_different_keys() -> None:
    cookies = ("theme=dark", "theme=light", "results=shown", "django_language=de", "theme=dark; django_language=de")
    keys = [visit_of().key, *(visit_of(("cookie", cookie)).key for cookie in cookies)]
    assert len(set(keys)) == len(keys)


def test_a_language_has_the_key_of_the_language_that_the_site_uses() -> None:
    german = visit_of(("accept-language", "de")).key
    assert visit_of(("accept-language", "de-CH,de;q=0.9,en;q=0.8")).key == german
    assert visit_of(("cookie", "django_language=de")).key == german
    assert visit_of(("cookie", "django_language=de"), ("accept-language", "fr")).key == german
    assert visit_of(("accept-language", "fr")).key != german
    assert (
        visit_of(("accept-language", "xx, */*")).key
        == visit_of().key
        == visit_of(("accept-language", "en-GB")).key
        != german
    )


@pytest.mark.parametrize("cookie", ["", "django_language=it"])
@pytest.mark.parametrize("spoken", [["de,en"], ["de", "en"], ["fr;q=0.1", "en;q=0.9"], ["de-at"], ["*"], ["x" * 9000]])
def test_it_is_the_language_in_which_the_site_answers(cookie: str, spoken: list[str]) -> None:
    headers = [("cookie", cookie)] * bool(cookie) + [("accept-language", one) for one in spoken]
    sent = [(name.encode(), value.encode()) for name, value in headers]
    language = get_language_from_request(ASGIRequest(scope_of("/") | {"headers": sent}, BytesIO()))
    assert visit_of(*headers).key == visit_of(("accept-language", language)).key


def test_visitors_who_accept_compression_have_another_key() -> None:
    plain = visit_of(("accept-encoding", "br")).key
    assert plain == visit_of().key
    assert visit_of(("accept-encoding", "gzip, br")).key == visit_of(("accept-encoding", "deflate, gzip")).key != plain
    assert visit_of(("accept-encoding", "xgzipx")).key == plain


def test_a_visitor_with_a_csrf_token_reads_the_cache_and_does_not_fill_it() -> None:
    found = visit_of(("cookie", "csrftoken=x; theme=dark"))
    assert found.key == visit_of(("cookie", "theme=dark")).key
    assert not found.may_store
    assert visit_of(("cookie", "theme=dark")).may_store
