"""Which ladders a process fits while others are at it."""

import pytest
from django.core.cache import caches
from django.utils import timezone

from arena.caches import OptionalCache
from leagues.errors import LadderBeingFitted
from leagues.models import Season
from leagues.services import ladders, league_close, leagues_refit, lifecycle, season_end, season_start
from leagues.services.ladders import ladder_fit_lock
from leagues.services.lifecycle import LOOKED_AFTER
from tests.leagues.factories import open_league, season_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def league_of(bots: int) -> Season:
    return season_of(open_league(bots=bots))


def fitted() -> set[int]:
    return set(Season.objects.filter(refits__gt=0).values_list("pk", flat=True))


def test_what_another_process_fits_is_left_to_it_until_it_is_done() -> None:
    one, other = league_of(2), league_of(2)
    with ladder_fit_lock(season_id=one.pk, entries=2) as mine:
        assert mine
        assert leagues_refit() == 1
        assert fitted() == {other.pk}
    assert leagues_refit() == 1
    assert fitted() == {one.pk, other.pk}


def test_one_large_ladder_at_a_time_and_small_ones_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "LARGE", 2)
    large, other, small = league_of(3), league_of(4), league_of(2)
    with ladder_fit_lock(season_id=large.pk, entries=3):
        assert leagues_refit() == 1
        assert fitted() == {small.pk}
    assert leagues_refit() == 2
    assert fitted() == {large.pk, other.pk, small.pk}


def test_no_button_fits_a_large_ladder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "LARGE", 2)
    season, small = league_of(3), league_of(2)
    season_end(league=season.league)
    season_end(league=small.league)
    assert fitted() == {small.pk}
    with pytest.raises(LadderBeingFitted):
        season_start(league=season.league)
    assert Season.objects.filter(league=season.league).count() == 1
    assert leagues_refit() == 1
    assert fitted() == {small.pk, season.pk}
    following = season_start(league=season.league)
    league_close(league=following.league)
    assert fitted() == {small.pk, season.pk}
    assert leagues_refit() == 1
    assert following.pk in fitted()


def test_a_large_ladder_that_was_never_fitted_stops_no_league_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "LARGE", 2)
    season = league_of(3)
    season_end(league=season.league)
    Season.objects.filter(pk=season.pk).update(finished_at=timezone.now() - 2 * LOOKED_AFTER)
    season_start(league=season.league)
    assert fitted() == {season.pk}


def test_small_ladders_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    by_size = [league_of(bots) for bots in (4, 2, 3)]
    order: list[int] = []
    monkeypatch.setattr(lifecycle, "season_refit", lambda *, season_id: order.append(season_id))
    leagues_refit()
    assert order == [by_size[at].pk for at in (1, 2, 0)]


def test_a_process_without_the_lock_does_not_release_it() -> None:
    with ladder_fit_lock(season_id=1, entries=2):
        with ladder_fit_lock(season_id=1, entries=2) as mine:
            assert not mine
        with ladder_fit_lock(season_id=1, entries=2) as mine:
            assert not mine


def test_a_fit_that_fails_releases_its_lock() -> None:
    with pytest.raises(RuntimeError), ladder_fit_lock(season_id=1, entries=2):
        raise RuntimeError("no such ladder")
    with ladder_fit_lock(season_id=1, entries=2) as mine:
        assert mine


def test_the_lock_of_a_killed_process_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladders, "LOCK_SECONDS", 0.0)
    monkeypatch.setattr(ladders, "LOCK_SECONDS_PER_ENTRY", 0.0)
    killed = ladder_fit_lock(season_id=1, entries=2)
    assert killed.__enter__()
    with ladder_fit_lock(season_id=1, entries=2) as mine:
        assert mine


def test_ladders_are_fitted_while_the_cache_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    away = OptionalCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_timeout": 0.5, "retry": None}})
    monkeypatch.setattr(ladders, "caches", {"optional": away})
    season = league_of(2)
    assert leagues_refit() == 1
    assert fitted() == {season.pk}
