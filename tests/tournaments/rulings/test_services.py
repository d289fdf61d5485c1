"""What each ruling does, in each format: matches, fixtures, stages and standings after it."""

import pytest

from games.dealer import block_seed
from matches.models import Match, MatchState, Seat
from tests.arena.factories import UserFactory
from tests.tournaments.factories import TournamentFactory, finish_match, finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, played, preview, rule, take_back
from tournaments import services
from tournaments.errors import EntryRefused, RulingRefused, RulingStale, WrongState
from tournaments.models import Ruling, Stage, SupersededMatch
from tournaments.ruling_validation import ruling_score_field
from tournaments.selectors.entering.entry_rules import bots_that_may_enter_tournament
from tournaments.selectors.pages.proof_and_luck import tournament_proof_of
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rounds.fixtures import fixture_pairings_of
from tournaments.selectors.rounds.stages import stage_seeding_of
from tournaments.selectors.standings.ranking import standings_of

pytestmark = pytest.mark.django_db(transaction=True)


def rows_of(cup, stage=None):
    return {row.entrant: row for row in standings_of(stage or cup.stage)}


def test_a_void_match_no_longer_counts_and_another_bot_leads():
    cup = played(running_tournament(3))
    first, second, _ = (row.entrant for row in standings_of(cup.stage))
    decider = next(
        one
        for one in fixture_pairings_of(cup.stage, tournament_entries_of(cup))
        if {s.entry.pk for s in one.sittings} == {first, second}
    )
    ruling = rule(cup, "void", fixture=fixture_at(cup, decider.round, decider.table))
    rows = rows_of(cup)
    assert (ruling.number, ruling.kind, ruling.match_id) == (1, "void", decider.match_id)
    assert (rows[first].points, rows[first].played, rows[second].played) == (1, 1, 1)
    assert Match.objects.get(pk=decider.match_id).state == MatchState.FINISHED
    (shown,) = [
        one for one in fixture_pairings_of(cup.stage, tournament_entries_of(cup)) if one.match_id == decider.match_id
    ]
    assert (shown.void, shown.decided, [sitting.first for sitting in shown.sittings]) == (True, False, [False, False])


def test_an_unfinished_match_that_is_void_is_called_off_and_the_tournament_goes_on():
    cup = running_tournament(3)
    finish_matches(cup, most=2)
    open_match = cup.fixtures.exclude(match__state="finished").get()
    rule(cup, "void", fixture=fixture_at(cup, open_match.round.number, open_match.table))
    cup.refresh_from_db()
    assert (Match.objects.get(pk=open_match.match_id).state, cup.state) == ("cancelled", "finished")


def test_a_replay_is_a_new_match_of_the_same_table_with_a_secret_that_anyone_can_check():
    cup = running_tournament(4, secret=bytes(range(32)))
    finish_matches(cup, most=1)
    old = fixture_at(cup, 1, 1)
    ruling = rule(cup, "replay", fixture=old)
    new = fixture_at(cup, 1, 1)
    assert new.match_id == ruling.data["new"] != old.match_id
    assert new.attempt == 2
    assert bytes(new.match.secret) == block_seed(cup.luck.value, "match", 1, 1, 2)
    assert [s.version_id for s in new.match.seats.all()] == [s.version_id for s in old.match.seats.all()]
    assert new.match.state == MatchState.QUEUED
    assert SupersededMatch.objects.values_list("match", "round", "table", "attempt").get() == (old.match_id, 1, 1, 1)
    assert {row.played for row in standings_of(cup.stage)} == {0}
    again = rule(cup, "replay", fixture=new)
    assert bytes(fixture_at(cup, 1, 1).match.secret) == block_seed(cup.luck.value, "match", 1, 1, 3)
    assert again.number == 2
    played(cup)
    assert b"".join(tournament_proof_of(cup))


def test_a_replay_is_held_while_the_tournament_is_paused():
    cup = running_tournament(3)
    finish_matches(cup, most=1)
    services.tournament_pause(tournament=cup)
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    assert fixture_at(cup, 1, 1).match.state == MatchState.HELD
    services.tournament_resume(tournament=cup)
    assert fixture_at(cup, 1, 1).match.state == MatchState.QUEUED


