"""Knockouts in heats in the app: tables of three and more of which the best go on, drawn round by round."""

import json
import re

import pytest
from django.urls import reverse

from tests.arena.factories import OrganiserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import rule
from tests.tournaments.test_deck_option import typed as lake_typed
from tests.tournaments.test_forms import typed
from tests.tournaments.test_knockout import play
from tests.tournaments.test_swiss import no_broker  # noqa: F401  a fixture
from tournaments import services
from tournaments.forms import TournamentForm, tournament_form_initial
from tournaments.models import Entry, Tournament
from tournaments.models.stage import StageError
from tournaments.selectors.rounds.stages import stage_bracket_current, stage_seeding_of
from tournaments.selectors.standings.ranking import standings_of
from tournaments.standings import RulingCode
from tournaments.workload import workload_plan

pytestmark = pytest.mark.django_db


def heats(entries=10, seats=4, smallest=3, **fields):
    return running_tournament(entries, format="heats", players_per_table=seats, smallest_table=smallest, **fields)


def by_seed(cup):
    """The better seed is ahead of everyone behind it."""
    seeds = stage_seeding_of(cup.stage)
    return lambda table: [sum(seeds.index(one) < seeds.index(other) for other in table) / len(table) for one in table]


def tables(cup, number):
    entry_of = dict(cup.entries.values_list("version", "pk"))
    fixtures = cup.fixtures.filter(round__number=number).order_by("table")
    return [tuple(entry_of[seat.version_id] for seat in one.match.seats.all()) for one in fixtures]


@pytest.mark.parametrize(
    ("entries", "seats", "smallest", "sizes"),
    [(3, 4, 3, [1]), (5, 4, 3, [1, 1]), (10, 4, 3, [3, 2, 1]), (9, 3, 2, [3, 1]), (7, 3, 3, [2, 1, 1, 1])],
)
def test_heats_are_played_round_by_round_to_the_end(entries, seats, smallest, sizes):
    cup = heats(entries, seats, smallest)
    seeds = stage_seeding_of(cup.stage)
    assert play(cup, by_seed(cup)) == sizes
    assert cup.state == "finished"
    assert standings_of(cup.stage)[0].entrant == seeds[0]
    plan = workload_plan(cup, entries)
    assert (plan.rounds, plan.matches) == (len(sizes), sum(sizes))
    assert plan.games == sum(fixture.match.seats.count() for fixture in cup.fixtures.all())


def test_leavers_are_not_in_the_next_round_but_those_with_a_bye_stay_in_the_one_drawn():
    cup = heats(5)
    seeds = stage_seeding_of(cup.stage)
    (first,) = tables(cup, 1)
    services.entry_withdraw(entry=Entry.objects.get(pk=seeds[0]), by=cup.organiser)
    assert stage_bracket_current(cup.stage).bouts[0].seating == first == tuple(seeds[1:])
    finish_matches(cup, by_seed(cup))
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    # Two are left, and no table can be filled: it is over, and who was ahead has won.
    assert (cup.state, cup.rounds.count()) == ("finished", 1)
    assert [row.entrant for row in standings_of(cup.stage)] == [seeds[one] for one in (1, 2, 0, 3, 4)]


def test_another_result_of_a_heat_redraws_the_next_round():
    cup = heats(8)
    finish_matches(cup, by_seed(cup))
    services.tournament_advance(tournament_id=cup.pk)
    (before,) = tables(cup, 2)
    fixture = cup.fixtures.filter(round__number=1).first()
    last = [seat.version_id for seat in fixture.match.seats.all()][-1]
    loser = cup.entries.get(version=last)
    scores = {entry.pk: float(entry == loser) for entry in cup.entries.filter(version__seats__match=fixture.match)}
    rule(cup, RulingCode.REPLACE, fixture=fixture, scores=scores)
    cup.refresh_from_db()
    services.tournament_advance(tournament_id=cup.pk)
    (after,) = tables(cup, cup.rounds.last().number)
    assert loser.pk in after
    assert loser.pk not in before
    assert cup.fixtures.count() == 3


