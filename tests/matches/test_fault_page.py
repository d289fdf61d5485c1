"""What a match's page shows of a fault, and to whom."""

import pytest
from django.test import Client
from django.urls import reverse

from matches.models import Fault
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory

pytestmark = pytest.mark.django_db


def test_the_author_alone_is_shown_the_view_and_how_to_play_it_at_home(client: Client) -> None:
    crasher = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory()])
    Fault.objects.update(view={"you": 0, "dice": "7 of hearts"})
    address = reverse("matches:detail", args=[match.pk])
    assert "peck.pyz replay" not in client.get(address).content.decode()
    client.force_login(match.seats.get(index=1).version.bot.owner)
    assert "7 of hearts" not in client.get(address).content.decode()
    client.force_login(crasher.bot.owner)
    response = client.get(address)
    assert_clean_page(response)
    page = response.content.decode()
    assert "peck.pyz replay view.json bot.py" in page
    assert 'href="data:application/json;charset=utf-8,%7B' in page
    assert "%22dice%22%3A%20%227%20of%20hearts%22" in page