def test_given_scores_count_instead_of_the_played_ones_and_can_be_taken_back():
    cup = played(running_tournament(2))
    fixture = fixture_at(cup, 1, 1)
    winner, loser = (row.entrant for row in standings_of(cup.stage))
    before = standings_of(cup.stage)
    rule(cup, "replace", fixture=fixture, scores={winner: 0.5, loser: 1.5})
    assert [row.entrant for row in standings_of(cup.stage)] == [loser, winner]
    (shown,) = fixture_pairings_of(cup.stage, tournament_entries_of(cup))
    assert {s.entry.pk: s.score for s in shown.sittings} == {winner: 0.5, loser: 1.5}
    take_back(cup)
    assert standings_of(cup.stage) == before


def test_a_match_that_is_not_finished_can_be_given_a_result():
    cup = running_tournament(2)
    one, other = cup.entries.values_list("pk", flat=True)
    rule(cup, "replace", fixture=fixture_at(cup, 1, 1), scores={one: 2, other: 0})
    cup.refresh_from_db()
    assert (cup.state, rows_of(cup)[one].points) == ("finished", 1)


@pytest.mark.parametrize("annul", [False, True])
def test_a_disqualified_bot_is_last_without_points_and_its_results_stand_for_its_opponents_or_for_nobody(annul):
    cup = played(running_tournament(4))
    first, second, third, fourth = (row.entrant for row in standings_of(cup.stage))
    rule(cup, "disqualify", entry=cup.entries.get(pk=second), annul=annul)
    rows = rows_of(cup)
    assert [row.entrant for row in standings_of(cup.stage)] == [first, third, fourth, second]
    assert (rows[second].points, rows[second].played, rows[second].disqualified) == (0, 0, True)
    assert rows[first].points == (2 if annul else 3)
    assert cup.entries.get(pk=second).is_withdrawn
    take_back(cup)
    assert [row.entrant for row in standings_of(cup.stage)] == [first, second, third, fourth]


def test_at_a_larger_table_nobody_keeps_what_an_annulled_bot_gave_it():
    cup = running_tournament(3, format="swiss", rounds=1, players_per_table=3)
    match = fixture_at(cup, 1, 1).match
    finish_match(match, [2.0, 1.5, 1.0])
    for seat, places in zip(match.seats.all(), [(1, 2, 2), (3, 1, 1), (2, 3, 3)], strict=True):
        Seat.objects.filter(pk=seat.pk).update(places=places)
    first, second, third = (cup.entries.get(version=seat.version_id) for seat in match.seats.all())
    rule(cup, "disqualify", entry=third, annul=True)
    rows = rows_of(cup)
    assert (rows[first.pk].points, rows[second.pk].points) == (0, 1)


@pytest.mark.parametrize(("annul", "states"), [(False, {"queued"}), (True, {"cancelled"})])
def test_what_was_drawn_for_a_disqualified_bot_is_lost_or_not_played(annul, states):
    cup = running_tournament(4)
    entry = cup.entries.first()
    rule(cup, "disqualify", entry=entry, annul=annul)
    seats = [seat for match in Match.objects.all() for seat in match.seats.all() if seat.version_id == entry.version_id]
    assert {seat.match.state for seat in seats} == states
    assert {seat.has_forfeited for seat in seats} == {not annul}


def test_a_finished_tournament_is_reopened_paused_a_match_replayed_and_it_finishes_again():
    cup = played(running_tournament(3))
    with pytest.raises(RulingRefused, match="re-open"):
        rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    assert not Ruling.objects.exists()
    rule(cup, "reopen")
    cup.refresh_from_db()
    assert (cup.state, cup.finished_at) == ("paused", None)
    with pytest.raises(WrongState):
        rule(cup, "reopen")
    rule(cup, "replay", fixture=fixture_at(cup, 1, 1))
    services.tournament_resume(tournament=cup)
    cup.refresh_from_db()
    assert cup.state == "running"
    played(cup)
    assert cup.state == "finished"
    assert {row.played for row in standings_of(cup.stage)} == {2}


def swiss(entries=8, rounds=3):
    return running_tournament(entries, format="swiss", rounds=rounds, tie_breaks=["buchholz", "lot"])


