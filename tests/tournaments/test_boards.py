"""All tables of a round at a glance."""

import re

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from matches.models import Match, MatchLog, MatchState
from tests.arena.pages import assert_clean_page
from tests.matches.factories import leased
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments.models import Publication, Round, Tournament
from web.topics import topic_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def address(cup: Tournament, name: str = "boards") -> str:
    return reverse(f"tournaments:{name}", args=[cup.slug, 1])


def play(match: Match) -> None:
    """Begin it, with a game that has just been started."""
    leased(match)
    MatchLog.objects.create(match=match, attempt=1, game=0, seed=bytes(16))


def test_every_table_stands_in_its_place_whatever_its_match_does(client: Client) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    play(Match.objects.filter(fixture__round__tournament=cup, fixture__table=3).get())
    response = client.get(address(cup))
    assert_clean_page(response)
    html = response.content.decode()
    assert re.findall(r'<li id="table-(\d+)" data-live>', html) == ["1", "2", "3", "4"]
    assert html.count("<svg xmlns") == 4
    assert html.count("live-badge") == 1
    assert f'topic="{topic_ticket(f"tournament.{cup.pk}")}"' in html


def test_a_table_that_is_over_shows_its_ranking_instead_of_an_empty_board(client: Client) -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    finish_matches(cup, most=1)
    html = client.get(address(cup)).content.decode()
    assert html.count("<svg xmlns") == 2
    [podium] = re.findall(r'<span class="table-podium">(.*?)<span class="mini-caption">', html, re.DOTALL)
    match = Match.objects.get(fixture__round__tournament=cup, state=MatchState.FINISHED)
    ranked = [seat.version.bot.name for seat in match.seats.order_by("-score")]
    assert re.findall(r'class="name">(.*?)<', podium) == ranked


def test_the_cells_that_are_fetched_fit_into_the_page(client: Client) -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    html, cells = (client.get(address(cup, name)).content.decode() for name in ("boards", "boards-cells"))
    html, cells = (" ".join(text.split()) for text in (html, cells))
    parts = set(re.findall(r'id="([\w-]+)" data-live', cells))
    assert parts == {"premiere", "table-1", "table-2", "table-3"}
    assert "<html" not in cells
    assert all(f'id="{part}" data-live' in html for part in parts)


def test_a_round_that_waits_or_is_hidden_is_not_shown(client: Client) -> None:
    cup = running_tournament(6, format="swiss", rounds=2)
    Tournament.objects.filter(pk=cup.pk).update(has_round_review=True)
    Round.objects.filter(tournament=cup).update(started_at=None)
    assert client.get(address(cup)).status_code == 404
    Tournament.objects.filter(pk=cup.pk).update(has_round_review=False, publication=Publication.HIDDEN)
    assert client.get(address(cup)).status_code == 403
    assert client.get(reverse("tournaments:boards", args=[cup.slug, 9])).status_code == 403


def test_it_takes_as_many_queries_for_many_tables_as_for_few(client: Client) -> None:
    counts = []
    for entries in (4, 12):
        cup = running_tournament(entries, format="swiss", rounds=2)
        for match in Match.objects.filter(fixture__round__tournament=cup, state=MatchState.QUEUED)[:2]:
            play(match)
        with CaptureQueriesContext(connection) as queries:
            client.get(address(cup))
        rows = [one["sql"] for one in queries.captured_queries if "workerpresence" not in one["sql"]]  # the footer's
        counts.append(len(rows))
    assert counts[0] == counts[1] <= 13
