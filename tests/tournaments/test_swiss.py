"""A Swiss in the app: rounds drawn one at a time and once each, byes, comings and goings, the reasons on a page."""

import csv
import io
import json
from collections import Counter
from itertools import combinations
from statistics import fmean

import pytest
from django.urls import reverse

from games.dealer import block_seed
from matches.models import Match
from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import bot_of, finish_matches, running_tournament
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import cells_of, page, text_of
from tournaments import services
from tournaments.errors import TooFewEntries, TooManyGames, WrongState
from tournaments.formats import PairedTable
from tournaments.models import Bye, Fixture, Tournament
from tournaments.selectors.pages.tournament_page import entries_of, tie_breaks_of
from tournaments.selectors.standings.results import byes_of, field_of, results_of, standings_of
from tournaments.selectors.standings.tie_break_detail import reckoning_of
from tournaments.standings import standings
from tournaments.tasks import match_finished, sweep

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
    """End every match of the round being played, and tell the tournament of the last."""
    match_finished(finish_matches(cup)[-1])
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
    monkeypatch.setattr("tournaments.formats.swiss.pairing.cap", lambda _field, _tables: None)
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
    entries = entries_of(cup)
    entrants = {entry.version_id: entry.pk for entry in entries}
    fixed = cup.tie_breaks, cup.luck.value, byes_of(cup.stage)
    course = field_of(cup.stage).course
    again = standings(list(entrants.values()), results_of(cup.stage, entrants), *fixed, course=course)
    assert standings_of(cup.stage) == again


def test_a_round_is_drawn_when_the_last_match_of_the_one_before_ends_and_once():
    cup = swiss(6, rounds=2)
    first, *others = finish_matches(cup, most=1)
    match_finished(first)
    cup.refresh_from_db()
    assert cup.stage.drawn == 1
    others = finish_matches(cup)
    for match_id in others:
        match_finished(match_id)
    for match_id in [first, *others]:  # messages may come twice
        match_finished(match_id)
    sweep()
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
    sweep()
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
        match_finished(match_id)
    sweep()
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
    sweep()
    cup.refresh_from_db()
    assert (cup.state, cup.stage.drawn, cup.stage.rounds) == ("finished", 1, 5)


# --- pages and data --------------------------------------------------------------------------------------------------


def test_every_page_of_a_swiss_is_clean_and_shows_rounds_as_they_come(client):
    cup = swiss(7, rounds=2)
    before = page(client, "detail", cup.slug)
    assert_clean_page(before)
    assert "Round 1 of 2" in cells_of(before)["tournament-progress"]
    assert "bye: 1 point" in text_of(before)
    play_round(cup)
    live = page(client, "live", cup.slug, query="?from=running")
    assert 'id="r2"' in live.content.decode()
    assert 'id="r2"' not in before.content.decode()
    for number in (1, 2):
        shown = page(client, "pairings", cup.slug, number)
        assert_clean_page(shown)
    play_round(cup)
    for name in ("detail", "tie-breaks"):
        assert_clean_page(page(client, name, cup.slug))
    assert client.get(reverse("tournaments:pairings", args=[cup.slug, 3])).status_code == 404


def test_the_reasons_on_the_page_are_those_that_were_kept(client):
    cup = swiss(7, rounds=4)
    for _ in range(3):
        play_round(cup)
    names = dict(cup.entries.values_list("pk", "bot__name"))
    text = text_of(page(client, "pairings", cup.slug, 4))
    tables = tables_of(cup, 4)
    for number, table in enumerate(tables, start=1):
        part = text.split(f"Table {number} ")[1].split("Table ")[0].split(" Bye ")[0]
        for chair in table.chairs:
            assert names[chair.entrant] in part
        assert ("floats" in part) == any(chair.float for chair in table.chairs)
        assert ("Rematches avoided" in part) == bool(table.avoided)
    (bye,) = cup.byes.filter(round__number=4)
    assert f"Bye {names[bye.entry_id]} It had had 0 byes" in text


@pytest.mark.parametrize("players", [2, 3])
def test_the_opponents_on_the_page_add_up_to_the_tie_breaks_of_the_standings(client, players):
    cup = swiss(9, rounds=3, players=players)  # more than there are scores, so some are level, whoever meets
    for _ in range(3):
        play_round(cup)
    (stage,), entries = cup.stages.all(), {entry.pk: entry for entry in cup.entries.all()}
    rows = {row.entrant: row for row in standings_of(stage)}
    compared = Counter(code for row in rows.values() for code in row.values)
    assert compared["buchholz_cut_1"] > 1
    for entry, row in rows.items():
        told = reckoning_of(stage, entries[entry], tie_breaks_of(cup), entries)
        assert all(one.ended == rows[one.entry.pk].points for sat in told.tables for one in sat.opponents)
        assert sum(sat.gained for sat in told.tables) == pytest.approx(row.points)
        own = min(row.points, stage.rounds / 2) if players == 2 else row.points
        means = [fmean([one.ended for one in sat.opponents] or [own]) for sat in told.tables]
        assert means == pytest.approx([sat.strength for sat in told.tables])
        opposition = sorted(means)
        shown = {one.code: value for one, value in told.values}
        assert shown["buchholz"] == pytest.approx(sum(opposition))
        assert shown["buchholz_cut_1"] == pytest.approx(sum(opposition[1:]))
        assert row.values.items() <= shown.items()
    shown = page(client, "reckoning", cup.slug, told.row.entrant)
    assert_clean_page(shown)
    sat_at = [sat.match_id for sat in told.tables if sat.match_id]
    assert all(reverse("matches:detail", args=[match]) in shown.content.decode() for match in sat_at)
    assert client.get(reverse("tournaments:reckoning", args=[cup.slug, 999999])).status_code == 404


