"""What each page shows, and what it costs."""

import csv
import hashlib
import io
import json
import re
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from games.contest_luck import contest_luck_lot
from matches.models import Match, Seat
from matches.queue.worker_status import worker_seen, worker_status_denied
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import EntryFactory, TournamentFactory, bot_of, finish_matches, running_tournament
from tournaments import services
from tournaments.models import Tournament
from tournaments.tasks import tournaments_tend_task

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def page(client, name, *args, query=""):
    response = client.get(reverse(f"tournaments:{name}", args=args) + query)
    assert response.status_code == 200
    return response


def text_of(response):
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


class LiveCells(HTMLParser):
    """The text of each live cell by its id."""

    def __init__(self, html):
        super().__init__()
        self.cells, self.cell, self.depth = {}, "", 0
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if "data-live" in attributes:
            self.cell, self.depth = attributes["id"], 0
            self.cells[self.cell] = ""
        if self.cell:
            self.depth += 1

    def handle_endtag(self, tag):
        self.depth -= 1
        if not self.depth:
            self.cell = ""

    def handle_data(self, data):
        if self.cell:
            self.cells[self.cell] += f"{data} "


def cells_of(response):
    return {name: " ".join(text.split()) for name, text in LiveCells(response.content.decode()).cells.items()}


@pytest.mark.parametrize("state", ["draft", "open", "running", "paused", "finished", "cancelled"])
@pytest.mark.parametrize("as_organiser", [True, False])
def test_every_page_is_clean_in_every_state(client, state, as_organiser):
    cup = TournamentFactory(state="draft") if state == "draft" else TournamentFactory(entries=4)
    if state not in ("draft", "open"):
        services.tournament_start(tournament=cup)
        finish_matches(cup, most=None if state == "finished" else 2)
        Match.objects.filter(pk=cup.fixtures.last().match_id, state="queued").update(state="held")
        if state == "finished":
            assert services.tournament_advance(tournament_id=cup.pk)
        else:
            Tournament.objects.filter(pk=cup.pk).update(state=state)
    if as_organiser:
        client.force_login(cup.organiser)
    elif state == "draft":
        return
    for name, args in [("list", []), ("detail", [cup.slug]), ("tie-breaks", [cup.slug])]:
        assert_clean_page(page(client, name, *args))
    page(client, "live", cup.slug)


def test_the_list_filters_by_state_in_the_address(client):
    open_cup, running = TournamentFactory(name="Open one"), running_tournament(2, name="Running one")
    everything, filtered = page(client, "list"), page(client, "list", query="?state=running")
    assert open_cup.name in text_of(everything)
    assert running.name in text_of(filtered)
    assert open_cup.name not in text_of(filtered)
    assert "Open one" in text_of(page(client, "list", query="?state=rubbish'--&page=-1"))


def test_the_list_counts_entries_that_were_not_withdrawn(client):
    cup = TournamentFactory(entries=2)
    EntryFactory(tournament=cup, is_withdrawn=True)
    assert "2 bots" in text_of(page(client, "list"))


def test_games_at_fault_are_called_so_beside_columns_that_count_matches(client):
    cup = running_tournament(3)
    finish_matches(cup)
    Seat.objects.filter(match__fixture__round__tournament=cup, index=0).update(faulty_games=2)
    for name in ("detail", "ratings"):
        html = page(client, name, cup.slug).content.decode()
        assert re.search(r"<th[^>]*><abbr[^>]*>Games lost to errors</abbr></th>", html), name
        assert re.search(r'data-label="Games lost to errors"[^>]*>\d', html), name
        assert ">Forfeited<" not in html, name


