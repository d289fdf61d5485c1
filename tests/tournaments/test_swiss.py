"""A Swiss in the app: rounds drawn one at a time and once each, byes, comings and goings."""

from collections import Counter
from itertools import combinations

import pytest

from games.dealer import block_seed
from matches.models import Match
from tests.arena.factories import UserFactory
from tests.tournaments.factories import bot_of, finish_matches, running_tournament
from tournaments import services
from tournaments.errors import TooFewEntries, TooManyGames, WrongState
from tournaments.formats import PairedTable
from tournaments.models import Bye, Fixture
from tournaments.selectors.pages.tournament_page import tournament_entries_of
from tournaments.selectors.rounds.stages import stage_scored_byes_of
from tournaments.selectors.standings.ranking import stage_results_of, standings_of, standings_tie_break_field_of
from tournaments.standings import standings_table
from tournaments.tasks import tournament_match_finished_task, tournaments_tend_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def swiss(entries=8, rounds=3, players=2, **fields):
    fields = {"tie_breaks": ["buchholz_cut_1", "buchholz", "lot"], **fields}
    smallest = {2: 2, 3: 2, 4: 3, 7: 4}[players]
    return running_tournament(
        entries, format="swiss", rounds=rounds, players_per_table=players, smallest_table=smallest, **fields
    )


def play_round(cup):
    """End every match of the round being played, and process the result of the last."""
    tournament_match_finished_task(finish_matches(cup)[-1])
    cup.refresh_from_db()


def tables_of(cup, number):
    return [PairedTable.read(fixture.reasons) for fixture in cup.fixtures.filter(round__number=number)]


def pairs_of(cup):
    rows = cup.fixtures.prefetch_related("match__seats")
    tables = [[seat.version_id for seat in fixture.match.seats.all()] for fixture in rows]
    return Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))


def test_sixteen_bots_play_four_rounds_to_the_end(monkeypatch):
    # In 15 of 1,000 draws somebody's seats would come to be three apart, which is worth a wider gap than winner and
    # winner: tests/tournaments/formats/test_swiss.py looks at that.
    monkeypatch.setattr("tournaments.formats.swiss.pairing.swiss_seats_cap", lambda _field, _tables: None)
    cup = swiss(16, rounds=4)
    for number in range(1, 5):
        assert (cup.state, cup.stage.drawn, cup.fixtures.count()) == ("running", number, 8 * number)
        play_round(cup)
    assert (cup.state, cup.stage.drawn, cup.fixtures.count(), Match.objects.count()) == ("finished", 4, 32, 32)
    assert set(pairs_of(cup).values()) == {1}
    rows = standings_of(cup.stage)
    # 16 bots in four rounds of winner against winner: the binomial numbers.
    assert Counter(row.points for row in rows) == {4: 1, 3: 4, 2: 6, 1: 4, 0: 1}
    assert rows[0].entrant == max(cup.entries.values_list("pk", flat=True))


@pytest.mark.parametrize(("players", "entries", "tables"), [(3, 10, 4), (4, 11, 3), (7, 15, 3)])
def test_tables_that_do_not_divide_are_played_to_the_end_and_worth_as_much(players, entries, tables):
    cup = swiss(entries, rounds=3, players=players)
    for _ in range(3):
        play_round(cup)
    assert (cup.state, cup.fixtures.count(), cup.byes.count()) == ("finished", 3 * tables, 0)
    rows = standings_of(cup.stage)
    assert {row.played for row in rows} == {3}
    assert sum(row.points for row in rows) == pytest.approx(3 * entries * (players - 1) / 2)
    # Each table hands out as many points a bot, however many sit at it; the best bot won all of its tables.
    assert rows[0].points == 3 * (players - 1)


def test_an_odd_number_gives_a_bye_each_round_and_never_two_to_one_bot():
    cup = swiss(7, rounds=5)
    for _ in range(5):
        play_round(cup)
    assert cup.state == "finished"
    assert list(Bye.objects.order_by("round").values_list("round__number", "points")) == [(n, 1) for n in range(1, 6)]
    assert len(set(Bye.objects.values_list("entry", flat=True))) == 5
    rows = standings_of(cup.stage)
    assert {row.played + row.byes for row in rows} == {5}
    assert sum(row.points for row in rows) == 5 * 3 + 5
    assert max(pairs_of(cup).values()) == 1


def test_standings_recomputed_from_scratch_agree_with_those_shown():
    cup = swiss(9, rounds=3)
    for _ in range(3):
        play_round(cup)
    entries = tournament_entries_of(cup)
    entrants = {entry.version_id: entry.pk for entry in entries}
    fixed = cup.tie_breaks, cup.luck.value, stage_scored_byes_of(cup.stage)
    course = standings_tie_break_field_of(cup.stage).course
    again = standings_table(list(entrants.values()), stage_results_of(cup.stage, entrants), *fixed, course=course)
    assert standings_of(cup.stage) == again


