"""What rulings do in a knockout: what hangs on the match is drawn again, the rest stays."""

import pytest

from games.dealer import block_seed
from matches.models import Match
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, played, preview, rule, take_back
from tournaments import services
from tournaments.models import SupersededMatch
from tournaments.selectors.rounds.stages import stage_seeding_of
from tournaments.selectors.standings.ranking import standings_of

pytestmark = pytest.mark.django_db(transaction=True)


def knockout(entries=8, kind="single_elimination"):
    return running_tournament(entries, format=kind)


def best_seed_wins(cup):
    seeds = {entry: number for number, entry in enumerate(stage_seeding_of(cup.stage), start=1)}
    return lambda table: [float(seeds[one] == min(seeds[other] for other in table)) for one in table]


def test_in_a_knockout_only_what_hangs_on_the_changed_match_is_drawn_again():
    cup = knockout()
    finish_matches(cup, best_seed_wins(cup))
    services.tournament_advance(tournament_id=cup.pk)
    finish_matches(cup, best_seed_wins(cup))
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    first = fixture_at(cup, 1, 1)
    entry_of = dict(cup.entries.values_list("version_id", "pk"))
    winner, loser = sorted(
        (entry_of[s.version_id] for s in first.match.seats.all()), key=stage_seeding_of(cup.stage).index
    )
    semis = {one.table: one.match_id for one in cup.fixtures.filter(round__number=2)}
    final = fixture_at(cup, 3, 1).match_id
    shown = preview(cup, "replace", fixture=first, scores={loser: 2, winner: 0})
    assert [(one.round.number, one.match_id) for one in shown.undone] == [(2, semis[1]), (3, final)]
    rule(cup, "replace", fixture=first, scores={loser: 2, winner: 0})
    assert Match.objects.get(pk=final).state == "cancelled"
    assert set(SupersededMatch.objects.values_list("match", flat=True)) == {semis[1], final}
    assert cup.fixtures.filter(match=semis[2]).exists()
    redrawn = cup.fixtures.get(match__state="queued")
    assert loser in {entry_of[seat.version_id] for seat in redrawn.match.seats.all()}
    assert bytes(redrawn.match.secret) == block_seed(cup.luck.value, "match", redrawn.round.number, 1, 2)
    played(cup, best_seed_wins(cup))
    assert cup.state == "finished"
    assert {row.rank for row in standings_of(cup.stage) if row.entrant == winner} == {5}


def test_a_new_result_with_the_same_winner_leaves_the_rest_of_a_knockout_alone():
    cup = knockout(4)
    finish_matches(cup, best_seed_wins(cup))
    services.tournament_advance(tournament_id=cup.pk)
    seeds, fixture = stage_seeding_of(cup.stage), fixture_at(cup, 1, 1)
    entry_of = dict(cup.entries.values_list("version_id", "pk"))
    winner, loser = sorted((entry_of[s.version_id] for s in fixture.match.seats.all()), key=seeds.index)
    shown = preview(cup, "replace", fixture=fixture, scores={winner: 1.5, loser: 0.5})
    assert not shown.to_play


def test_a_champion_that_is_disqualified_keeps_nothing_and_the_others_move_up():
    cup = knockout(4)
    played(cup, best_seed_wins(cup))
    order = [row.entrant for row in standings_of(cup.stage)]
    rule(cup, "disqualify", entry=cup.entries.get(pk=order[0]))
    rows = standings_of(cup.stage)
    assert [(row.rank, row.entrant) for row in rows] == [(1, order[1]), (2, order[2]), (2, order[3]), (4, order[0])]


def test_when_a_walkover_is_taken_back_what_hung_on_it_is_drawn_again():
    cup = knockout(8)
    seeds = stage_seeding_of(cup.stage)
    finish_matches(cup, best_seed_wins(cup))
    rule(cup, "disqualify", entry=cup.entries.get(pk=seeds[0]))
    finish_matches(cup, best_seed_wins(cup))
    services.tournament_advance(tournament_id=cup.pk)
    final = fixture_at(cup, 3, 1)
    shown = preview(cup, "take_back", ruling=cup.rulings.get())
    assert [one.match_id for one in shown.undone] == [final.match_id]
    take_back(cup)
    drawn = cup.fixtures.get(match__state="queued")
    entry_of = dict(cup.entries.values_list("version_id", "pk"))
    assert seeds[0] in {entry_of[seat.version_id] for seat in drawn.match.seats.all()}
    played(cup, best_seed_wins(cup))
    assert standings_of(cup.stage)[0].entrant == seeds[0]
