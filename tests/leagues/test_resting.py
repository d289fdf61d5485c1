"""A ladder on which only house bots play rests while nobody looks at the site, and wakes when somebody comes."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches

from bots.models import Bot
from leagues.models import Season
from leagues.services import leagues_tend, season_schedule
from tests.leagues.factories import member_of, worker_up
from web import visits
from web.visits import visit_is_recent, visit_note, visit_note_in_background, visits_noted

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_came(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(visits, "_noted", -visits.NOTED_EVERY)
    caches["optional"].clear()
    yield
    caches["optional"].clear()


@pytest.fixture
def house_season(season: Season) -> Season:
    """One that lacks matches, for many workers have come."""
    Bot.objects.update(is_house=True)
    worker_up("others@here", slots=6)
    return season


def test_a_ladder_of_house_bots_rests_until_somebody_comes(house_season: Season) -> None:
    assert season_schedule(season_id=house_season.pk) == 0
    visit_note()
    assert leagues_tend() > 0


def test_a_ladder_with_the_bot_of_an_author_plays_on(house_season: Season) -> None:
    member_of(house_season.league)
    assert leagues_tend() > 0


@pytest.mark.parametrize(
    ("path", "counts"),
    [("/", True), ("/matches/5/", True), ("/healthz", False), ("/readyz", False), ("/metrics", False)],
)
def test_requests_of_pages_count_as_visits_and_health_checks_do_not(path: str, counts: bool) -> None:
    async def answer(*_: Any) -> str:
        return "answered"

    async def call() -> Any:
        answered = await visits_noted(answer)({"path": path}, None, None)
        await asyncio.get_running_loop().shutdown_default_executor()
        return answered

    assert asyncio.run(call()) == "answered"
    assert visit_is_recent() is counts


def test_visits_are_written_down_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[float] = []
    now = [1000.0]

    class Clock:
        @staticmethod
        def monotonic() -> float:
            return now[0]

    monkeypatch.setattr(visits, "time", Clock)
    monkeypatch.setattr(visits, "visit_note", lambda: written.append(now[0]))

    async def come(at: float) -> None:
        now[0] = at
        visit_note_in_background()

    async def visitors() -> None:
        for at in (1000.0, 1030.0, 1059.9, 1060.0, 1100.0):
            await come(at)
        await asyncio.get_running_loop().shutdown_default_executor()

    asyncio.run(visitors())
    assert len(written) == 2
