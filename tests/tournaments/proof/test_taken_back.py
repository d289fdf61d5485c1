"""Rulings whose consequences the reader of a chain finds by itself, taken back and in the order in which they were not
made: each of these proofs was refused once."""

from pathlib import Path

import pytest

from bots.deletion import bot_delete
from matches.models import Match, MatchState, Seat
from matches.proof.chain import ProofError
from tests.tournaments.proof.events import CRASHES, FIRST, LAST, MIDDLE, cup_of, play, play_out, play_round, with_stage
from tests.tournaments.proof.forging import Parts
from tests.tournaments.proof.test_restarts import seeds_of
from tests.tournaments.proof.test_verify import proof_file
from tests.tournaments.rulings.rule import fixture_at, rule, take_back
from tests.tournaments.test_new_versions import Packages, updated
from tournaments.models import Entry, NewVersions, Tournament
from tournaments.proof.verify import Proved, proof_verify
from tournaments.selectors.entering.entry_versions import entry_by_version
from tournaments.selectors.rounds.stages import stage_bracket_current
from tournaments.selectors.standings.ranking import standings_of
from tournaments.services import (
    entry_withdraw,
    tournament_advance,
    tournament_start,
    tournaments_tend,
    waiting_round_start,
)
from tournaments.services.leaving import entries_withdraw_deleted

pytestmark = pytest.mark.django_db
FOUR = [FIRST, LAST, MIDDLE, LAST]


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def proved(cup: Tournament, tmp_path: Path) -> Proved:
    return proof_verify(proof_file(play_out(cup), tmp_path / "proof.zip"))


def give(cup: Tournament, winner: int) -> None:
    """Rule that this one has won the first match."""
    fixture, entries = fixture_at(cup, 1, 1), entry_by_version(cup)
    table = [entries[seat.version_id] for seat in fixture.match.seats.all()]
    rule(cup, "replace", fixture=fixture, scores={entry: 2.0 * (entry == winner) for entry in table})


@pytest.mark.parametrize("kind", ["single_elimination", "double_elimination"])
def test_a_replay_that_sent_the_other_one_on_is_taken_back(kind: str, tmp_path: Path) -> None:
    cup = cup_of(FOUR, format=kind)
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


def test_a_match_that_was_void_is_played_after_the_next_round_was_drawn(tmp_path: Path) -> None:
    cup = cup_of(FOUR, format="single_elimination")
    tournament_start(tournament=cup)
    void = rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    play_round(cup)
    assert cup.rounds.count() == 2
    take_back(cup, void)
    assert proved(cup, tmp_path).rulings == 2


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


def test_a_match_that_was_called_off_while_its_round_waited_is_played_by_the_versions_of_its_round(
    tmp_path: Path,
) -> None:
    cup = cup_of(FOUR, has_round_review=True, new_versions=NewVersions.BETWEEN_ROUNDS)
    tournament_start(tournament=cup)
    waiting_round_start(played=cup.rounds.get(number=1))
    play_round(cup)
    entries = list(cup.entries.order_by("pk"))
    annulled = rule(cup, "disqualify", entry=entries[0], annul=True)
    for entry in entries:
        updated(entry)
    waiting_round_start(played=cup.rounds.get(number=2))
    take_back(cup, annulled)
    round_two = Seat.objects.filter(match__fixture__round__tournament=cup, match__fixture__round__number=2)
    current = {entry.bot_id: Entry.objects.get(pk=entry.pk).version_id for entry in entries}
    sat = dict(round_two.values_list("version__bot", "version"))
    assert {bot: version for bot, version in sat.items() if bot != entries[0].bot_id} == {
        entry.bot_id: current[entry.bot_id] for entry in entries[1:]
    }
    watcher = Packages()
    assert proof_verify(proof_file(play_out(cup), tmp_path / "proof.zip"), witness=watcher).rulings == 2
    rows = Seat.objects.filter(match__fixture__round__tournament=cup, match__state=MatchState.FINISHED)
    sat_as = rows.values_list("match__fixture__round__number", "version__bot__entries", "version__sha256")
    assert {(f"round {number}", entry, package) for number, entry, package in sat_as} <= watcher.seen


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


