"""Against whom and from where a bot does well."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bots.models import BotVersion
from matches.bot_history.head_to_head import Tally, head_to_head
from matches.models import Audience, Match, Seat
from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import BRISK, FinishedMatchFactory

pytestmark = pytest.mark.django_db


def bot(name: str) -> BotVersion:
    version: BotVersion = BotVersionFactory(bot__name=name, source=BRISK)
    return version


def played(*scores: tuple[BotVersion, float], forfeits: int = -1) -> Match:
    match: Any = FinishedMatchFactory(seats=[version for version, _ in scores])
    for index, (_, score) in enumerate(scores):
        Seat.objects.filter(match=match, index=index).update(score=score, has_forfeited=index == forfeits)
    return match


def test_matches_are_counted_against_each_bot() -> None:
    hen, crow, owl = bot("Hen"), bot("Crow"), bot("Owl")
    played((hen, 2), (crow, 0))
    played((crow, 1), (hen, 1))
    played((owl, 0), (hen, 2), forfeits=1)
    record = head_to_head(hen.bot)
    assert [(one.name, one.tally) for one in record.rivals] == [("Crow", Tally(1, 1, 0)), ("Owl", Tally(0, 0, 1))]
    assert record.rivals[0].tally.share == 0.75
    assert record.recent == Tally(1, 1, 1)


def test_recent_form_covers_only_the_last_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("matches.bot_history.head_to_head.RECENT", 2)
    hen, crow, owl = bot("Hen"), bot("Crow"), bot("Owl")
    played((hen, 0), (crow, 2))
    played((hen, 1), (crow, 1))
    played((hen, 2), (crow, 1), (owl, 0))
    assert head_to_head(hen.bot).recent == Tally(1, 1, 0)


def test_its_best_game_is_the_one_with_most_points_of_its_own() -> None:
    hen, crow = bot("Hen"), bot("Crow")
    match = played((crow, 0), (hen, 2))
    best = head_to_head(hen.bot).best
    games = list(match.games.all())
    assert best is not None
    assert best.match == match.pk
    assert games[best.game - 1].points[1] == best.points == max(game.points[1] for game in games)


def test_what_not_everyone_may_see_is_not_counted() -> None:
    hen = bot("Hen")
    played((hen, 2), (bot("Crow"), 0))
    Match.objects.update(audience=Audience.AUTHORS)
    assert head_to_head(hen.bot).rivals == ()
    assert head_to_head(hen.bot).best is None


def test_the_page_shows_it_with_as_many_queries_for_many_as_for_few(client: Client) -> None:
    hen = bot("<b>Hen")
    counts = []
    for number in range(3):
        played((hen, 2), (bot(f"<i>{number}"), 0))
        with CaptureQueriesContext(connection) as queries:
            response = client.get(reverse("bots:detail", args=[hen.bot.slug]))
        counts.append(len(queries))
    assert_clean_page(response)
    html = response.content.decode()
    assert "Head to head" in html
    assert "<i>" not in html
    assert "Its best game" in html
    assert counts[-1] <= counts[0] <= 18  # the first fills the cache of what it has won