def test_the_page_of_a_match_leads_to_why_these_bots_met(client):
    cup = swiss(4)
    fixture = cup.fixtures.get(table=2)
    link = f"{reverse('tournaments:pairings', args=[cup.slug, 1])}?table=2#t2"
    assert link in client.get(reverse("matches:detail", args=[fixture.match_id])).content.decode()
    assert 'id="t2"' in page(client, "pairings", cup.slug, 1).content.decode()


def test_data_of_a_swiss_includes_reasons_and_byes(client):
    cup = swiss(7, rounds=2)
    play_round(cup)
    (data,) = json.loads(page(client, "export", cup.slug, "tournament.json").getvalue())["stages"]
    assert (data["format"], data["rounds"], len(data["byes"])) == ("swiss", 2, 2)
    assert [PairedTable.read(one["reasons"]) for one in data["fixtures"] if one["round"] == 2] == tables_of(cup, 2)
    rows = list(csv.DictReader(io.StringIO(page(client, "export", cup.slug, "fixtures.csv").getvalue().decode())))
    assert Counter(row["state"] for row in rows) == {"finished": 6, "queued": 6, "bye": 2}
    assert {row["score_group"] for row in rows if row["round"] == "2" and row["state"] != "bye"} <= {"0.0", "1.0"}


def test_queries_do_not_grow_with_the_rounds(client, django_assert_max_num_queries):
    cup = swiss(8, rounds=3)
    client.force_login(cup.organiser)
    for _ in range(3):
        for name, *args in [("detail",), ("live",), ("pairings", 1), ("export", "tournament.json")]:
            with django_assert_max_num_queries(36):
                page(client, name, cup.slug, *args)
        play_round(cup)


def test_the_form_makes_a_swiss_with_its_rounds_and_tie_breaks_in_order(client):
    client.force_login(OrganiserFactory())
    ties = {"tie_break_1": "wins", "tie_break_2": "", "tie_break_3": "buchholz", "tie_break_4": "", "tie_break_5": ""}
    client.post("/tournaments/new/", typed(format="swiss", rounds=6, players_per_table=5, **ties))
    cup = Tournament.objects.get()
    assert (cup.stage.format, cup.stage.rounds, cup.stage.smallest_table, cup.tie_breaks) == (
        "swiss",
        6,
        3,
        ["wins", "buchholz", "lot"],
    )
    shown = client.get(reverse("tournaments:edit", args=[cup.slug]))
    assert_clean_page(shown)
    form = shown.context["form"]
    assert [form[f"tie_break_{place}"].value() for place in (1, 2, 3)] == ["wins", "buchholz", None]
    assert (form["format"].value(), form["rounds"].value()) == ("swiss", 6)


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("format", "ladder", "not one of the available choices"),
        ("rounds", "", "needs a number of rounds"),
        ("rounds", "0", "greater than or equal to 1"),
        ("rounds", "51", "less than or equal to 50"),
        ("tie_break_1", "chess", "not one of the available choices"),
        ("tie_break_2", "wins", "further up already"),
        ("tie_break_3", "buchholz", "choose none after it"),
    ],
)
def test_what_is_wrong_with_a_format_is_said_beside_its_field(client, field, value, reason):
    client.force_login(OrganiserFactory())
    data = {"format": "swiss", "tie_break_1": "wins", "tie_break_2": "lot", field: value}
    response = client.post("/tournaments/new/", typed(**data))
    assert response.status_code == 422
    assert reason in " ".join(response.context["form"].errors[field])
    assert not Tournament.objects.exists()


@pytest.mark.parametrize(
    ("format_name", "chosen", "kept"),
    [
        ("swiss", "", ["buchholz_cut_1", "buchholz", "direct_encounter", "wins", "margin", "lot"]),
        ("round_robin", "", ["wins", "direct_encounter", "sonneborn_berger", "margin", "lot"]),
        ("swiss", "lot", ["lot"]),
    ],
)
def test_without_a_choice_ties_are_broken_as_is_customary_for_the_format(client, format_name, chosen, kept):
    client.force_login(OrganiserFactory())
    assert client.get(f"/tournaments/new/?format={format_name}").context["form"]["format"].value() == format_name
    client.post("/tournaments/new/", typed(format=format_name, tie_break_1=chosen))
    cup = Tournament.objects.get()
    assert cup.tie_breaks == kept
    shown = client.get(reverse("tournaments:edit", args=[cup.slug])).context["form"]
    assert (shown["tie_break_1"].value() or "", shown["tie_break_2"].value()) == (chosen, None)


def test_a_round_robin_takes_its_tie_breaks_from_the_form_and_no_rounds(client):
    client.force_login(OrganiserFactory())
    client.post("/tournaments/new/", typed(rounds=9, tie_break_1="buchholz", tie_break_2="margin", tie_break_4=""))
    cup = Tournament.objects.get()
    assert (cup.stage.format, cup.stage.rounds, cup.tie_breaks[:2]) == ("round_robin", 0, ["buchholz", "margin"])


def test_late_entries_are_offered_on_the_page_while_they_are_taken(client):
    cup = swiss(4, rounds=2)
    author = UserFactory()
    bot = bot_of(author)
    client.force_login(author)
    assert "Enter a bot" in text_of(page(client, "detail", cup.slug))
    assert client.post(reverse("tournaments:enter", args=[cup.slug]), {"bot": bot.pk}).status_code == 302
    play_round(cup)
    assert "Enter a bot" not in text_of(page(client, "detail", cup.slug))
    entry = cup.entries.get(bot=bot)
    client.post(reverse("tournaments:withdraw", args=[cup.slug, entry.pk]))
    entry.refresh_from_db()
    assert entry.is_withdrawn
