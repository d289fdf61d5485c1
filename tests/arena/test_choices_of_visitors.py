"""Language, theme and whether results are shown: forms without a token, which no other site can send."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from matches.pages.choices import SHOWN
from tests.arena.factories import UserFactory

pytestmark = pytest.mark.django_db
CHOICES = {"set_language": {"language": "de"}, "theme": {"theme": "dark"}, "matches:results": {"results": SHOWN}}
COOKIES = {"set_language": ("django_language", "de"), "theme": ("theme", "dark"), "matches:results": ("results", SHOWN)}
HERE = "http://testserver"
ELSEWHERE = (
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site", "origin": HERE},
    {"sec-fetch-site": "", "origin": HERE},
    {"origin": "https://evil.example"},
    {"origin": "http://testserver.evil.example"},
    {"origin": "null"},
    {"origin": "http://[broken"},
    {"origin": "https://evil.example", "referer": f"{HERE}/"},
    {"referer": f"https://evil.example/?{HERE}/"},
    {"referer": "http://testserver@evil.example/"},
)
OWN: tuple[dict[str, str], ...] = (
    {},  # a program
    {"sec-fetch-site": "same-origin", "origin": HERE},
    {"sec-fetch-site": "same-origin", "origin": "null"},  # of a page that tells nobody where it is
    {"origin": HERE},
    {"referer": f"{HERE}/watch/"},
)


def sent(client: Client, name: str, headers: dict[str, str]) -> Any:
    return client.post(reverse(name), CHOICES[name] | {"next": "/watch/"}, headers=headers)


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("headers", ELSEWHERE)
def test_a_choice_sent_by_another_site_is_refused(name: str, headers: dict[str, str]) -> None:
    answer = sent(Client(enforce_csrf_checks=True), name, headers)
    assert answer.status_code == 403
    assert not answer.cookies
    assert b"nothing was changed" in answer.content.lower()


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("headers", OWN)
def test_a_choice_sent_by_a_page_of_the_site_is_stored(name: str, headers: dict[str, str]) -> None:
    answer = sent(Client(enforce_csrf_checks=True), name, headers)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/watch/")
    cookie, value = COOKIES[name]
    assert {key: one.value for key, one in answer.cookies.items()} == {cookie: value}


@pytest.mark.parametrize("name", CHOICES)
def test_a_signed_in_user_chooses_without_a_token(name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(UserFactory())
    assert sent(client, name, {"origin": HERE}).status_code == 302
    assert sent(client, name, {"origin": "https://evil.example"}).status_code == 403


@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:alert(1)"])
def test_no_choice_sends_anyone_to_another_site(name: str, back: str) -> None:
    answer = Client().post(reverse(name), CHOICES[name] | {"next": back})
    assert answer.headers["Location"] == "/"


def test_another_port_of_this_machine_is_another_site() -> None:
    headers = {"host": "testserver:8000", "origin": "http://testserver:9000"}
    assert sent(Client(enforce_csrf_checks=True), "theme", headers).status_code == 403


def test_a_trusted_origin_may_send_choices(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://pecking.example"]
    assert sent(Client(enforce_csrf_checks=True), "theme", {"origin": "https://pecking.example"}).status_code == 302
