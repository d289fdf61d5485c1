"""The pages for when something is wrong: in our look, and each says what to do."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page

pytestmark = pytest.mark.django_db


def assert_error_page(answer: Any, status: int, advice: str) -> None:
    assert answer.status_code == status
    assert_clean_page(answer)
    assert advice in answer.content.decode()
    assert "Content-Security-Policy" in answer.headers


def test_a_missing_page_points_to_the_home_page(client: Client) -> None:
    assert_error_page(client.get("/nowhere/<script>"), 404, "start from the home page")


def test_a_forbidden_page_names_who_one_is(client: Client) -> None:
    client.force_login(UserFactory(username="henrietta"))
    assert_error_page(client.get("/admin/", follow=True), 403, "henrietta")


def test_a_refusal_with_a_reason_gives_no_advice_about_other_things(client: Client) -> None:
    client.force_login(UserFactory(username="henrietta"))
    answer = client.get("/groups/new/")
    assert_error_page(answer, 403, "Only organisers create groups.")
    assert "henrietta" in answer.content.decode()
    assert "author" not in answer.content.decode().split("<main")[1].split("</main>")[0]


def test_a_forged_form_is_refused_and_does_nothing() -> None:
    client = Client(enforce_csrf_checks=True)
    answer = client.post(reverse("account_login"), {"login": "x", "password": "y"})
    assert_error_page(answer, 403, "Nothing was changed")


@pytest.mark.parametrize("address", ["/tournaments/cup/publication/", "/tournaments/cup/luck/", "/theme/"])
def test_the_address_of_a_form_that_is_opened_as_a_page_points_back(client: Client, address: str) -> None:
    client.force_login(UserFactory())
    assert_error_page(client.get(address), 405, "Go back to the form")


def test_a_request_with_too_many_fields_is_refused(client: Client, settings: Any) -> None:
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    answer = client.post(reverse("account_login"), {f"field{n}": "" for n in range(9)})
    assert_error_page(answer, 400, "Go back")


def test_trying_too_often_is_answered_with_patience(client: Client, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login": "1/m/ip"}
    client.post(reverse("account_login"), {"login": "x", "password": "y"})
    answer = client.post(reverse("account_login"), {"login": "x", "password": "y"})
    assert_error_page(answer, 429, "wait")


def test_a_server_error_is_named_so_and_reveals_no_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("the secret recipe")

    monkeypatch.setattr("arena.site.views.home_tournaments", broken)
    answer = Client(raise_request_exception=False).get("/")
    assert_error_page(answer, 500, "Try again in a minute")
    assert "recipe" not in answer.content.decode()
