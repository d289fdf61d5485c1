"""Breached passwords, with a substitute for the service on the internet."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha1
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from arena.accounts.models import User
from tests.arena.pages import assert_clean_page

KNOWN = "worms-from-a-breach"
UNKNOWN = "worms-of-my-own-42"
DIGEST = sha1(KNOWN.encode()).hexdigest().upper()


@contextmanager
def service(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[tuple[str, list[str]]]:
    """Yield the address of the service and the requests that it got."""
    requests: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            requests.append(f"{self.path} {self.headers}")
            answer(self)

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/range/", requests
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def respond_with(body: str, status: int = 200) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body.encode())))
        handler.end_headers()
        handler.wfile.write(body.encode())

    return answer


@pytest.fixture
def use_service(settings: Any) -> Callable[[str], None]:
    """Have new passwords looked up at an address, as ``BREACHED_PASSWORDS_URL`` does."""

    def use(address: str) -> None:
        settings.BREACHED_PASSWORDS_URL = address
        settings.AUTH_PASSWORD_VALIDATORS = [
            *settings.AUTH_PASSWORD_VALIDATORS,
            {"NAME": "arena.accounts.breached.BreachedPasswordValidator"},
        ]

    return use


def test_a_known_password_is_refused_and_the_service_gets_five_digits(use_service: Callable[[str], None]) -> None:
    with service(respond_with(f"{DIGEST[5:]}:3\r\n{'0' * 35}:0\r\n")) as (address, requests):
        use_service(address)
        with pytest.raises(ValidationError, match="lists of stolen passwords"):
            validate_password(KNOWN)
        validate_password(UNKNOWN)
    assert requests[0].startswith(f"/range/{DIGEST[:5]} ")
    assert not [one for one in requests if KNOWN in one or DIGEST[:6] in one]


def test_padding_is_no_breach(use_service: Callable[[str], None]) -> None:
    """Entries that a service adds to hide the length have a count of 0."""
    with service(respond_with(f"{DIGEST[5:]}:0\r\n")) as (address, _requests):
        use_service(address)
        validate_password(KNOWN)


@pytest.mark.parametrize("wrong", ["away", "silent", "broken", "nonsense"])
def test_without_an_answer_the_password_is_taken_and_the_log_says_so(
    wrong: str, use_service: Callable[[str], None], caplog: pytest.LogCaptureFixture
) -> None:
    ended = threading.Event()
    answers = {
        "away": respond_with(""),
        "silent": lambda _handler: bool(ended.wait(60)),
        "broken": respond_with("", 500),
        "nonsense": respond_with("<html>\nit works</html>"),
    }
    with service(answers[wrong]) as (address, _requests), caplog.at_level(logging.ERROR):
        use_service("http://127.0.0.1:1/range/" if wrong == "away" else address)
        try:
            validate_password(KNOWN)
            with pytest.raises(ValidationError, match="too common"):
                validate_password("password123")
        finally:
            ended.set()
    assert "Pwned Passwords" in caplog.text or "check password" in caplog.text
    assert KNOWN not in caplog.text
    assert DIGEST[:5] not in caplog.text


@pytest.mark.django_db
def test_the_form_to_sign_up_says_why(client: Client, use_service: Callable[[str], None]) -> None:
    typed = {"username": "henrietta", "email": "hen@example.org", "password1": KNOWN, "password2": KNOWN}
    with service(respond_with(f"{DIGEST[5:]}:3")) as (address, _requests):
        use_service(address)
        page = client.post(reverse("account_signup"), typed)
    assert_clean_page(page)
    assert "lists of stolen passwords" in page.content.decode()
    assert not User.objects.exists()


def test_no_service_is_requested_unless_the_settings_say_so(settings: Any) -> None:
    assert not [one for one in settings.AUTH_PASSWORD_VALIDATORS if "breached" in one["NAME"]]
