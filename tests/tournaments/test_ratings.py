"""The ratings beside the official rank: which games count, what a page shows, and when they are fitted again."""

import csv
import io
import json
from time import time

import pytest
from django.urls import reverse

from matches.models import Match
from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.snapshot_worker import refresh_snapshots_at_once
from tournaments.models import Entry, Ruling, Tournament
from tournaments.selectors.standings import ratings
from tournaments.services import tournament_advance, tournament_snapshots_refresh
from web import snapshots

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_broker(monkeypatch):
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def played(tournament, most=None):
    """The stronger bot, by number, is first in all games; with the times and faults of one who is slower each match."""
    entry_of = dict(Entry.objects.filter(tournament=tournament).values_list("version", "pk"))
    for number, match in enumerate(finish_matches(tournament, most=most), start=1):
        seats = list(Match.objects.get(pk=match).seats.all())
        order = sorted((entry_of[seat.version_id] for seat in seats), reverse=True)
        for seat in seats:
            seat.places = [1 + order.index(entry_of[seat.version_id])] * len(seats)
            seat.slowest_ms, seat.faulty_games = 10.0 * number, 1
            seat.save()
    return tournament


def rated(tournament):
    return ratings.tournament_ratings_of(tournament)


def page(client, name, *args):
    return client.get(reverse(f"tournaments:{name}", args=args))


def test_every_entry_is_rated_from_the_games_of_all_its_finished_matches():
    cup = played(running_tournament(4, blocks=3))
    table = rated(cup)
    entries = list(Entry.objects.filter(tournament=cup).order_by("-pk").values_list("pk", flat=True))
    assert [line.entry for line in table.lines] == entries
    assert table.matches == 6
    # Three matches of one block each (the places of two games), all won, then one lost more with each place.
    assert {(line.rating.blocks, line.rating.games) for line in table.lines} == {(3, 6)}
    assert table.lines[0].rating.points > 1500 > table.lines[-1].rating.points
    assert table.lines[0].rank.low == 1
    assert [line.faulty_games for line in table.lines] == [3] * 4
    assert all(line.slowest_ms in (40, 50, 60) for line in table.lines)


def test_nothing_is_rated_before_a_match_has_finished():
    assert rated(TournamentFactory(entries=3)).lines == ()
    assert rated(running_tournament(3)).lines == ()


def test_a_match_more_is_a_new_fit_and_the_same_matches_are_not(monkeypatch):
    cup = played(running_tournament(4), most=2)
    first = rated(cup)
    assert first.matches == 2
    with monkeypatch.context() as patch:
        patch.setattr(ratings, "strengths_fit", lambda *_: pytest.fail("fitted again"))
        assert rated(cup) == first
    assert rated(played(cup)).matches == 6


@pytest.fixture
def large(monkeypatch):
    """All tournaments are large."""
    monkeypatch.setattr(ratings, "MATCHES_AT_ONCE", 0)


def shown(tournament):
    """The ratings that its page shows."""
    return ratings.tournament_ratings_snapshot(tournament)


def test_a_fit_of_a_large_tournament_serves_a_while_though_matches_finish(monkeypatch, large):
    refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(ratings, "REFRESH_RATIO", 1e6)
    cup = played(running_tournament(4), most=2)
    assert rated(cup).matches == 2
    assert rated(played(cup)).matches == 2
    assert shown(cup).value.matches == 2
    assert shown(cup).stale_until > time()
    Tournament.objects.filter(pk=cup.pk).update(state="cancelled")
    cup.refresh_from_db()
    assert rated(cup).matches == 6
    assert not shown(cup).is_stale


def test_a_ruling_ends_the_time_of_a_fit_of_a_large_tournament(monkeypatch, large):
    refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(ratings, "REFRESH_RATIO", 1e6)
    cup = played(running_tournament(4))
    assert shown(cup).value.matches == 6
    rule(cup, 1, "void", match=cup.fixtures.first().match)
    assert shown(cup).value.matches == rated(cup).matches == 5


def test_nobody_who_looks_at_the_standings_waits_for_a_fit(monkeypatch, large):
    cup = played(running_tournament(4), most=2)
    with monkeypatch.context() as patch:
        patch.setattr(ratings, "strengths_fit", lambda *_: pytest.fail("fitted here"))
        cached = shown(cup)
    assert cached.value.lines == ()
    assert time() < cached.stale_until <= time() + 2
    tournament_snapshots_refresh(what="ratings", pk=cup.pk)  # what a worker does upon the request
    assert shown(cup).value.matches == 2
    assert not shown(cup).is_stale


