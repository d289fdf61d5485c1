"""Readers of a large tournament may get standings that are seconds old, and know when fresher ones may be there."""

import re
from time import time
from typing import Any

import pytest
from celery import current_app
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError

from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tournaments import services
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.selectors.standings import ranking as standings_snapshots
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import transitions as snapshot_services
from tournaments.views import board_part
from web import boards, snapshots
from web.boards import REFRESH_HEADER
from web.models import Snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(boards, "BOARD_ROWS", 5)
    caches["optional"].clear()


def one_result(cup: Tournament) -> None:
    finish_matches(cup, most=1)
    services.tournament_chain_results_append(tournament_id=cup.pk)


def get_page(cup: Tournament, name: str = "live", query: str = "") -> Any:
    return Client().get(reverse(f"tournaments:{name}", args=[cup.slug]) + query)


def api(cup: Tournament) -> list[float]:
    found = Client().get(reverse("api-tournaments:standings", args=[cup.slug])).json()["results"]
    return [line["points"] for line in found]


def points_in(html: bytes) -> list[bytes]:
    return re.findall(rb'-points"[^>]*>([^<]*)', html)


class Clock:
    """Time that passes when standings are folded, three seconds each time, and when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.folds = 1000.0, 0
        for module in (snapshots, board_part):
            monkeypatch.setattr(module, "time", lambda: self.now)
        monkeypatch.setattr(snapshots, "thread_time", lambda: 3.0 * self.folds)
        monkeypatch.setattr(standings_snapshots, "standings_of", self.fold)

    def fold(self, stage: Stage) -> Any:
        self.now, self.folds = self.now + 3, self.folds + 1
        return standings_of(stage)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def test_every_form_of_a_board_and_the_api_share_one_folding(clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    before = api(cup)
    one_result(cup)
    for query in ("", "?page=2", "?bot=a", "?stage=1"):
        assert get_page(cup, "detail", query).status_code == get_page(cup, "live", query).status_code == 200
    assert api(cup) == before
    assert clock.folds == 1
    clock.now += 60
    assert api(cup) != before
    assert clock.folds == 2


def test_a_reader_of_stale_standings_refetches_and_then_has_the_newest(clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    first = get_page(cup)
    one_result(cup)
    old = get_page(cup, "live", "?page=1")  # another form, which nobody has asked for
    assert old.content.count(b"data-live>1</td>") == first.content.count(b"data-live>1</td>")
    assert int(old[REFRESH_HEADER]) == 57
    clock.now += 60
    newest = get_page(cup, "live", "?page=1")
    assert REFRESH_HEADER not in newest
    assert newest.content.count(b"data-live>1</td>") > first.content.count(b"data-live>1</td>")


def test_while_a_worker_folds_readers_have_the_old_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    monkeypatch.setattr(standings_snapshots, "REFRESH_RATIO", 0)
    before = api(cup)
    monkeypatch.setattr(snapshots, "time", lambda: time() + 10)
    one_result(cup)
    others: list[list[float]] = []

    def fold(stage: Any) -> Any:
        others.append(api(cup))
        return standings_of(stage)

    monkeypatch.setattr(standings_snapshots, "standings_of", fold)
    newest = api(cup)
    assert others == [before]
    assert newest != before


def test_where_no_worker_comes_a_reader_folds_after_a_while(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    before = api(cup)
    one_result(cup)
    clock.now += 60
    assert api(cup) == before
    clock.now += snapshots.LATE - 1
    assert api(cup) == before
    assert clock.folds == 1
    clock.now += 2
    assert api(cup) != before
    assert clock.folds == 2


def test_the_tables_of_a_long_board_do_not_wait_for_its_standings(clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    api(cup)  # they are folded
    before = get_page(cup).content
    one_result(cup)
    clock.now += 30  # which is more than twenty times what the page takes, and less than the standings are kept
    tables = get_page(cup).content
    assert tables.count(b"Replay") == before.count(b"Replay") + 1
    assert points_in(tables) == points_in(before)
    clock.now += 60
    assert points_in(get_page(cup).content) != points_in(before)


@pytest.mark.parametrize("small", [True, False])
def test_a_short_board_and_a_tournament_that_is_over_show_the_newest(clock: Clock, small: bool) -> None:
    cup = running_tournament(4 if small else 8, format="swiss", rounds=3)
    before = api(cup)
    if small:
        one_result(cup)
    else:
        finish_matches(cup, most=1)
        Tournament.objects.filter(pk=cup.pk).update(state=TournamentState.CANCELLED)
    assert api(cup) != before
    assert REFRESH_HEADER not in get_page(cup)
    assert clock.folds >= 2


def test_each_change_of_a_large_tournament_that_is_played_has_a_worker_refresh_its_snapshots(
    monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    requested = refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(snapshot_services, "ENTRIES_AT_ONCE", 6)
    monkeypatch.setattr("tournaments.selectors.standings.ratings.REFRESH_RATIO", 1000)  # on any machine they wait
    found = {}
    for entries in (5, 6, 7):
        cup = running_tournament(entries, format="swiss", rounds=3)
        requested.clear()
        with django_capture_on_commit_callbacks(execute=True):
            one_result(cup)
            services.tournament_chain_results_publish(tournament_id=cup.pk)
        found[entries] = [what for what, _ in requested]
        assert {pk for what, pk in requested if what == "standings"} <= {cup.stage.pk}
        if entries > 5:
            stored = Snapshot.objects.get(topic=f"tournament.{cup.pk}", part=f"standings.{cup.stage.pk}")
            assert stored.revision == Tournament.objects.get(pk=cup.pk).revision
    assert found == {5: [], 6: ["standings"], 7: ["standings", "ratings"]}
    requested.clear()
    with django_capture_on_commit_callbacks(execute=True):
        one_result(cup)
        services.tournament_chain_results_publish(tournament_id=cup.pk)
    assert requested == [], "they wait for their time"
    with django_capture_on_commit_callbacks(execute=True):
        services.tournament_cancel(tournament=cup)
    assert requested == [("ratings", cup.pk)], "the last ones do not"


def test_without_a_broker_nothing_fails_and_readers_compute_after_a_while(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, django_capture_on_commit_callbacks: Any
) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise OperationalError("no broker")

    cup = running_tournament(8, format="swiss", rounds=3)
    before = api(cup)
    monkeypatch.setattr("celery.Celery.send_task", fail)
    clock.now += 60
    with django_capture_on_commit_callbacks(execute=True):
        one_result(cup)
        services.tournament_chain_results_publish(tournament_id=cup.pk)
    assert api(cup) == before
    clock.now += snapshots.LATE + 1
    assert api(cup) != before


def test_a_worker_understands_what_a_site_of_the_release_before_sends() -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    task = current_app.tasks["tournaments.make_lately"]
    for what, pk in (("standings", cup.stage.pk), ("ratings", cup.pk), ("adjusted", cup.pk)):
        task(what, pk)
        task(what, pk + 1_000_000)  # which was deleted
    parts = {f"standings.{cup.stage.pk}", "ratings", "adjusted"}
    assert set(Snapshot.objects.values_list("part", flat=True)) == parts


def test_nothing_is_stored_for_a_stage_that_has_not_begun() -> None:
    cup = TournamentFactory(entries=3)
    assert tuple(standings_snapshots.standings_snapshot(cup.stage).value) == standings_of(cup.stage)
    services.tournament_snapshots_refresh(what="standings", pk=cup.stage.pk)
    services.tournament_snapshots_refresh(what="ratings", pk=cup.pk)
    assert not Snapshot.objects.exists()
