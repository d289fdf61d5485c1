"""The page for a projector: the ladder of a league and its latest matches."""

import random
from collections import defaultdict

import pytest
from django.test import Client
from django.urls import reverse

from leagues.services import season_refit, season_schedule
from tests.arena.pages import assert_clean_page
from tests.leagues.factories import LeagueFactory, open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def test_it_shows_the_ladder_and_the_latest_matches_and_follows_its_league(client: Client) -> None:
    league = open_league(bots=4)
    season = season_of(league)
    worker_up()
    address = reverse("leagues:screen", args=[league.slug])
    assert "No match has been played yet." in client.get(address).content.decode()
    for _ in range(3):
        season_schedule(season_id=season.pk)
        play(season, defaultdict(float), random.Random(1))
        season_refit(season_id=season.pk)
    response = client.get(address)
    assert_clean_page(response)
    html = response.content.decode()
    assert f'data-shared topic="league.{league.pk}:' in html
    assert 'data-view="matches"' in html
    assert 'class="screen-table over"' in html
    assert "seat-name first" in html
    rail = html.partition('class="screen-top"')[2]
    assert all(one.bot.name in rail for one in league.memberships.select_related("bot"))
    assert address in client.get(reverse("leagues:detail", args=[league.slug])).content.decode()


def test_a_draft_is_on_no_screen_but_its_organisers(client: Client) -> None:
    league = LeagueFactory(state="draft")
    address = reverse("leagues:screen", args=[league.slug])
    assert client.get(address).status_code == 404
    client.force_login(league.organiser)
    assert "Starting soon" in client.get(address).content.decode()
