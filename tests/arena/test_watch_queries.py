"""The watch page is rendered with twelve queries, whatever it shows."""

import random
from collections import defaultdict
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from arena.accounts.models import User
from leagues.services import season_refit, season_schedule
from matches.models import Match, MatchState
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.matches.airing.on_air import match_on_air
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.tournaments.factories import TournamentFactory, running_tournament
from tournaments.models import Round, TournamentState

pytestmark = pytest.mark.django_db

MOST = 12
ADDRESSES = (
    reverse("watch:all"),
    reverse("watch:all-cells"),
    reverse("watch:channel", args=["pickomino"]),
    reverse("watch:channel-cells", args=["pickomino"]),
)


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def _busy() -> None:
    """A ladder, matches that are over, being played, on air and to come, a tournament that is entered and one whose
    rounds wait."""
    season, rng, soon = season_of(open_league(bots=4)), random.Random(7), timezone.now() + timedelta(hours=1)
    worker_up()
    for _ in range(4):
        season_schedule(season_id=season.pk)
        play(season, defaultdict(float), rng)
        season_refit(season_id=season.pk)
    for _ in range(8):
        FinishedMatchFactory()
    MatchFactory(running=True)
    match_on_air(elapsed=10.0)
    TournamentFactory(state=TournamentState.OPEN, entries_close_at=soon, first_round_at=soon)
    waits = running_tournament(entries=3)
    Round.objects.filter(tournament=waits).update(started_at=None, starts_at=soon)
    Match.objects.filter(pk=MatchFactory().pk).update(premieres_at=soon)


def queries(person: User | None, address: str, *, cold: bool) -> int:
    client = Client()
    if person:
        client.force_login(person)
    assert client.get(address).status_code == 200
    if cold:
        caches["optional"].clear()
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


@pytest.mark.usefixtures("_busy")
@pytest.mark.parametrize("address", ADDRESSES)
def test_rendering_it_again_takes_twelve_queries(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 0)
    caches["optional"].clear()
    for person in (None, UserFactory(), UserFactory(is_staff=True)):
        assert 4 < queries(person, address, cold=False) <= MOST


@pytest.mark.usefixtures("_busy")
@pytest.mark.parametrize("address", ADDRESSES)
def test_with_an_empty_cache_it_takes_twelve_queries_or_thirteen_with_matches_on_air(
    address: str,
) -> None:
    people = (None, UserFactory(), UserFactory(is_staff=True))
    assert max(queries(person, address, cold=True) for person in people) <= MOST + 1
    Match.objects.filter(state=MatchState.ON_AIR).delete()
    assert max(queries(person, address, cold=True) for person in people) <= MOST


@pytest.mark.parametrize("address", ADDRESSES)
def test_of_a_match_that_is_being_played_nobody_need_know_since_when(address: str) -> None:
    begun, unknown = MatchFactory(running=True), MatchFactory(running=True)
    Match.objects.filter(pk=unknown.pk).update(started_at=None)
    page = Client().get(address)
    assert page.status_code == 200
    assert any(reverse("matches:detail", args=[one.pk]) in page.content.decode() for one in (begun, unknown))