def test_rows_show_points_played_of_total_and_the_running_match_is_marked_live(client):
    cup = running_tournament(3)
    finish_matches(cup, most=1)
    Match.objects.filter(pk=cup.fixtures.exclude(match__state="finished").first().match_id).update(
        state="running", lease_expires_at="2030-01-01T00:00Z"
    )
    response = page(client, "detail", cup.slug)
    cells = cells_of(response)
    rows = {name: value for name, value in cells.items() if name.endswith(("-points", "-played"))}
    assert sorted(rows.values()) == ["0", "0", "0/2", "1", "1/2", "1/2"]
    assert "1 of 3 matches finished · 1 being played" in cells["tournament-progress"]
    fixtures = [value for name, value in cells.items() if re.fullmatch(r"f\d+", name)]
    assert len(fixtures) == 3
    assert sum(cell.endswith("live") for cell in fixtures) == 1
    assert sum(cell.endswith("Replay") for cell in fixtures) == 1


def test_the_live_answer_has_every_live_cell_of_the_page_with_fresh_content(client):
    cup = running_tournament(4)
    before = cells_of(page(client, "detail", cup.slug))
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    after = cells_of(page(client, "live", cup.slug, query="?from=running"))
    assert set(after) == set(before)
    assert after["tournament-state"] == "finished"
    assert "6 of 6" in after["tournament-progress"]
    best = max(cup.entries.values_list("pk", flat=True))
    assert (after[f"s{best}-rank"], after[f"s{best}-points"]) == ("1", "3")


def test_a_page_made_while_entering_learns_that_the_tournament_has_started(client):
    cup = running_tournament(2)
    assert (
        "This page is out of date"
        in cells_of(page(client, "live", cup.slug, query="?from=open"))["tournament-moved-on"]
    )
    assert cells_of(page(client, "live", cup.slug, query="?from=running"))["tournament-moved-on"] == ""


def test_a_page_made_while_playing_learns_that_the_tournament_has_ended(client):
    cup = running_tournament(2)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cells = {
        state: cells_of(page(client, "live", cup.slug, query=f"?from={state}")) for state in ("running", "finished")
    }
    assert "This page is out of date" in cells["running"]["tournament-moved-on"]
    assert cells["finished"]["tournament-moved-on"] == ""


def test_the_next_sweep_announces_leased_matches_to_the_pages_of_their_tournament(
    monkeypatch, django_capture_on_commit_callbacks
):
    topics = []
    monkeypatch.setattr("tournaments.services.transitions.hub_announce", lambda topic, **_: topics.append(topic))
    cup, other = running_tournament(2), running_tournament(2)
    for one, ago in ((cup, 5), (other, 300)):
        Match.objects.filter(fixture__round__tournament=one).update(
            state="running",
            started_at=timezone.now() - timedelta(seconds=ago),
            lease_expires_at=timezone.now() + timedelta(seconds=20),
        )
    with django_capture_on_commit_callbacks(execute=True):
        tournaments_tend_task()
    assert topics == [f"tournament.{cup.pk}"]


def test_the_crosstable_says_who_beat_whom(client):
    cup = running_tournament(3)
    finish_matches(cup)
    cells = cells_of(page(client, "detail", cup.slug))
    low, middle, high = sorted(cup.entries.values_list("pk", flat=True))
    assert [cells[f"c{a}-{b}"] for a, b in [(high, low), (low, high), (middle, low), (middle, high)]] == [
        "1",
        "0",
        "1",
        "0",
    ]


def test_a_bot_that_has_no_rating_yet_has_a_dash(client):
    cup = running_tournament(3)
    cells = cells_of(page(client, "detail", cup.slug))
    assert [value for name, value in cells.items() if name.endswith("-rating")] == ["\u2013"] * 3
    finish_matches(cup)
    cells = cells_of(page(client, "detail", cup.slug))
    assert all("Rating rank" in value for name, value in cells.items() if name.endswith("-rating"))


def test_level_matches_are_halves_everywhere(client):
    cup = running_tournament(3)
    finish_matches(cup, judge=lambda entries: [0.5 for _ in entries])
    cells = cells_of(page(client, "detail", cup.slug))
    assert {value for name, value in cells.items() if re.fullmatch(r"c\d+-\d+", name)} == {"½"}
    assert {value for name, value in cells.items() if name.endswith("-points")} == {"1"}
    assert {value for name, value in cells.items() if name.endswith("-wdl")} == {"0\u20132\u20130"}


