"""Pages that anyone may open: readable by everyone, and obedient to the content security policy."""

import json
import re

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from games.catalogue import GAMES
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page, complaints

pytestmark = pytest.mark.django_db

PUBLIC = [
    "/",
    "/docs/bots/",
    "/docs/rules/",
    *(f"/docs/rules/{name}/" for name in GAMES),
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/accounts/password/reset/done/",
    "/accounts/inactive/",
    "/accounts/confirm-email/",
    "/accounts/confirm-email/forged-key/",
    "/accounts/password/reset/key/1-forged-key/",
    "/matches/",
    "/tournaments/",
    "/nowhere/",
]
OWN = [
    "/accounts/tokens/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
    "/bots/",
    "/bots/new/",
]
POLICY = {
    "default-src": "'self'",
    "script-src": "'self'",
    "style-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
}


def policy_of(response: object) -> dict[str, str]:
    header: str = response.headers["Content-Security-Policy"]  # type: ignore[attr-defined]
    return dict(part.strip().split(" ", 1) for part in header.split(";"))  # type: ignore[misc]


@pytest.mark.parametrize("path", PUBLIC)
def test_every_public_page_is_clean_and_strict(client: Client, path: str) -> None:
    response = client.get(path)
    assert response.status_code == (404 if path == "/nowhere/" else 200)
    assert_clean_page(response)
    assert policy_of(response).items() >= POLICY.items()


@pytest.mark.parametrize("path", OWN)
def test_every_page_of_a_person_is_clean_and_requires_signing_in(client: Client, path: str) -> None:
    anonymous = client.get(path)
    assert (anonymous.status_code, anonymous.headers["Location"].partition("?")[0]) in (
        (302, reverse("account_login")),
        (302, "/"),  # signing out when nobody is signed in
    )
    client.force_login(UserFactory())
    response = client.get(path)
    assert response.status_code == 200
    assert_clean_page(response)
    assert policy_of(response).items() >= POLICY.items()


def test_the_checker_finds_violations() -> None:
    page = """<title>t</title><main><h1>h</h1><p style="color: red" onclick="x()" id="a"></p><b id="a"></b><img src="x">
    <script>alert(1)</script><a href="javascript:x()">x</a><input name="q"></main>"""
    found = " ".join(complaints(page))
    for fault in ("inline style", "handler onclick", "id 'a' 2 times", "inline script", "javascript:", "label", "alt"):
        assert fault in found
    assert complaints("<title>t</title><main><h1>h</h1><label>Q <input name=q></label></main>") == []
    assert complaints("<main></main>") == ["0 <title> instead of one", "0 <h1> instead of one"]


def test_the_rules_page_of_an_unknown_game_is_not_found(client: Client) -> None:
    assert client.get("/docs/rules/chess/").status_code == 404


def test_the_page_is_in_the_language_that_it_declares(client: Client) -> None:
    for wanted in ("en", "de", "tlh", "../../etc"):
        response = client.get("/", headers={"accept-language": wanted})
        spoken = response.headers["Content-Language"]
        assert f'<html lang="{spoken}"' in response.content.decode()
        assert "Accept-Language" in response.headers["Vary"]


def test_the_chosen_theme_is_in_the_page_before_any_script_runs(client: Client) -> None:
    assert "data-theme=" not in client.get("/").content.decode()
    response = client.post(reverse("theme"), {"theme": "dark", "next": "/docs/bots/"})
    assert response.headers["Location"] == "/docs/bots/"
    assert '<html lang="en" data-theme="dark">' in client.get("/").content.decode()
    client.post(reverse("theme"), {"theme": "system"})
    assert "data-theme=" not in client.get("/").content.decode()


@pytest.mark.parametrize("back", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "", "\x00"])
def test_the_theme_menu_never_sends_anyone_to_another_site(client: Client, back: str) -> None:
    assert client.post(reverse("theme"), {"theme": "light", "next": back}).headers["Location"] == "/"


@pytest.mark.parametrize("back", ["x", "-1", "a\r\nX-Evil: 1"])
def test_a_way_back_that_is_no_address_is_no_fault_of_ours(client: Client, back: str) -> None:
    answer = client.post(reverse("theme"), {"theme": "light", "next": back})
    assert answer.status_code == 302
    assert "X-Evil" not in answer.headers


@pytest.mark.parametrize("cookie", ["<script>", "neon", '"'])
def test_a_forged_theme_cookie_is_ignored(client: Client, cookie: str) -> None:
    client.cookies["theme"] = cookie
    assert "data-theme=" not in client.get("/").content.decode()


def test_the_api_pages_run_no_inline_script(client: Client) -> None:
    response = client.get(reverse("api-docs"))
    assert response.status_code == 200
    assert "unsafe-inline" not in policy_of(response)["script-src"]
    assert_clean_page(response)


def test_the_operations_of_the_api_can_be_read_without_a_script(client: Client) -> None:
    html = client.get(reverse("api-docs")).content.decode()
    assert "<code>GET /api/games/{name}/</code>" in html
    assert "<code>POST /api/bots/</code>" in html
    assert client.get(reverse("api-docs"), {"script": ""}).headers["Content-Type"].startswith("application/javascript")


def test_the_header_of_the_api_pages_knows_who_is_signed_in(client: Client) -> None:
    address, sign_in = reverse("api-docs"), f'href="{reverse("account_login")}'
    shared = client.get(address)
    assert sign_in in shared.content.decode()
    assert "public" in shared["Cache-Control"]
    user = UserFactory()
    client.force_login(user)
    own = client.get(address)
    assert sign_in not in own.content.decode()
    assert reverse("accounts:profile", args=[user.username]) in own.content.decode()
    assert "public" not in own.get("Cache-Control", "")
    client.logout()
    assert sign_in in client.get(address).content.decode()


def test_the_schema_is_served(client: Client) -> None:
    response = client.get(reverse("api-schema"), headers={"accept": "application/vnd.oai.openapi+json"})
    assert json.loads(response.content)["info"]["title"] == "Pecking Order API"


def test_the_primary_address_is_not_offered_to_be_made_primary(client: Client) -> None:
    user = UserFactory(email="one@example.org")
    EmailAddress.objects.create(user=user, email="one@example.org", primary=True, verified=True)
    EmailAddress.objects.create(user=user, email="two@example.org", verified=True)
    client.force_login(user)
    html = client.get(reverse("account_email")).content.decode()
    assert html.count('name="action_primary"') == html.count('name="action_remove"') == 1
    primary, other = re.findall(r'<form class="spread".*?</form>', html, re.DOTALL)
    assert 'value="one@example.org"' in primary
    assert "<button" not in primary
    assert 'value="two@example.org"' in other
