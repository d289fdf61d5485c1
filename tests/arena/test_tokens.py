"""Personal tokens: each person's own, shown once."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from arena.accounts.models import AccessToken
from arena.accounts.tokens import MOST, token_create
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page

pytestmark = pytest.mark.django_db


def tokens_page(client: Client) -> str:
    page = client.get(reverse("accounts:tokens"))
    assert_clean_page(page)
    return page.content.decode()


def revoke(client: Client, key: str) -> Any:
    return client.post(reverse("accounts:token-revoke", args=[key]))


def may_use_the_api(secret: str) -> bool:
    answer = Client().get(reverse("api:bots"), headers={"authorization": f"Token {secret}"})
    assert answer.status_code in (200, 401)
    return answer.status_code == 200


def test_a_new_token_is_shown_once_and_opens_the_api_until_it_is_revoked(client: Client) -> None:
    client.force_login(UserFactory())
    page = client.post(reverse("accounts:tokens"), {"name": "barn computer"})
    assert_clean_page(page)
    assert "no-store" in page.headers["Cache-Control"]
    secret = page.context["secret"]
    assert secret.startswith("peck_")
    assert secret in page.content.decode()
    token = AccessToken.objects.get()
    assert secret not in str(vars(token))
    shown = tokens_page(client)
    assert secret not in shown
    assert "barn computer" in shown
    assert token.token_key in shown
    assert may_use_the_api(secret)

    assert revoke(client, token.token_key).headers["Location"] == reverse("accounts:tokens")
    assert not may_use_the_api(secret)
    assert "barn computer" not in tokens_page(client)


def test_another_person_neither_sees_nor_revokes_it(client: Client) -> None:
    secret = token_create(owner=UserFactory(), name="coop")
    key = AccessToken.objects.get().token_key
    client.force_login(UserFactory(is_staff=True))
    assert "coop" not in tokens_page(client)
    assert revoke(client, key).status_code == 404
    assert may_use_the_api(secret)


def test_a_stranger_is_asked_to_sign_in(client: Client) -> None:
    token_create(owner=UserFactory(), name="coop")
    key = AccessToken.objects.get().token_key
    for answer in (
        client.get(reverse("accounts:tokens")),
        client.post(reverse("accounts:tokens"), {"name": "laptop"}),
        revoke(client, key),
    ):
        assert answer.headers["Location"].startswith(reverse("account_login"))
    assert AccessToken.objects.count() == 1


def test_a_link_alone_revokes_nothing(client: Client) -> None:
    owner = UserFactory()
    token_create(owner=owner, name="coop")
    client.force_login(owner)
    assert client.get(reverse("accounts:token-revoke", args=[AccessToken.objects.get().token_key])).status_code == 405


@pytest.mark.parametrize("name", ["", "   ", "n" * 61])
def test_a_token_without_a_sensible_name_is_not_made(client: Client, name: str) -> None:
    client.force_login(UserFactory())
    page = client.post(reverse("accounts:tokens"), {"name": name})
    assert_clean_page(page)
    assert 'id="id_name_error"' in page.content.decode()
    assert f'value="{name}"' in page.content.decode() or not name
    assert not AccessToken.objects.exists()


def test_there_is_an_end_to_tokens(client: Client) -> None:
    owner = UserFactory()
    for number in range(MOST):
        token_create(owner=owner, name=str(number))
    client.force_login(owner)
    page = client.post(reverse("accounts:tokens"), {"name": "one more"})
    assert "Revoke one that you no longer use" in page.content.decode()
    assert AccessToken.objects.count() == MOST