def test_a_tie_is_explained_from_the_values_of_the_rows(client):
    cup = running_tournament(3)
    finish_matches(cup, judge=lambda entries: [0.5 for _ in entries])
    text = text_of(page(client, "tie-breaks", cup.slug))
    bots = {entry.pk: entry.bot.name for entry in cup.entries.select_related("bot")}
    first, second, third = sorted(bots, key=lambda entry: contest_luck_lot(cup.luck.value, "tie", entry))
    assert f"1. {bots[first]} above {bots[second]}" in text
    assert f"2. {bots[second]} above {bots[third]}" in text
    assert "Direct encounter (3 bots level) 1 : 1" in text
    lots = [contest_luck_lot(cup.luck.value, "tie", entry).hex()[:6] for entry in (first, second)]
    assert f"Lot (3 bots level) {lots[0]} : {lots[1]}" in text


def test_the_hash_is_shown_from_the_opening_on_and_the_secret_at_the_end_only(client):
    cup = TournamentFactory(entries=2, state="draft")
    commitment, secret = hashlib.sha256(bytes(cup.luck.secret)).hexdigest(), bytes(cup.luck.secret).hex()
    client.force_login(cup.organiser)
    seen = []

    def look():
        shown = page(client, "fairness", cup.slug).content.decode()
        data = page(client, "export", cup.slug, "tournament.json").getvalue().decode()
        assert (commitment in shown, secret in shown) == (commitment in data, secret in data)
        seen.append((commitment in shown, secret in shown))

    look()
    services.tournament_open(tournament=cup)
    look()
    services.tournament_start(tournament=cup)
    look()
    services.tournament_pause(tournament=cup)
    look()
    services.tournament_resume(tournament=cup)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    look()
    assert seen == [(False, False), (True, False), (True, False), (True, False), (True, True)]


def test_a_large_tournament_shows_one_round_and_the_address_chooses_it(client):
    cup = running_tournament(20)
    finish_matches(cup, most=10)
    shown = cells_of(page(client, "detail", cup.slug))
    assert "Round 2" in text_of(page(client, "detail", cup.slug))
    assert sum(bool(re.fullmatch(r"f\d+", name)) for name in shown) == 10
    assert "Round 19" in text_of(page(client, "detail", cup.slug, query="?round=19"))
    assert "Round 2" in text_of(page(client, "detail", cup.slug, query="?round=99999999999999999999"))


def test_queries_do_not_grow_with_the_tournament(client, django_assert_max_num_queries):
    for entries in (4, 9):
        cup = running_tournament(entries)
        finish_matches(cup)
        client.force_login(cup.organiser)
        for name, *more in (("detail",), ("live",), ("tie-breaks",), ("export", "tournament.json")):
            cache.clear()
            with django_assert_max_num_queries(40):
                page(client, name, cup.slug, *more)


def test_the_lists_queries_do_not_grow(client, django_assert_max_num_queries):
    for _ in range(10):
        TournamentFactory(entries=2)
    with django_assert_max_num_queries(8):
        page(client, "list")


def test_one_called_off_before_it_began_says_so_instead_of_empty_standings(client):
    cup = services.tournament_cancel(tournament=TournamentFactory(entries=3))
    text = text_of(page(client, "detail", cup.slug))
    assert "It had not begun." in text
    assert "Standings" not in text


def test_planned_matches_are_still_shown_after_a_bot_was_withdrawn(client):
    cup = running_tournament(5)
    cup.entries.filter(pk=cup.entries.first().pk).update(is_withdrawn=True)
    assert "10 matches in 5 rounds" in text_of(page(client, "detail", cup.slug))


