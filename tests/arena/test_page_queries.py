"""What long pages leave out, and what a token reads; their queries are in ``test_query_budgets``."""

from typing import Any

import pytest
from django import forms
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from tests.bots.factories import BotVersionFactory
from tests.bots.test_permissions import token_of
from tests.matches.factories import FinishedMatchFactory
from web.long_select import LongSelect

pytestmark = pytest.mark.django_db

PRINTS = b"def act(view):\n    print('hm')\n    return view['actions'][-1]\n"


@pytest.fixture(autouse=True)
def _moments(monkeypatch: pytest.MonkeyPatch) -> None:
    """What everyone sees alike is made once in a moment: here it is long, as for a reader among many."""
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 600)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    for one in caches.all():
        one.clear()


def queries(person: User | None, address: str, **headers: str) -> int:
    """Return how many queries the page takes at its second request."""
    client = Client()
    if person is not None and not headers:
        client.force_login(person)
    assert client.get(address, headers=headers).status_code == 200
    with CaptureQueriesContext(connection) as queries:
        client.get(address, headers=headers)
    return len(queries)


def test_output_of_a_bot_is_cut_for_many_games_and_whole_for_one() -> None:
    bot = BotVersionFactory(source=PRINTS)
    address = reverse("bots:output", args=[bot.bot.slug])
    for _ in range(2):
        match = FinishedMatchFactory(seats=[bot, BotVersionFactory()])
    client = Client()
    client.force_login(bot.bot.owner)
    one = f"?match={match.pk}&game=1"
    shown, whole = client.get(address).content.decode(), client.get(address + one).content.decode()
    assert one.replace("&", "&amp;") in shown
    assert shown.count("<code>") == 4 * 40 < 4 * whole.count("<code>")
    assert "game=2" not in whole


def test_a_token_reads_no_other_tokens_of_its_person() -> None:
    version = BotVersionFactory()
    address, token = reverse("api:bot", args=[version.bot.slug]), token_of(version.bot.owner)
    before = queries(None, address, authorization=f"Token {token}")
    token_of(version.bot.owner)
    with CaptureQueriesContext(connection) as executed:
        Client().get(address, headers={"authorization": f"Token {token}"})
    assert len(executed) == before
    assert sum("accounts_accesstoken" in one["sql"] for one in executed.captured_queries) == 1


@pytest.mark.parametrize("value", [None, "", 2, "<b>"])
def test_a_long_list_to_choose_from_is_drawn_as_any_other(value: Any) -> None:
    choices = [("", "all"), (1, "one & only"), (2, '"two"'), ("<b>", "<script>")]
    long, usual = (
        one(choices=choices).render("bot", value, {"id": "id_bot", "required": True})
        for one in (LongSelect, forms.Select)
    )
    assert "".join(line.strip() for line in usual.splitlines()) == long
