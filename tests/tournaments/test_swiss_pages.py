"""Pages, forms and data of a Swiss: rounds as they come, the reasons for each table, ties and how they are chosen."""

import csv
import io
import json
import re
from collections import Counter
from statistics import fmean

import pytest
from django.urls import reverse

from tests.arena.factories import OrganiserFactory, UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import bot_of
from tests.tournaments.test_forms import typed
from tests.tournaments.test_pages import cells_of, page, text_of
from tests.tournaments.test_swiss import no_broker, play_round, swiss, tables_of  # noqa: F401  a fixture
from tournaments.formats import PairedTable
from tournaments.models import Tournament
from tournaments.selectors.standings.ranking import standings_of
from tournaments.selectors.standings.tie_breaks import tie_break_calculation_of, tournament_tie_breaks_of

pytestmark = pytest.mark.django_db


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
        assert bool(re.search("paired (up|down)", part)) == any(chair.float for chair in table.chairs)
        assert ("Rematches avoided" in part) == bool(table.avoided)
    (bye,) = cup.byes.filter(round__number=4)
    assert f"Bye {names[bye.entry_id]} It had had 0 byes" in text


@pytest.mark.parametrize("players", [2, 3])
def test_the_opponents_on_the_page_add_up_to_the_tie_breaks_of_the_standings(client, players):
    cup = swiss(9, rounds=3, players=players)  # more than there are scores, so some are level, however they are paired
    for _ in range(3):
        play_round(cup)
    (stage,), entries = cup.stages.all(), {entry.pk: entry for entry in cup.entries.all()}
    rows = {row.entrant: row for row in standings_of(stage)}
    compared = Counter(code for row in rows.values() for code in row.values)
    assert compared["buchholz_cut_1"] > 1
    for entry, row in rows.items():
        told = tie_break_calculation_of(stage, entries[entry], tournament_tie_breaks_of(cup), entries)
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
    shown = page(client, "calculation", cup.slug, told.row.entrant)
    assert_clean_page(shown)
    sat_at = [sat.match_id for sat in told.tables if sat.match_id]
    assert all(reverse("matches:detail", args=[match]) in shown.content.decode() for match in sat_at)
    assert client.get(reverse("tournaments:calculation", args=[cup.slug, 999999])).status_code == 404


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
            with django_assert_max_num_queries(43):
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
        ("tie_break_2", "wins", "already higher in the list"),
        ("tie_break_3", "buchholz", "choose no tie-break after it"),
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
