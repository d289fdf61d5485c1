"""An author renames a bot and fetches a version's file over the API; nobody else does."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from arena.accounts.tokens import token_create
from bots.models import Bot, BotPackage, BotVersion
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> BotVersion:
    cache.clear()
    return BotVersionFactory()


def client_of(person: Any) -> Client:
    return Client(headers={"authorization": f"Token {token_of(person)}"})


def change(client: Client, bot: Bot, **sent: Any) -> Any:
    return as_described(client.patch(f"/api/bots/{bot.slug}/", sent, content_type="application/json"))


def test_a_bot_is_renamed_and_keeps_its_address(version: BotVersion) -> None:
    bot, mine = version.bot, client_of(version.bot.owner)
    answer = change(mine, bot, name="Sir Pecksalot", blurb="Steals.")
    assert answer.status_code == 200
    assert answer.json()["slug"] == bot.slug
    assert change(mine, bot, blurb="Steals often.").json()["name"] == "Sir Pecksalot"
    bot.refresh_from_db()
    assert (bot.name, bot.blurb) == ("Sir Pecksalot", "Steals often.")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        *(({"name": ""}, 400), ({"name": "a\u202eb"}, 400), ({"name": "x" * 41}, 400), ({"blurb": "x" * 141}, 400)),
        ({"name": "Taken"}, 409),
    ],
)
def test_a_bad_or_taken_name_changes_nothing(version: BotVersion, sent: dict[str, str], status: int) -> None:
    bot = version.bot
    BotVersionFactory(bot__owner=bot.owner, bot__name="Taken")
    before = (bot.name, bot.blurb)
    answer = change(client_of(bot.owner), bot, **sent)
    assert answer.status_code == status
    bot.refresh_from_db()
    assert (bot.name, bot.blurb) == before


def test_a_bots_game_and_address_are_no_fields_to_change(version: BotVersion) -> None:
    bot = version.bot
    change(client_of(bot.owner), bot, game="laghetti", slug="other", name="New")
    bot.refresh_from_db()
    assert (bot.game, bot.name) == ("pickomino", "New")
    assert bot.slug != "other"


def test_the_author_gets_the_very_file_and_nobody_else_does(version: BotVersion, client: Client) -> None:
    path = f"/api/bots/{version.bot.slug}/versions/{version.number}/source/"
    answer = client_of(version.bot.owner).get(path)
    assert answer.status_code == 200
    assert answer.content == bytes(version.package.content)
    assert answer["Content-Disposition"].startswith("attachment")
    assert "no-store" in answer["Cache-Control"]
    assert client.get(path).status_code == 401
    for other in (UserFactory(), UserFactory(is_staff=True, is_superuser=True)):
        assert client_of(other).get(path).status_code == 404
        assert change(client_of(other), version.bot, name="Mine").status_code == 404


def test_a_file_that_is_no_longer_stored_is_not_found(version: BotVersion) -> None:
    BotPackage.objects.all().delete()
    BotVersion.objects.update(kept=0)
    path = f"/api/bots/{version.bot.slug}/versions/{version.number}/source/"
    assert client_of(version.bot.owner).get(path).status_code == 404


def test_renaming_needs_the_scope(version: BotVersion) -> None:
    reader = token_create(owner=version.bot.owner, name="r", scopes=["hooks", "organise"])
    client = Client(headers={"authorization": f"Token {reader}"})
    assert change(client, version.bot, name="New").json()["code"] == "scope"
