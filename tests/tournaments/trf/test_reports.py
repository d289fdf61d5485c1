"""The report files that the site writes: of every format at tables of two, and whatever was ruled."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tests.tournaments.test_knockout import best_seed_wins
from tournaments import services
from tournaments.models import Tournament

trf = pytest.importorskip("py4swiss.trf", reason="no wheel for this machine")
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("no_broker")]
WORTH = {"1": 10, "+": 10, "U": 10, "=": 5}
FORMATS: tuple[dict[str, Any], ...] = (
    {"format": "round_robin"},
    {"format": "swiss", "rounds": 3},
    {"format": "dutch", "rounds": 3},
    {"format": "single_elimination", "has_third_place": True},
    {"format": "double_elimination"},
)


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def played(cup: Tournament, rounds: int = 9) -> Tournament:
    while cup.state == "running" and rounds:
        finish_matches(cup, best_seed_wins(cup))
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
        rounds -= 1
    return cup


def read(cup: Tournament, folder: Path) -> Any:
    file = folder / "stage.trf"
    answer = Client().get(reverse("tournaments:report", args=[cup.slug, 1]))
    file.write_bytes(b"".join(answer.streaming_content))
    return trf.TrfParser.parse(file, strict=True)


def assert_sums(cup: Tournament, folder: Path) -> Any:
    """Points are the sums of the rows, and of two who met each says the same of the game."""
    report = read(cup, folder)
    rows = {player.starting_number: player for player in report.player_sections}
    for number, player in rows.items():
        assert player.points_times_ten == sum(WORTH.get(one.result.value, 0) for one in player.results), number
        for at, one in enumerate(player.results):
            if one.id:
                assert rows[one.id].results[at].id == number
    return rows


@pytest.mark.parametrize("fields", FORMATS, ids=lambda fields: fields["format"])
def test_a_report_is_read_and_adds_up_after_every_kind_of_ruling(fields: dict[str, Any], tmp_path: Path) -> None:
    cup = running_tournament(7, **fields)
    assert_sums(cup, tmp_path)
    finish_matches(cup, best_seed_wins(cup), most=2)
    assert_sums(cup, tmp_path)  # in the middle of a round
    played(cup, 1)
    first, second = fixture_at(cup, 1, 1), fixture_at(cup, 1, 2)
    winner, loser = (cup.entries.get(version=seat.version_id) for seat in first.match.seats.order_by("-score"))
    for kind, about in (
        ("disqualify", {"entry": winner, "annul": False}),
        ("disqualify", {"entry": loser, "annul": True}),
        ("void", {"fixture": second}),
        ("replace", {"fixture": second, "scores": _equal(cup, second)}),
    ):
        rule(cup, kind, **about)
        assert_sums(cup, tmp_path)
        take_back(cup)
        assert_sums(cup, tmp_path)
    rule(cup, "disqualify", entry=loser, annul=True)
    if cup.state == "running":
        rule(cup, "withdraw", entry=cup.entries.exclude(pk=loser.pk).filter(is_withdrawn=False).last())
    assert_sums(played(cup), tmp_path)


def _equal(cup: Tournament, fixture: Any) -> dict[int, float]:
    sat = fixture.match.seats.values_list("version", flat=True)
    return dict.fromkeys(cup.entries.filter(version__in=sat).values_list("pk", flat=True), 1)


def test_a_bot_that_is_disqualified_comes_last_with_what_it_won(tmp_path: Path) -> None:
    cup = played(running_tournament(4))
    best = max(assert_sums(cup, tmp_path).values(), key=lambda row: row.points_times_ten)
    rule(cup, "disqualify", entry=cup.entries.get(bot__name=best.name), annul=False)
    [row] = [row for row in assert_sums(cup, tmp_path).values() if row.name == best.name]
    assert (row.points_times_ten, row.rank) == (best.points_times_ten, 4)


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_a_bye_of_a_bracket_is_in_reports_tables_and_the_api(kind: str, tmp_path: Path) -> None:
    cup = played(running_tournament(6, format=kind))
    rows = assert_sums(cup, tmp_path)
    assert [rows[number].results[0].result.value for number in (1, 2)] == ["U", "U"]
    names = {rows[number].name for number in (1, 2)}
    data = Client().get(f"/api/tournaments/{cup.slug}/rounds/1/").json()
    assert {(one["bot"]["name"], one["points"]) for one in data["byes"]} == {(name, 0) for name in names}
    lines = b"".join(Client().get(reverse("tournaments:export", args=[cup.slug, "fixtures.csv"])).streaming_content)
    byes = [line for line in lines.decode("utf-8-sig").splitlines() if ",bye," in line and line.startswith("1,1,")]
    assert len(byes) == 2
    assert all(any(name in line for line in byes) for name in names)


def test_shared_places_are_read_as_shared(tmp_path: Path) -> None:
    cup = running_tournament(4, tie_breaks=["shared", "lot"])
    last = cup.entries.order_by("pk").first().pk
    finish_matches(cup, lambda table: [0.5 if last not in table else float(one != last) for one in table])
    services.tournament_advance(tournament_id=cup.pk)
    assert sorted(row.rank for row in assert_sums(cup, tmp_path).values()) == [1, 1, 1, 4]


def test_the_play_off_winner_is_first_with_the_points_of_all_regular_rounds(tmp_path: Path) -> None:
    cup = running_tournament(4, format="dutch", rounds=1, tie_breaks=["play_off", "lot"])
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    before = {row.name: row.points_times_ten for row in assert_sums(cup, tmp_path).values()}
    assert finish_matches(cup, lambda table: [float(one == min(table)) for one in table])
    services.tournament_advance(tournament_id=cup.pk)
    rows = sorted(assert_sums(cup, tmp_path).values(), key=lambda row: row.rank)
    first = cup.entries.get(pk=min(cup.stages.get(number=2).seeds.values_list("entry", flat=True)))
    assert (rows[0].name, len(rows)) == (first.bot.name, 4)
    assert {row.name: row.points_times_ten for row in rows} == before
    assert [len(row.results) for row in rows] == [1] * 4