def test_the_pages_show_the_heats_by_round_and_how_each_came_there(client):
    cup = heats(9)
    finish_matches(cup, by_seed(cup))
    services.tournament_advance(tournament_id=cup.pk)
    bracket = client.get(reverse("tournaments:bracket", args=[cup.slug, 1]))
    assert_clean_page(bracket)
    for text in ("Round 1 of heats", "Round 2 of heats", "The best 2 of each heat go on"):
        assert text in bracket.text
    assert bracket.text.count('class="side wins') == 6
    why = client.get(reverse("tournaments:pairings", args=[cup.slug, 2]))
    assert_clean_page(why)
    assert all(f"from heat {number}" in why.text for number in (1, 2, 3))
    first = client.get(reverse("tournaments:pairings", args=[cup.slug, 1]))
    assert "go on (more opponents beaten in its games)." in first.text
    assert_clean_page(client.get(reverse("tournaments:detail", args=[cup.slug])))
    data = json.loads(client.get(reverse("tournaments:export", args=[cup.slug, "tournament.json"])).getvalue())
    assert data["stages"][0]["format"] == "heats"


def test_only_the_winner_of_the_last_heat_is_shown_as_the_winner(client):
    cup = heats(9)
    for _round in range(3):
        finish_matches(cup, by_seed(cup))
        services.tournament_advance(tournament_id=cup.pk)
    bracket = client.get(reverse("tournaments:bracket", args=[cup.slug, 1])).text
    assert (bracket.count("> goes on<"), bracket.count("> won<")) == (6 + 4, 1)
    last = client.get(reverse("tournaments:pairings", args=[cup.slug, 3])).text
    best = Entry.objects.get(pk=stage_seeding_of(cup.stage)[0])
    assert f"{best.bot.name} wins (more opponents beaten in its games)." in last
    assert "those who go on" not in last


def test_pages_explain_how_bots_eliminated_in_one_round_are_ranked(client):
    cup = heats(10)
    rules = {
        "detail": "those that beat more of their table in their last heat rank higher",
        "tie-breaks": "the bot that beat more of its table in its last heat ranks higher",
    }
    for name, sentence in rules.items():
        assert sentence in " ".join(client.get(reverse(f"tournaments:{name}", args=[cup.slug])).text.split())
    finish_matches(cup, by_seed(cup))
    services.tournament_advance(tournament_id=cup.pk)
    assert [row.rank for row in standings_of(cup.stage)][-4:] == [7, 8, 8, 8]


def test_a_bye_of_a_heat_is_shown(client):
    cup = heats(5)
    page = client.get(reverse("tournaments:bracket", args=[cup.slug, 1]))
    assert_clean_page(page)
    best = Entry.objects.get(pk=stage_seeding_of(cup.stage)[0])
    assert best.bot.name in page.text
    assert '<span class="name">bye</span>' in page.text


def test_the_best_of_a_round_robin_play_heats_in_a_game_without_tables_of_two(client):
    client.force_login(OrganiserFactory())
    answer = client.post(
        reverse("tournaments:create"), lake_typed(players_per_table=4, final="heats", final_entrants=8)
    )
    assert answer.status_code == 302
    cup = Tournament.objects.get()
    first, final = cup.stages.all()
    assert (final.format, final.players_per_table, final.smallest_table, final.entrants) == ("heats", 4, 3, 8)
    assert tournament_form_initial(cup)["final"] == "heats"
    assert (first.players_per_table, final.smallest_field) == (4, 3)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"format": "heats", "players_per_table": 2}, "players_per_table"),
        ({"players_per_table": 2, "final": "heats"}, "players_per_table"),
        ({"players_per_table": 4, "final": "heats", "final_entrants": 3}, "final_entrants"),
        ({"players_per_table": 4, "final": "heats", "stop_error": "0.05"}, "stop_error"),
    ],
)
def test_invalid_heats_are_refused_beside_the_field(fields, field):
    form = TournamentForm(typed(**fields))
    assert not form.is_valid()
    assert field in form.errors


def test_the_database_knows_that_heats_are_for_three_and_more():
    with pytest.raises(StageError, match="heats is not played at tables of 2"):
        heats(4, 2, 2)


def test_the_places_say_in_which_round_each_bot_went_out(client):
    cup = heats(8, 4, 3)
    finish_matches(cup, by_seed(cup))
    services.tournament_advance(tournament_id=cup.pk)
    left = next(one for one in stage_bracket_current(cup.stage).bouts if one.place.round == 2).entrants[0]
    rule(cup, RulingCode.WITHDRAW, entry=Entry.objects.get(pk=left))
    play(cup, by_seed(cup))
    page = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    out = re.findall(r'data-label="Out in" data-live>([^<]*)</td>', page)
    assert out == ["\N{EN DASH}", *["Final"] * 3, *["Round 1 of heats"] * 4]