def test_data_can_be_taken_home(client):
    cup = running_tournament(3, players_per_table=3)
    finish_matches(cup)
    data = json.loads(page(client, "export", cup.slug, "tournament.json").getvalue())
    assert [row["points"] for row in data["stages"][0]["standings"]] == [2, 1, 0]
    (fixture,) = data["stages"][0]["fixtures"]
    assert len(fixture["seats"]) == 3
    rows = list(csv.DictReader(io.StringIO(page(client, "export", cup.slug, "standings.csv").getvalue().decode())))
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    fixtures = list(csv.DictReader(io.StringIO(page(client, "export", cup.slug, "fixtures.csv").getvalue().decode())))
    assert {row["state"] for row in fixtures} == {"finished"}
    assert client.get(reverse("tournaments:export", args=[cup.slug, "passwords.txt"])).status_code == 404


def test_a_bot_named_like_a_formula_stays_a_name_in_a_spreadsheet(client):
    cup = TournamentFactory(entries=1)
    EntryFactory(tournament=cup, bot=bot_of(UserFactory(), name="=1+1"))
    services.tournament_start(tournament=cup)
    text = page(client, "export", cup.slug, "standings.csv").getvalue().decode()
    assert "'=1+1" in text
    assert ",=1+1" not in text


def test_names_are_text_and_never_markup(client):
    cup = TournamentFactory(entries=1, name="<b>Cup</b>", description="<script>alert(1)</script>")
    EntryFactory(tournament=cup, bot=bot_of(UserFactory(), name="<i>hen</i>"))
    services.tournament_start(tournament=cup)
    for name in ("list", "detail", "tie-breaks"):
        html = page(client, name, *([] if name == "list" else [cup.slug])).content.decode()
        assert not re.search(r"<script>alert|<b>Cup|<i>hen", html)


def test_a_tournament_of_a_retired_ruleset_still_has_its_page(client):
    cup = running_tournament(2)
    finish_matches(cup)
    Tournament.objects.filter(pk=cup.pk).update(ruleset="ludo/7", options={"board": "round"})
    assert "ludo" in text_of(page(client, "detail", cup.slug))


@pytest.mark.parametrize("name", ["detail", "live"])
def test_the_organiser_sees_why_nothing_is_played_and_that_nothing_is_lost(client, name):
    tournament = running_tournament(4)
    worker_status_denied(name="w@host", missing=["landlock: not in this kernel. Use Linux 5.13 or newer."])
    queued = Match.objects.filter(state="queued").count()
    assert queued
    assert "Use Linux 5.13" not in text_of(page(client, name, tournament.slug)), "spectators are not told the fix"
    client.force_login(tournament.organiser)
    text = text_of(page(client, name, tournament.slug))
    assert "Matches are paused: this machine cannot cage bots. Missing: landlock" in text
    assert "landlock: not in this kernel. Use Linux 5.13 or newer." in text
    assert "Nothing is lost" in text
    assert Match.objects.filter(state="queued").count() == queued
    worker_seen(name="other@host")
    assert "Matches are paused" not in text_of(page(client, name, tournament.slug))


def test_the_organiser_reads_why_matches_are_held_and_nobody_else_does(client):
    tournament = running_tournament(3)
    held = tournament.fixtures.first().match
    Match.objects.filter(pk=held.pk).update(state="held", last_platform_fault="the zygote died <b>")
    assert "zygote" not in text_of(page(client, "detail", tournament.slug))
    client.force_login(tournament.organiser)
    html = page(client, "detail", tournament.slug).content.decode()
    assert f"Match {held.pk}</a>: <code>the zygote died &lt;b&gt;</code>" in html


def test_a_newly_opened_tournament_is_not_called_a_draft(client):
    cup = TournamentFactory(state="draft")
    client.force_login(cup.organiser)
    assert "Open the tournament to let bots enter." in text_of(page(client, "detail", cup.slug))
    services.tournament_open(tournament=cup)
    assert "Open the tournament to let bots enter." not in text_of(page(client, "detail", cup.slug))
