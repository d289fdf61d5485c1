"""Pages that anyone may open."""

import pytest
from django.test import Client

from tests.arena.pages import assert_clean_page

pytestmark = pytest.mark.django_db

@pytest.mark.parametrize("path", ["/", "/docs/bots/", "/docs/rules/pickomino/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/accounts/password/reset/done/", "/nowhere/"])
def test_every_public_page_is_clean(client: Client, path: str) -> None:
    assert_clean_page(client.get(path))