def test_rounds_of_a_swiss_that_are_drawn_already_stand_and_the_next_is_drawn_from_the_corrected_points():
    cup = swiss()
    for _ in range(2):
        finish_matches(cup)
        services.tournament_advance(tournament_id=cup.pk)
    drawn = list(cup.fixtures.values_list("match", flat=True))
    shown = preview(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert (shown.standing, shown.undone, shown.rewound) == ((2, 3), (), ())
    rule(cup, "void", fixture=fixture_at(cup, 1, 1))
    assert list(cup.fixtures.values_list("match", flat=True)) == drawn
    played(cup)
    assert sum(row.points for row in standings_of(cup.stage)) == 11


def test_a_later_stage_restarts_only_if_others_would_have_gone_on():
    cup = TournamentFactory(entries=4, format="round_robin")
    Stage.objects.create(tournament=cup, number=2, format="single_elimination", entrants=2, blocks=1)
    cup = services.tournament_start(tournament=cup)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cup = type(cup).objects.get(pk=cup.pk)
    first, second, third, fourth = (row.entrant for row in standings_of(cup.stages.first()))
    assert stage_seeding_of(cup.stage) == [first, second]
    entries = tournament_entries_of(cup)
    met = {
        frozenset(s.entry.pk for s in one.sittings): fixture_at(cup, one.round, one.table)
        for one in fixture_pairings_of(cup.stages.first(), entries)
    }
    lower = preview(cup, "void", fixture=met[frozenset((third, fourth))])
    assert (lower.to_play, lower.rewound) == (False, ())
    final = cup.fixtures.get(round__stage__number=2).match_id
    shown = rule(cup, "replace", fixture=met[frozenset((second, third))], scores={second: 0, third: 2})
    assert list(shown.superseded.values_list("match", flat=True)) == [final]
    cup = type(cup).objects.get(pk=cup.pk)
    assert stage_seeding_of(cup.stages.last()) == [first, third]
    assert Match.objects.get(pk=final).state == "cancelled"
    played(cup)
    assert cup.state == "finished"


def seat_of(cup, entry, number):
    played = cup.rounds.get(number=number)
    return Seat.objects.get(match__fixture__round=played, version=entry.version_id)


def test_a_reinstated_bot_plays_its_next_match_itself():
    cup = running_tournament(4)
    entry = cup.entries.first()
    rule(cup, "disqualify", entry=entry)
    take_back(cup)
    assert not Seat.objects.filter(version=entry.version_id, has_forfeited=True).exists()
    assert not cup.entries.get(pk=entry.pk).is_withdrawn


def test_reversing_a_disqualification_does_not_reenter_a_withdrawn_bot():
    cup = swiss()
    entry = cup.entries.first()
    services.entry_withdraw(entry=entry, by=entry.bot.owner)
    rule(cup, "disqualify", entry=cup.entries.get(pk=entry.pk))
    take_back(cup)
    assert cup.entries.get(pk=entry.pk).is_withdrawn
    assert not rows_of(cup)[entry.pk].disqualified
    assert not seat_of(cup, entry, 1).has_forfeited, "it plays the round that was drawn"


def test_a_disqualified_bot_cannot_enter_again():
    cup = swiss()
    entry = cup.entries.first()
    rule(cup, "disqualify", entry=entry)
    with pytest.raises(EntryRefused) as refused:
        services.entry_create(tournament=cup, bot=entry.bot, by=entry.bot.owner)
    assert refused.value.code == "shut_out"
    assert entry.bot not in bots_that_may_enter_tournament(cup, entry.bot.owner)
    take_back(cup)
    services.entry_withdraw(entry=entry, by=entry.bot.owner)
    assert entry.bot in bots_that_may_enter_tournament(cup, entry.bot.owner)
    assert not services.entry_create(tournament=cup, bot=entry.bot, by=entry.bot.owner).is_withdrawn


def test_a_replaced_result_has_no_margin():
    cup = running_tournament(3, tie_breaks=["margin", "lot"])
    finish_matches(cup, most=1)
    fixture = fixture_at(cup, 1, 1)
    one, other = (cup.entries.get(version=seat.version_id).pk for seat in fixture.match.seats.all())
    rule(cup, "replace", fixture=fixture, scores={one: 1, other: 1})
    rows = rows_of(cup)
    assert {(rows[n].points, rows[n].values["margin"], rows[n].game_points) for n in (one, other)} == {(0.5, 0, 0)}


def test_two_rulings_looked_at_on_one_state_are_not_taken_for_the_same():
    cup = running_tournament(4)
    finish_matches(cup, most=2)
    one, other = (preview(cup, "void", fixture=fixture_at(cup, 1, table)) for table in (1, 2))
    again = preview(cup, "replay", fixture=fixture_at(cup, 1, 1))
    sent = {"tournament": cup, "reason": "No.", "by": cup.organiser}
    services.ruling_make(**sent, proposal=one.proposal, basis=one.basis)
    services.ruling_make(**sent, proposal=other.proposal, basis=other.basis)
    assert list(cup.rulings.order_by("number").values_list("match", flat=True)) == [
        one.proposal.fixture.match_id,
        other.proposal.fixture.match_id,
    ]
    with pytest.raises(RulingStale):
        services.ruling_make(**sent, proposal=again.proposal, basis=again.basis)
    note = preview(cup, "note")
    services.ruling_make(**sent, proposal=note.proposal, basis=note.basis)
    with pytest.raises(RulingStale):
        services.ruling_make(**{**sent, "reason": "Something else."}, proposal=note.proposal, basis=note.basis)


def test_sent_twice_it_rules_once_and_on_a_changed_state_not_at_all():
    cup = running_tournament(3)
    finish_matches(cup, most=1)
    shown = preview(cup, "void", fixture=fixture_at(cup, 1, 1))
    sent = {"tournament": cup, "proposal": shown.proposal, "reason": "No.", "by": cup.organiser, "basis": shown.basis}
    assert services.ruling_make(**sent) == services.ruling_make(**sent)
    assert Ruling.objects.count() == 1
    with pytest.raises(RulingStale):
        services.ruling_make(**{**sent, "by": UserFactory(is_staff=True), "proposal": preview(cup, "note").proposal})


def test_results_elsewhere_leave_a_ruling_as_it_was_shown_and_its_own_match_does_not():
    cup = running_tournament(4)
    finish_matches(cup, most=1)
    done, running, other = (fixture_at(cup, *place) for place in ((1, 1), (1, 2), (2, 1)))
    void, early, out = preview(cup, "void", fixture=done), preview(cup, "void", fixture=running), preview(cup, "note")
    struck = preview(cup, "disqualify", entry=cup.entries.get(version=running.match.seats.first().version_id))
    sent = {"tournament": cup, "reason": "No.", "by": cup.organiser}
    finish_match(other.match, [1.0, 1.0])
    for shown in (out, void):
        services.ruling_make(**sent, proposal=shown.proposal, basis=shown.basis)
    finish_match(running.match, [1.0, 1.0])
    for shown in (early, struck):  # its match is over; fewer of its matches are called off
        with pytest.raises(RulingStale):
            services.ruling_make(**sent, proposal=shown.proposal, basis=shown.basis)


def test_the_same_ruling_is_made_once_more_after_it_was_taken_back():
    cup = running_tournament(3)
    finish_matches(cup, most=1)
    for number in (1, 3):
        assert rule(cup, "void", fixture=fixture_at(cup, 1, 1)).number == number
        take_back(cup)
    entry = cup.entries.first()
    for number in (5, 7):
        assert rule(cup, "disqualify", entry=entry).number == number
        take_back(cup)


def test_what_cannot_be_ruled_is_refused_with_a_sentence():
    cup, other = running_tournament(3), running_tournament(3)
    mine = fixture_at(cup, 1, 1)
    one, two = (cup.entries.get(version=seat.version_id).pk for seat in mine.match.seats.all())
    fields = [ruling_score_field(seat) for seat in mine.match.seats.order_by("index")]
    for field, words, kind, about in [
        ("fixture", "of this tournament", "void", {"fixture": fixture_at(other, 1, 1)}),
        ("ruling", "in force", "take_back", {}),
        (fields[0], "from 0 to 2", "replace", {"fixture": mine, "scores": {one: 3, two: 0}}),
        (fields[1], "from 0 to 2", "replace", {"fixture": mine, "scores": {one: 1}}),
        (fields[0], "shared in parts", "replace", {"fixture": mine, "scores": {one: 0.7, two: 0}}),
        (fields[0], "add up to more", "replace", {"fixture": mine, "scores": {one: 2, two: 1}}),
        ("entry", "of this tournament", "disqualify", {"entry": other.entries.first()}),
        ("entry", "have not withdrawn", "reinstate", {"entry": cup.entries.first()}),
    ]:
        with pytest.raises(RulingRefused, match=words) as refused:
            rule(cup, kind, **about)
        assert refused.value.field == field
    assert not Ruling.objects.exists()
    with pytest.raises(WrongState):
        rule(TournamentFactory(), "note")