@pytest.mark.parametrize("is_drawn", [False, True], ids=["before the last stage is drawn", "once it is drawn"])
def test_a_stage_that_had_ended_without_a_round_is_restored(
    is_drawn: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    of_three = {"format": "swiss", "players_per_table": 3, "smallest_table": 3, "entrants": 3}
    cup = with_stage(cup_of(FOUR, format="swiss", rounds=1), rounds=1, **of_three)
    with_stage(cup, format="swiss", rounds=1)
    tournament_start(tournament=cup)
    with monkeypatch.context() as patch:
        patch.setattr("tournaments.services.rounds.STEPS", 1)  # the site is stopped before it draws
        play_round(cup)
        seeds = seeds_of(cup)
        out = rule(cup, "disqualify", entry=cup.entries.get(pk=seeds[0]), annul=False)
        tournament_advance(tournament_id=cup.pk)  # two are too few for a table
        if is_drawn:
            tournament_advance(tournament_id=cup.pk)
        second, third = cup.stages.filter(number__gt=1, started_at__isnull=False)
        assert (second.finished_at is not None, second.drawn, third.drawn) == (True, 0, int(is_drawn))
        fixture, entries = fixture_at(cup, 1, 1), entry_by_version(cup)
        table = {entries[seat.version_id] for seat in fixture.match.seats.all()}
        better, worse = sorted(table, key=lambda entry: seeds.index(entry) if entry in seeds else len(seeds))
        replaced = rule(cup, "replace", fixture=fixture, scores={better: 0, worse: 2})
        assert cup.stages.filter(started_at__isnull=False).count() == 1
        take_back(cup, out)
        take_back(cup, replaced)
    assert (cup.stages.get(number=2).finished_at, cup.rounds.filter(stage__number=2).count()) == (second.finished_at, 0)
    assert seeds_of(cup) == seeds
    tournaments_tend()
    assert proved(cup, tmp_path).rulings == 4


def test_a_bot_is_deleted_just_before_a_ruling(tmp_path: Path) -> None:
    cup = cup_of(FOUR, format="single_elimination")
    tournament_start(tournament=cup)
    play_round(cup)
    entries = entry_by_version(cup)
    finalists = [entries[seat.version_id] for seat in fixture_at(cup, 2, 1).match.seats.all()]
    first = [entries[seat.version_id] for seat in fixture_at(cup, 1, 1).match.seats.all()]
    bot_delete(bot=cup.entries.get(pk=finalists[0]).bot)  # the sweep comes within ten seconds
    give(cup, next(entry for entry in first if entry not in finalists))
    kinds = list(cup.chain.order_by("number").values_list("kind", flat=True))
    assert kinds.index("left") < kinds.index("ruling")
    tournaments_tend()
    assert proved(cup, tmp_path).rulings == 1


def test_a_bot_deleted_after_the_end_keeps_the_place_that_a_walkover_gave(tmp_path: Path) -> None:
    cup = cup_of(FOUR, format="single_elimination")
    tournament_start(tournament=cup)
    queued = Match.objects.filter(fixture__round__tournament=cup).order_by("pk")
    for match in queued:
        play(match)
    (stage,) = cup.stages.all()
    best = [bout.goes_on[0] for bout in stage_bracket_current(stage).bouts if bout.goes_on]
    entry_withdraw(entry=cup.entries.get(pk=best[0]), by=cup.organiser)
    tournaments_tend()
    cup.refresh_from_db()
    before = standings_of(cup.stages.get())
    assert (cup.state, before[0].entrant) == ("finished", best[1])
    bot_delete(bot=cup.entries.get(pk=best[1]).bot)
    assert standings_of(cup.stages.get()) == before
    rule(cup, "disqualify", entry=cup.entries.get(pk=before[-1].entrant), annul=False)
    assert proved(cup, tmp_path).rulings == 1


def knockout_with_a_ruling_while_round_one_waits(tmp_path: Path) -> Path:
    """A bot of the first match is deleted while the round waits, then one of the second is disqualified."""
    cup = cup_of(FOUR, format="single_elimination", has_round_review=True)
    tournament_start(tournament=cup)
    entries = entry_by_version(cup)
    first, second = (
        Entry.objects.get(pk=entries[fixture_at(cup, 1, table).match.seats.all()[0].version_id]) for table in (1, 2)
    )
    bot_delete(bot=first.bot)
    assert entries_withdraw_deleted() == 1
    rule(cup, "disqualify", entry=second)
    assert list(cup.fixtures.values_list("round__number", "table")) == [(1, 1)]
    return proof_file(play_out(cup), tmp_path / "proof.zip")


def test_a_match_of_a_waiting_knockout_round_stays_although_a_bot_of_it_was_deleted(tmp_path: Path) -> None:
    assert proof_verify(knockout_with_a_ruling_while_round_one_waits(tmp_path)).rulings == 1


def test_a_waiting_knockout_round_loses_no_other_match_and_no_fewer(tmp_path: Path) -> None:
    proof = knockout_with_a_ruling_while_round_one_waits(tmp_path)
    for undone in ([], [[1, 1, 1]], [[1, 1, 1], [1, 2, 1]]):
        forged = Parts.of(proof)
        assert forged.find("effects")["undone"] == [[1, 2, 1]]
        forged.find("effects")["undone"] = undone
        with pytest.raises(ProofError, match=r"does not follow|an empty list of changes"):
            proof_verify(forged.write(tmp_path / "forged.zip"))
