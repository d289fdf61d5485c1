"""The bracket of a knockout is computed once after each change, by a worker if it is large. Nobody gets an old one."""

import re
import zlib
from time import time
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bots.models import Bot
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tournaments import services
from tournaments.formats.knockout.pages import snapshots as brackets
from tournaments.formats.knockout.pages.snapshots import bracket_snapshot
from tournaments.models import Stage, Tournament
from tournaments.selectors.rounds.stages import stage_bracket_drawn
from tournaments.selectors.standings.ranking import standings_snapshot, standings_snapshot_places
from tournaments.services.leaving import entries_withdraw_deleted
from web import boards, snapshots
from web.models import Snapshot

pytestmark = pytest.mark.django_db
KINDS = ("single_elimination", "double_elimination", "heats")
PAGES = {"detail": [], "live": [], "bracket": [1], "pairings": [1], "boards": [1], "screen": [], "embed": ["bracket"]}


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_snapshots_at_once(monkeypatch)
    caches["optional"].clear()


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The stages of which a bracket was computed for a page."""
    stages: list[int] = []

    def compute(stage: Stage) -> Any:
        stages.append(stage.pk)
        return stage_bracket_drawn(stage)

    monkeypatch.setattr(brackets, "stage_bracket_drawn", compute)
    return stages


def knockout(entries: int = 8, kind: str = "single_elimination") -> Tournament:
    tables = {"players_per_table": 4, "smallest_table": 3} if kind == "heats" else {}
    return running_tournament(entries, format=kind, **tables)


def result(cup: Tournament, most: int | None = None) -> None:
    finish_matches(cup, most=most)
    services.tournament_chain_results_append(tournament_id=cup.pk)
    services.tournament_chain_results_publish(tournament_id=cup.pk)


def opened(cup: Tournament) -> None:
    for name, more in PAGES.items():
        assert Client().get(reverse(f"tournaments:{name}", args=[cup.slug, *more])).status_code == 200, name


def is_current(cup: Tournament) -> bool:
    stage = Stage.objects.get(tournament=cup)
    found = bracket_snapshot(stage)
    return (found.bracket, found.matches) == stage_bracket_drawn(stage)


@pytest.mark.parametrize(("rows", "by_worker"), [(5, True), (50, False)])
def test_a_bracket_is_computed_once_for_all_pages_after_a_change(
    rows: int,
    by_worker: bool,
    monkeypatch: pytest.MonkeyPatch,
    computed: list[int],
    django_capture_on_commit_callbacks: Any,
) -> None:
    monkeypatch.setattr(boards, "BOARD_ROWS", rows)
    cup = knockout()
    opened(cup)
    computed.clear()
    monkeypatch.setattr(snapshots, "time", lambda: time() + 10)  # the next computation is due
    with django_capture_on_commit_callbacks(execute=True):
        result(cup, most=1)
    assert bool(computed) is by_worker, "before anybody looks"
    opened(cup)
    opened(cup)
    assert len(computed) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_current_after_each_result_ruling_and_withdrawal(kind: str) -> None:
    cup = knockout(9, kind)
    assert is_current(cup)
    for _ in range(3):
        result(cup, most=1)
        assert is_current(cup)
    leaving = cup.entries.order_by("-pk")[0]
    services.entry_withdraw(entry=leaving, by=cup.organiser)
    assert is_current(cup)
    result(cup)
    services.tournament_advance(tournament_id=cup.pk)
    assert is_current(cup)
    rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert is_current(cup)
    rule(cup, "disqualify", entry=cup.entries.get(pk=bracket_snapshot(cup.stage).bracket.placings[0].entrant))
    assert is_current(cup)
    take_back(cup)
    assert is_current(cup)
    Bot.objects.filter(entries=cup.entries.order_by("pk")[0]).update(deleted_at=timezone.now(), current=None)
    entries_withdraw_deleted()
    assert is_current(cup)


@pytest.mark.parametrize("payload", [None, b"", b"\x94\x63\xc0\xc0\x90", b"\x94\x01\xc0\xc0\x90"])
def test_without_a_snapshot_of_this_release_a_page_computes_it(payload: bytes | None, computed: list[int]) -> None:
    cup = knockout()
    opened(cup)
    rows = Snapshot.objects.filter(part=f"bracket.{cup.stage.pk}")
    if payload is None:
        assert rows.delete()[0] == 1
    else:
        assert rows.update(payload=zlib.compress(payload)) == 1
    computed.clear()
    opened(cup)
    assert len(computed) == 1
    assert is_current(cup)


def test_the_places_of_rows_are_found_in_a_stored_board_as_in_a_computed_one() -> None:
    cup = knockout()
    result(cup, most=2)
    rows = standings_snapshot(cup.stage).value
    wanted = {row.entrant for row in rows[::3]}
    expected = {row.entrant: place for place, row in enumerate(rows) if row.entrant in wanted}
    assert standings_snapshot_places(rows, wanted) == standings_snapshot_places(tuple(rows), wanted) == expected
    assert sorted(expected.values()) == [0, 3, 6]


def test_only_the_organiser_reads_why_players_meet_in_a_round_that_waits_for_review() -> None:
    cup = running_tournament(8, format="single_elimination", has_round_review=True)
    address = reverse("tournaments:pairings", args=[cup.slug, 1])
    organiser, author = Client(), Client()
    organiser.force_login(cup.organiser)
    author.force_login(cup.entries.order_by("pk")[0].bot.owner)
    assert len(re.findall(r'id="t\d+"', organiser.get(address).content.decode())) == 4
    assert (author.get(address).status_code, Client().get(address).status_code) == (404, 404)
