"""Shared by the tests of leagues: no broker, a season of three bots and one of its members."""

import pytest

from tests.leagues.factories import open_league, season_of, worker_up


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


@pytest.fixture
def season():
    worker_up()
    return season_of(open_league(bots=3))


@pytest.fixture
def member(season):
    return season.league.memberships.first()
