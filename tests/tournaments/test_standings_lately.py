"""Readers of a large tournament may be shown standings that are seconds old, and are told when there are newer ones."""

from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from tests.tournaments.books import books_make
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments import services
from tournaments.models import Stage, Tournament, TournamentState
from tournaments.selectors.standings import lately
from tournaments.selectors.standings.results import standings_of
from web import boards, kept_parts, made_lately
from web.kept_parts import AGAIN
from web.live_deltas import HAVE, STATE

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    books_make(monkeypatch)
    monkeypatch.setattr(boards, "BOARD_ROWS", 5)
    monkeypatch.setattr(kept_parts, "SHARED_SECONDS", 0)
    caches["optional"].clear()


def one_result(cup: Tournament) -> None:
    finish_matches(cup, most=1)
    services.results_append(tournament_id=cup.pk)


def asked(cup: Tournament, name: str = "live", query: str = "") -> Any:
    return Client().get(reverse(f"tournaments:{name}", args=[cup.slug]) + query)


def api(cup: Tournament) -> list[float]:
    found = Client().get(reverse("api-tournaments:standings", args=[cup.slug])).json()["results"]
    return [line["points"] for line in found]


class Clock:
    """Time that passes when standings are folded, three seconds each time, and when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.folds = 1000.0, 0
        for module in (made_lately, kept_parts):
            monkeypatch.setattr(module, "time", lambda: self.now)
        monkeypatch.setattr(lately, "standings_of", self.fold)

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
        assert asked(cup, "detail", query).status_code == asked(cup, "live", query).status_code == 200
    assert api(cup) == before
    assert clock.folds == 1
    clock.now += 60
    assert api(cup) != before
    assert clock.folds == 2


def test_who_is_shown_old_standings_is_told_to_ask_again_and_then_has_the_newest(clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    first = asked(cup)
    one_result(cup)
    old = asked(cup, "live", "?page=1")  # another form, which nobody has asked for
    assert old.content.count(b"data-live>1</td>") == first.content.count(b"data-live>1</td>")
    assert int(old[AGAIN]) == 57
    clock.now += 60
    newest = asked(cup, "live", "?page=1")
    assert AGAIN not in newest
    assert newest.content.count(b"data-live>1</td>") > first.content.count(b"data-live>1</td>")


def test_while_the_books_fold_readers_have_the_old_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    monkeypatch.setattr(kept_parts, "REST", 0)
    before = api(cup)
    one_result(cup)
    others: list[list[float]] = []

    def fold(stage: Any) -> Any:
        others.append(api(cup))
        return standings_of(stage)

    monkeypatch.setattr(lately, "standings_of", fold)
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
    clock.now += made_lately.LATE - 1
    assert api(cup) == before
    assert clock.folds == 1
    clock.now += 2
    assert api(cup) != before
    assert clock.folds == 2


def test_the_tables_of_a_long_board_do_not_wait_for_its_standings(clock: Clock) -> None:
    cup = running_tournament(8, format="swiss", rounds=3)
    api(cup)  # they are folded
    cells = asked(cup)
    one_result(cup)
    clock.now += 30  # which is more than twenty times what the page takes, and less than the standings are kept
    news = Client().get(reverse("tournaments:live", args=[cup.slug]), headers={HAVE: cells[STATE]}).content
    assert b'id="f' in news
    assert b'id="tournament-progress"' in news
    assert b"-points" not in news
    clock.now += 60
    assert (
        b"-points" in Client().get(reverse("tournaments:live", args=[cup.slug]), headers={HAVE: cells[STATE]}).content
    )


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
    assert AGAIN not in asked(cup)
    assert clock.folds >= 2