def test_a_worker_fits_ratings_that_a_reader_of_a_large_tournament_misses(monkeypatch, large):
    requested = refresh_snapshots_at_once(monkeypatch)
    monkeypatch.setattr(snapshots, "REFRESH_EVERY", 0)
    monkeypatch.setattr(ratings, "REFRESH_RATIO", 0)
    cup = played(running_tournament(4), most=2)
    assert shown(cup).value.matches == 2
    played(cup)
    assert rated(cup).matches == 6
    assert requested == [("ratings", cup.pk)] * 2


def rule(tournament, number, kind, **about):
    made = {"basis": str(number), "reason": "seen", "by": tournament.organiser}
    return Ruling.objects.create(tournament=tournament, number=number, kind=kind, **made, **about)


def test_what_was_ruled_void_or_replaced_has_no_games_and_an_annulled_bot_is_not_there():
    cup = played(running_tournament(4))
    before = rated(cup)
    one, other = (fixture.match for fixture in cup.fixtures.all()[:2])
    rule(cup, 1, "void", match=one)
    assert rated(cup).matches == 5
    rule(cup, 2, "replace", match=other, data={"scores": {}})
    assert rated(cup).matches == 4
    rule(cup, 3, "reinstate", match=one)
    rule(cup, 4, "reinstate", match=other)
    assert rated(cup).lines == before.lines
    rule(cup, 5, "disqualify", entry_id=before.lines[0].entry, data={"annul": True})
    left = rated(cup)
    assert [line.entry for line in left.lines] == [line.entry for line in before.lines[1:]]
    assert {line.rating.games for line in left.lines} == {4}


def test_the_page_shows_rank_interval_rating_and_bar_beside_the_official_rank(client):
    cup = played(running_tournament(4))
    response = page(client, "ratings", cup.slug)
    assert_clean_page(response)
    text = response.content.decode()
    assert text.count("rating-bar") == 4
    assert "All ratings are provisional" in text
    assert ">provisional<" not in text, "once above, not on each row"
    assert "after 6 matches" in text
    assert [official for _, _, official, _ in response.context["lines"]] == [1, 2, 3, 4]
    assert "rating-bar" in page(client, "detail", cup.slug).content.decode()


def test_before_the_first_match_the_page_says_so(client):
    response = page(client, "ratings", TournamentFactory(entries=2).slug)
    assert_clean_page(response)
    assert "Nothing to rate yet" in response.content.decode()


def test_the_page_names_groups_that_no_chain_of_games_connects(client):
    cup = played(running_tournament(4, format="swiss", rounds=2))
    response = page(client, "ratings", cup.slug)
    assert_clean_page(response)
    text = response.content.decode()
    assert "No chain of games connects all bots" in text
    assert text.count("Group 1:") == text.count("Group 2:") == 1
    assert text.count("group 1<") == text.count("group 2<") == 2
    tournament_advance(tournament_id=cup.pk)
    played(cup)
    assert "No chain of games" not in page(client, "ratings", cup.slug).content.decode()


def test_the_rank_by_rating_is_named_beside_the_rank_by_points(client):
    text = page(client, "detail", played(running_tournament(4)).slug).content.decode()
    assert text.count("Rating rank 1") >= 1
    assert "Rank by points and tie-breaks" in text


def test_a_draft_shows_its_ratings_to_nobody_else(client):
    assert page(client, "ratings", TournamentFactory(state="draft").slug).status_code == 404


def test_ratings_can_be_taken_home(client):
    cup = played(running_tournament(3))
    rows = list(
        csv.DictReader(io.StringIO(page(client, "ratings-export", cup.slug, "ratings.csv").getvalue().decode()))
    )
    data = json.loads(page(client, "ratings-export", cup.slug, "ratings.json").getvalue())
    assert [row["rank"] for row in rows] == [str(row["rank"]) for row in data["ratings"]]
    assert [float(row["rating"]) for row in rows] == [row["rating"] for row in data["ratings"]]
    best, middle, worst = data["ratings"]  # the best has won all its games: nothing bounds it above
    assert best["low"] < best["rating"]
    assert best["high"] is None
    assert middle["low"] < middle["rating"] < middle["high"]
    assert worst["low"] is None
    assert {row["group"] for row in data["ratings"]} == {1}
    assert data["matches"] == 3
    assert page(client, "ratings-export", cup.slug, "passwords.csv").status_code == 404


@pytest.mark.parametrize("name", ["ratings", "ratings-export"])
def test_queries_do_not_grow_with_the_tournament(client, django_assert_max_num_queries, name):
    for entries in (4, 12):
        cup = played(running_tournament(entries))
        with django_assert_max_num_queries(21):
            assert page(client, name, cup.slug, *(["ratings.csv"] if "export" in name else [])).status_code == 200
