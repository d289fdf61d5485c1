# ruff: noqa: RUF001  the page writes a dash between bots that meet
"""The preview of a ruling in a knockout says who goes on then, and who meets next."""

from html import unescape

import pytest

from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, preview, rule
from tests.tournaments.rulings.test_pages import at, confirmed
from tests.tournaments.test_pages import text_of
from tournaments import services
from tournaments.selectors.rounds.stages import stage_bracket_current, stage_seeding_of

pytestmark = pytest.mark.django_db(transaction=True)


def played(cup, wins, rounds):
    """Play so many rounds; ``wins`` takes the seeds at a table and returns that of the winner."""
    seeds = {entry: number for number, entry in enumerate(stage_seeding_of(cup.stage), start=1)}
    for _ in range(rounds):
        finish_matches(cup, lambda table: [float(seeds[one] == wins(seeds[other] for other in table)) for one in table])
        services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    return cup


def looked_at(client, cup, kind, **typed):
    client.force_login(cup.organiser)
    shown = client.get(at(cup, kind), {**typed, "look": 1})
    assert_clean_page(shown)
    return unescape(" ".join(text_of(shown).split()))


def names(cup, *seeds):
    order = stage_seeding_of(cup.stage)
    return [cup.entries.get(pk=order[seed - 1]).bot.name for seed in seeds]


def test_the_preview_of_a_void_semi_final_shows_who_goes_on_and_who_then_meets(client):
    cup = played(running_tournament(4, format="single_elimination"), max, 1)
    first, second, third, fourth = names(cup, 1, 2, 3, 4)
    assert fixture_at(cup, 2, 1).match.state == "queued"
    text = looked_at(client, cup, "void", round=1, table=1)
    reason = "tied, the higher seed advances"
    assert f"Semi-finals, match 1: {first} goes on instead of {fourth} ({reason})." in text
    assert f"Final: {first} – {third} then meet." in text
    assert second not in text.split("What follows")[1].split("Now Then")[0]
    assert confirmed(client, cup, "void", round=1, table=1).status_code == 302
    becomes = {bout.place.of: bout for bout in stage_bracket_current(cup.stage).bouts}
    assert names(cup, 1, 3) == [cup.entries.get(pk=one).bot.name for one in becomes[1].seating]


def test_the_preview_of_a_void_final_shows_the_winner(client):
    cup = played(running_tournament(4, format="single_elimination"), max, 2)
    third, fourth = names(cup, 3, 4)
    assert f"Final: {third} wins instead of {fourth} (" in looked_at(client, cup, "void", round=2, table=1)


def test_the_preview_of_a_void_match_says_that_the_better_seed_goes_on_as_before(client):
    cup = played(running_tournament(4, format="single_elimination"), min, 1)
    (first,) = names(cup, 1)
    text = looked_at(client, cup, "void", round=1, table=1)
    assert f"Semi-finals, match 1: {first} goes on, as before (tied" in text
    assert "then meet" not in text


def test_the_preview_of_an_unplayed_void_match_shows_who_goes_on(client):
    cup = running_tournament(4, format="single_elimination")
    (first,) = names(cup, 1)
    assert f"Semi-finals, match 1: {first} goes on (tied" in looked_at(client, cup, "void", round=1, table=1)


def test_a_match_to_be_played_again_decides_who_goes_on(client):
    cup = played(running_tournament(4, format="single_elimination"), max, 1)
    (fourth,) = names(cup, 4)
    text = looked_at(client, cup, "replay", round=1, table=1)
    assert f"Semi-finals, match 1: decided when it is played again; before, it was {fourth}." in text


def test_in_a_double_elimination_the_preview_shows_the_losers_match_too(client):
    cup = played(running_tournament(4, format="double_elimination"), max, 1)
    first, second, third, fourth = names(cup, 1, 2, 3, 4)
    text = looked_at(client, cup, "void", round=1, table=1)
    assert f"Winners' round 1, match 1: {first} goes on instead of {fourth}" in text
    assert f"Winners' final: {first} – {third} then meet." in text
    assert f"Losers' round 1: {fourth} – {second} then meet." in text


def test_the_preview_of_heats_shows_all_who_go_on(client):
    cup = played(running_tournament(9, format="heats", players_per_table=3), max, 1)
    heat = next(one for one in stage_bracket_current(cup.stage).bouts if one.place.slot == 0)
    best = [cup.entries.get(pk=one).bot.name for one in heat.entrants[: heat.going]]
    replaced = [cup.entries.get(pk=one).bot.name for one in heat.goes_on if one not in heat.entrants[: heat.going]]
    text = looked_at(client, cup, "void", round=1, table=1)
    go = "goes on" if len(best) == 1 else "go on"
    assert f"Round 1 of heats, heat 1: {', '.join(best)} {go} instead of" in text
    assert replaced


def test_qualifiers_are_part_of_the_confirmation():
    cup = played(running_tournament(4, format="single_elimination"), max, 1)
    fixture = fixture_at(cup, 1, 1)
    before = preview(cup, "void", fixture=fixture).basis
    order = stage_seeding_of(cup.stage)
    rule(cup, "replace", fixture=fixture_at(cup, 1, 2), scores={order[1]: 2, order[2]: 0})
    assert preview(cup, "void", fixture=fixture).basis != before
