"""The matches that a bot lost: a filter of its page, of the API and of ``peck results``."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from bots.models import Bot
from matches.models import Match, Seat
from peck.__main__ import main
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import BRISK, FinishedMatchFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot() -> Bot:
    """With a match that it lost, one that was level, and one at a table of three that it won."""
    mine = BotVersionFactory.create(source=BRISK)
    for share, others in ((0.4, 1), (0.5, 1), (0.9, 2)):
        match = FinishedMatchFactory.create(seats=[mine, *BotVersionFactory.create_batch(others, source=BRISK)])
        seat = match.seats.get(index=0)
        Seat.objects.filter(pk=seat.pk).update(score=share * len(seat.places))
    return mine.bot


def matches(client: Client, bot: Bot, **query: Any) -> list[int]:
    answer = client.get(reverse("api:results", args=[bot.slug]), query).json()
    page = client.get(reverse("bots:detail", args=[bot.slug]), query)
    shown = [row.match for row in page.context["rows"]]
    assert shown == [one["match"] for one in answer["results"]]
    assert page.context["page_obj"].paginator.count == len(shown)
    return shown


def test_only_those_with_less_than_half_of_the_opponents_beaten_are_listed(client: Client, bot: Bot) -> None:
    lost, level, won = Match.objects.order_by("pk").values_list("pk", flat=True)
    assert matches(client, bot) == [won, level, lost]
    assert matches(client, bot, lost="true") == [lost]


def test_peck_lists_them(live_server: Any, bot: Bot, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("PECK_SITE", live_server.url)
    lost = Match.objects.earliest("pk")
    assert main(["results", bot.slug, "--lost"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith(f"match {lost.pk}: ")
