"""The projector screen of the whole site."""

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.arena.pages import assert_clean_page
from tests.bots.factories import BotVersionFactory
from tests.leagues.factories import open_league
from tests.matches.factories import FinishedMatchFactory
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.models import Publication

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    for one in caches.all():
        one.clear()


def test_an_empty_site_has_a_screen_too(client: Client) -> None:
    response = client.get(reverse("screen"))
    assert_clean_page(response)
    assert 'data-view="soon"' in response.content.decode()


def test_it_shows_boards_tournaments_and_ladders_but_no_results_and_no_drafts(client: Client) -> None:
    FinishedMatchFactory(seats=[BotVersionFactory(), BotVersionFactory()])
    running = running_tournament(4, format="swiss", rounds=2, publication=Publication.HIDDEN)
    draft = TournamentFactory(state="draft", name="Secret Draft")
    league = open_league(bots=3)
    client.force_login(draft.organiser)
    response = client.get(reverse("screen"))
    assert_clean_page(response)
    html = response.content.decode()
    assert 'data-view="boards"' in html
    assert "seat-name first" not in html
    assert running.name in html
    assert league.name in html
    assert draft.name not in html
