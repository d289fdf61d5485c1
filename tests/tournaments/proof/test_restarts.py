"""A stage that rulings restart, restore and restart again has a proof that holds."""

from pathlib import Path

import pytest

from matches.models import Seat
from tests.tournaments.proof.events import cup_of, play_out, play_round, with_stage
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tests.tournaments.test_new_versions import SOURCES, Packages, updated
from tournaments.models import NewVersions, Tournament
from tournaments.proof.verify import proof_verify
from tournaments.services import tournament_start, tournaments_tend, waiting_round_start

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def seeds_of(cup: Tournament) -> list[int]:
    return list(cup.stages.get(number=2).seeds.values_list("entry", flat=True))


def restarted(cup: Tournament) -> None:
    """Rule that of the first match the one with the lower seed has won: the stage after restarts with other seeds."""
    fixture = fixture_at(cup, 1, 1)
    players = set(fixture.match.seats.values_list("version__bot__entries", flat=True))
    better, worse = (entry for entry in seeds_of(cup) if entry in players)
    rule(cup, "replace", fixture=fixture, scores={better: 0, worse: 2})
    tournaments_tend()


@pytest.mark.parametrize("new_versions", [NewVersions.NEVER, NewVersions.BETWEEN_ROUNDS])
@pytest.mark.parametrize("is_over", [False, True], ids=["final to play", "final played"])
def test_a_stage_that_restarts_after_it_was_restored_holds(new_versions: str, is_over: bool, tmp_path: Path) -> None:
    cup = with_stage(
        cup_of(SOURCES, format="swiss", rounds=1, new_versions=new_versions), format="single_elimination", entrants=4
    )
    with_stage(cup, format="swiss", rounds=1)
    tournament_start(tournament=cup)
    entries = list(cup.entries.order_by("pk"))
    for _round in range(3 if is_over else 2):
        play_round(cup)
        updated(entries[0])
    first = seeds_of(cup)
    before = list(cup.fixtures.order_by("round__number", "table").values_list("match", "match__state"))
    for most in (1, None, 0):
        restarted(cup)
        assert seeds_of(cup) not in ([], first)
        play_round(cup, most=most)
        updated(entries[1])
        take_back(cup)
        assert seeds_of(cup) == first
        assert list(cup.fixtures.order_by("round__number", "table").values_list("match", "match__state")) == before
        tournaments_tend()
    play_out(cup)
    watcher = Packages()
    proved = proof_verify(proof_file(cup, tmp_path / "proof.zip"), witness=watcher)
    assert (proved.ended, proved.rulings) == (True, 6)
    rows = Seat.objects.filter(match__fixture__round__tournament=cup, match__fixture__round__number__gt=1)
    sat = rows.values_list("match__fixture__round__number", "version__bot__entries", "version__sha256")
    assert {(f"round {number}", entry, package) for number, entry, package in sat} <= watcher.seen


def test_a_stage_restarts_whose_first_round_waits(tmp_path: Path) -> None:
    cup = with_stage(
        cup_of(SOURCES, format="swiss", rounds=1, has_round_review=True), format="swiss", rounds=1, entrants=3
    )
    tournament_start(tournament=cup)
    waiting_round_start(played=cup.rounds.get(number=1))
    play_round(cup)
    out = cup.entries.get(pk=seeds_of(cup)[0])
    rule(cup, "disqualify", entry=out, annul=True)
    tournaments_tend()
    assert out.pk not in seeds_of(cup)
    assert proof_verify(proof_file(play_out(cup), tmp_path / "proof.zip")).ended
