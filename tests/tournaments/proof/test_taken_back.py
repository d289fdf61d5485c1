"""Rulings whose consequences the reader of a chain finds by itself, taken back and in the order in which they were not
made: each of these proofs was refused once."""

from pathlib import Path

import pytest

from matches.models import Match
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, play, play_out, play_round, with_stage
from tests.tournaments.proof.test_restarts import seeds_of
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tournaments.models import Tournament
from tournaments.proof.verify import Proved, prove
from tournaments.selectors.entering.versions import entry_by_version
from tournaments.services import tournament_advance, tournament_start, tournaments_tend

pytestmark = pytest.mark.django_db
FOUR = [FIRST, LAST, MIDDLE, LAST]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def proved(cup: Tournament, tmp_path: Path) -> Proved:
    return prove(proof_file(play_out(cup), tmp_path / "proof.zip"))


def give(cup: Tournament, winner: int) -> None:
    """Rule that this one has won the first match."""
    fixture, entries = fixture_at(cup, 1, 1), entry_by_version(cup)
    table = [entries[seat.version_id] for seat in fixture.match.seats.all()]
    rule(cup, "replace", fixture=fixture, scores={entry: 2.0 * (entry == winner) for entry in table})


@pytest.mark.parametrize("format", ["single_elimination", "double_elimination"])
def test_a_replay_that_sent_the_other_one_on_is_taken_back(format: str, tmp_path: Path) -> None:
    cup = cup_of(FOUR, format=format)
    tournament_start(tournament=cup)
    entries = entry_by_version(cup)
    one, other = (entries[seat.version_id] for seat in fixture_at(cup, 1, 1).match.seats.all())
    give(cup, one)
    play_round(cup)
    replay = rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    play_round(cup)
    give(cup, other)
    tournaments_tend()
    seats = fixture_at(cup, 2, 1).match.seats.values_list("version", flat=True)
    assert other in {entries[version] for version in seats}
    take_back(cup, replay)
    tournaments_tend()
    assert proved(cup, tmp_path).rulings == 4


@pytest.mark.parametrize("annul", [False, True])
def test_a_match_of_a_disqualified_bot_is_played_after_all(annul: bool, tmp_path: Path) -> None:
    cup = cup_of(FOUR[:3], players_per_table=3)
    tournament_start(tournament=cup)
    void = rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    rule(cup, "disqualify", entry=cup.entries.first(), annul=annul)
    take_back(cup, void)
    assert Match.objects.filter(fixture__round__tournament=cup, seats__has_forfeited=True).exists()
    assert proved(cup, tmp_path).rulings == 3


def test_a_match_of_a_bot_that_the_rules_have_withdrawn_is_replayed(tmp_path: Path) -> None:
    cup = cup_of([CRASHES, *FOUR[:3]], blocks=2)
    tournament_start(tournament=cup)
    crashes = cup.entries.order_by("pk")[0]
    matches = Match.objects.filter(fixture__round__tournament=cup, seats__version=crashes.version_id).order_by("pk")
    for match in matches[:2]:
        play(match)
    tournaments_tend()
    crashes.refresh_from_db()
    assert crashes.withdrawn_because == "forfeits"
    fixture = matches[0].fixture
    rule(cup, "replay", fixture=fixture_at(cup, fixture.round.number, fixture.table))
    assert proved(cup, tmp_path).rulings == 1


@pytest.mark.parametrize("rounds_played", [1, 2], ids=["the first stage is over", "the second stage is over too"])
def test_a_stage_that_had_begun_without_a_round_is_restored(
    rounds_played: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    cup = with_stage(cup_of(FOUR, format="swiss", rounds=1), format="swiss", rounds=1, entrants=4)
    with_stage(cup, format="swiss", rounds=1)
    tournament_start(tournament=cup)
    with monkeypatch.context() as patch:
        patch.setattr("tournaments.services.rounds.STEPS", 1)  # the site is stopped before it draws
        for at in range(rounds_played):
            if at:
                tournament_advance(tournament_id=cup.pk)
            play_round(cup)
        assert cup.stages.filter(started_at__isnull=False).count() == rounds_played + 1
        seeds = seeds_of(cup)
        fixture, entries = fixture_at(cup, 1, 1), entry_by_version(cup)
        table = {entries[seat.version_id] for seat in fixture.match.seats.all()}
        better, worse = (entry for entry in seeds if entry in table)
        rule(cup, "replace", fixture=fixture, scores={better: 0, worse: 2})
        assert cup.stages.filter(started_at__isnull=False).count() == 1
        take_back(cup)
    assert (cup.stages.filter(started_at__isnull=False).count(), seeds_of(cup)) == (rounds_played + 1, seeds)
    tournaments_tend()
    assert proved(cup, tmp_path).rulings == 2
