"""Lists of the API that grow while they are read: no row comes twice, and none never."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.factories import BotFactory
from tests.bots.test_permissions import token_of
from tests.tournaments.factories import TournamentFactory

pytestmark = pytest.mark.django_db

LISTS: dict[str, Callable[[Any], Any]] = {
    "api-tournaments:list": lambda _author: TournamentFactory(),
    "api:bots": lambda author: BotFactory(owner=author),
}


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("signed_in", [True, False])
def test_new_rows_do_not_move_others_to_another_page(name: str, signed_in: bool, client: Client) -> None:
    author, make = UserFactory(), LISTS[name]
    headers = {"authorization": f"Token {token_of(author)}"} if signed_in else {}
    if name == "api:bots" and not signed_in:
        assert client.get(reverse(name)).status_code == 401
        return
    there = [make(author).slug for _ in range(5)]
    found, following = [], reverse(name) + "?page_size=2"
    while following:
        answer = as_described(client.get(following, headers=headers)).json()
        assert "count" not in answer
        found += [one["slug"] for one in answer["results"]]
        make(author)
        caches["default"].clear()
        following = answer["next"]
    assert found == there[::-1]


@pytest.mark.parametrize("name", LISTS)
def test_a_cursor_that_was_made_up_is_not_found_and_numbers_of_pages_are_refused(name: str, client: Client) -> None:
    headers = {"authorization": f"Token {token_of(UserFactory())}"}
    made_up = client.get(reverse(name), {"cursor": "x"}, headers=headers)
    assert (made_up.status_code, made_up.json()["field"]) == (404, "cursor")
    numbered = client.get(reverse(name), {"page": 2}, headers=headers)
    assert (numbered.status_code, numbered.json()["field"]) == (400, "page")
