"""Who is taken for a stranger, and which strangers are answered alike."""

from io import BytesIO
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.utils.translation import get_language_from_request

from tests.arena.asgi import scope_of
from web.visits import Visit


def asked(*headers: tuple[str, str], **scope: Any) -> Any:
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
def test_whoever_sends_any_other_cookie_may_be_somebody(cookie: str) -> None:
    assert asked(("cookie", cookie)) is None


def test_a_token_is_somebodys() -> None:
    assert asked(("authorization", "Token x")) is None
    assert asked(("authorization", "")) is None


def test_who_asks_with_a_body_is_answered_by_what_it_says() -> None:
    """What follows the headers, trailers among it, is no part of the key."""
    assert asked(("transfer-encoding", "chunked")) is None
    assert asked(("content-length", "1")) is None
    assert asked(("content-length", "0"), ("content-length", "00")) is None
    assert asked(("content-length", "0")) == asked()


def test_cookies_that_come_apart_are_not_guessed_at() -> None:
    assert asked(("cookie", "theme=dark"), ("cookie", "sessionid=x")) is None
    assert asked(("cookie", "theme=dark"), ("cookie", "results=shown")) is None
    assert asked(("cookie", "theme=dark; results=shown")) == asked(("cookie", "results=shown;theme=dark"))


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
def test_the_site_understands_a_request_as_whoever_keeps_its_answer(headers: list[tuple[str, str]]) -> None:
    found = asked(*headers)
    sent = [(name.encode(), value.encode()) for name, value in [("host", "here"), *headers]]
    request = ASGIRequest(scope_of("/watch/") | {"scheme": "http", "headers": sent}, BytesIO())
    chosen = {name: request.COOKIES[name] for name in ("theme", "results") if name in request.COOKIES}
    plain = [("accept-language", get_language_from_request(request))]
    plain += [("cookie", "; ".join(f"{name}={value}" for name, value in chosen.items()))] * bool(chosen)
    assert found is None or found.key == asked(*plain).key


def test_choices_are_told_apart() -> None:
    cookies = ("theme=dark", "theme=light", "results=shown", "django_language=de", "theme=dark; django_language=de")
    keys = [asked().key, *(asked(("cookie", cookie)).key for cookie in cookies)]
    assert len(set(keys)) == len(keys)


def test_a_language_is_told_apart_as_the_site_understands_it() -> None:
    german = asked(("accept-language", "de")).key
    assert asked(("accept-language", "de-CH,de;q=0.9,en;q=0.8")).key == german
    assert asked(("cookie", "django_language=de")).key == german
    assert asked(("cookie", "django_language=de"), ("accept-language", "fr")).key == german
    assert asked(("accept-language", "fr")).key != german
    assert asked(("accept-language", "xx, */*")).key == asked().key == asked(("accept-language", "en-GB")).key != german


@pytest.mark.parametrize("cookie", ["", "django_language=it"])
@pytest.mark.parametrize("spoken", [["de,en"], ["de", "en"], ["fr;q=0.1", "en;q=0.9"], ["de-at"], ["*"], ["x" * 9000]])
def test_it_is_the_language_in_which_the_site_answers(cookie: str, spoken: list[str]) -> None:
    headers = [("cookie", cookie)] * bool(cookie) + [("accept-language", one) for one in spoken]
    sent = [(name.encode(), value.encode()) for name, value in headers]
    language = get_language_from_request(ASGIRequest(scope_of("/") | {"headers": sent}, BytesIO()))
    assert asked(*headers).key == asked(("accept-language", language)).key


def test_who_reads_compressed_answers_is_told_apart_from_who_does_not() -> None:
    plain = asked(("accept-encoding", "br")).key
    assert plain == asked().key
    assert asked(("accept-encoding", "gzip, br")).key == asked(("accept-encoding", "deflate, gzip")).key != plain
    assert asked(("accept-encoding", "xgzipx")).key == plain


def test_who_has_a_token_for_forms_is_given_what_others_left_and_leaves_nothing() -> None:
    found = asked(("cookie", "csrftoken=x; theme=dark"))
    assert found.key == asked(("cookie", "theme=dark")).key
    assert not found.may_store
    assert asked(("cookie", "theme=dark")).may_store