def test_a_round_is_drawn_when_the_last_match_of_the_one_before_ends_and_once():
    cup = swiss(6, rounds=2)
    first, *others = finish_matches(cup, most=1)
    tournament_match_finished_task(first)
    cup.refresh_from_db()
    assert cup.stage.drawn == 1
    others = finish_matches(cup)
    for match_id in others:
        tournament_match_finished_task(match_id)
    for match_id in [first, *others]:  # messages may come twice
        tournament_match_finished_task(match_id)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert (cup.stage.drawn, cup.fixtures.count(), cup.state) == (2, 6, "running")


def test_a_draw_that_dies_half_way_leaves_nothing_and_the_sweep_draws_the_same_round(monkeypatch):
    cup = swiss(6, rounds=2)
    finish_matches(cup)
    with monkeypatch.context() as broken:
        broken.setattr(Bye.objects, "bulk_create", _dies)
        with pytest.raises(RuntimeError):
            services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    assert (cup.stage.drawn, cup.fixtures.count(), Match.objects.count()) == (1, 3, 3)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert (cup.stage.drawn, cup.fixtures.count()) == (2, 6)


def _dies(*_args, **_kwargs):
    raise RuntimeError("killed")


def test_the_same_standings_and_secret_draw_the_same_round():
    drawn = []
    cup = swiss(8, rounds=3)
    finish_matches(cup)
    for _ in range(2):
        services.tournament_advance(tournament_id=cup.pk)
        cup.refresh_from_db()
        drawn.append(tables_of(cup, 2))
        second = list(cup.fixtures.filter(round__number=2))
        for fixture in second:
            assert bytes(fixture.match.secret) == block_seed(cup.luck.value, "match", 2, fixture.table)
            fixture.delete()
            fixture.match.seats.all().delete()
            fixture.match.delete()
        cup.rounds.filter(number=2).delete()
        cup.stages.update(drawn=1)
    assert drawn[0] == drawn[1]


def test_a_pause_draws_no_round_and_the_resume_does():
    cup = swiss(4, rounds=2)
    services.tournament_pause(tournament=cup)
    for match_id in finish_matches(cup):
        tournament_match_finished_task(match_id)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert cup.stage.drawn == 1
    services.tournament_resume(tournament=cup)
    cup.refresh_from_db()
    assert (cup.state, cup.stage.drawn) == ("running", 2)


def test_too_few_for_the_smallest_table_and_too_many_games_are_refused():
    with pytest.raises(TooFewEntries, match="needs 3 bots and 2 entered"):
        swiss(2, players=4)
    with pytest.raises(TooManyGames):
        swiss(40, rounds=50, blocks=500)
    assert not Fixture.objects.exists()


# --- comings and goings ----------------------------------------------------------------------------------------------


def test_a_withdrawn_bot_plays_the_round_that_was_drawn_and_its_results_stand():
    cup = swiss(6, rounds=3)
    leaver = cup.entries.first()
    services.entry_withdraw(entry=leaver, by=leaver.bot.owner)
    for _ in range(3):
        play_round(cup)
    assert cup.state == "finished"
    rows = {row.entrant: row for row in standings_of(cup.stage)}
    assert (len(rows), rows[leaver.pk].played) == (6, 1)
    assert cup.byes.count() == 2


def test_a_bot_comes_late_until_half_of_the_rounds_are_drawn_with_nothing_for_those_it_missed():
    cup, hen = swiss(4, rounds=4), UserFactory()
    play_round(cup)
    late = services.entry_create(tournament=cup, bot=bot_of(hen), by=hen)
    assert late.version_id == late.bot.current_id
    play_round(cup)
    with pytest.raises(WrongState):
        services.entry_create(tournament=cup, bot=bot_of(UserFactory()), by=hen)
    play_round(cup)
    play_round(cup)
    assert cup.state == "finished"
    row = next(row for row in standings_of(cup.stage) if row.entrant == late.pk)
    assert row.played + row.byes == 2


def test_a_swiss_that_its_bots_leave_ends_with_the_rounds_it_has():
    cup = swiss(3, rounds=5)
    for entry in list(cup.entries.all())[:2]:
        services.entry_withdraw(entry=entry, by=cup.organiser)
    play_round(cup)
    tournaments_tend_task()
    cup.refresh_from_db()
    assert (cup.state, cup.stage.drawn, cup.stage.rounds) == ("finished", 1, 5)


# --- pages and data --------------------------------------------------------------------------------------------------
