"""The home page: before the first match and in the thick of it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from arena.demo.contests import CUPS
from matches.models import Match, MatchState, WorkerPresence
from matches.queue.worker_status import SEEN_WITHIN, worker_seen
from tests.arena.pages import assert_clean_page
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import TournamentState
from web.clock import database_after
from web.topics import topic_ticket

pytestmark = pytest.mark.django_db


def home(client: Client) -> str:
    page = client.get("/")
    assert_clean_page(page)
    return page.content.decode()


def test_an_empty_site_says_what_is_to_come(client: Client) -> None:
    html = home(client)
    assert "No tournaments yet" in html
    assert "No matches yet. The first one" in html
    assert " queued" not in html
    assert "view[&quot;actions&quot;]" in html


def test_a_running_tournament_shows_how_far_it_is_and_its_latest_matches(client: Client) -> None:
    cup = running_tournament(entries=4, name="Lakeside Open")
    finish_matches(cup, most=2)
    html = home(client)
    assert "Lakeside Open" in html
    assert re.search(r'<progress value="2" max="6"', html)
    just_in = html.partition('id="just-in"')[2]
    for match in Match.objects.filter(state=MatchState.FINISHED):
        assert f'href="{reverse("matches:detail", args=[match.pk])}"' in just_in
    assert f'topic="{topic_ticket(f"tournament.{cup.pk}")}"' in html


def test_all_cups_of_the_demo_are_there_while_they_run(client: Client) -> None:
    names = [f"The {cup.name}" for cup in CUPS]
    for name in [*names, "An author's own"]:
        running_tournament(entries=2, name=name)
    html = home(client)
    for name in [*names, "An author's own"]:
        assert f">{escape(name)}</a>" in html


def test_a_match_being_played_comes_first_and_is_called_live(client: Client) -> None:
    FinishedMatchFactory()
    live = MatchFactory(running=True, min_action_ms=500)
    html = home(client)
    shown = re.findall(r'class="mini-board" href="/matches/(\d+)/"', html)
    assert int(shown[0]) == live.pk
    assert len(shown) == 2
    assert html.count("live-badge") == 1


def test_drafts_and_cancelled_tournaments_are_nobodys_business(client: Client) -> None:
    TournamentFactory(name="Hatching", state=TournamentState.DRAFT)
    TournamentFactory(name="Called off", state=TournamentState.CANCELLED)
    html = home(client)
    assert "Hatching" not in html
    assert "Called off" not in html


def test_names_are_never_markup(client: Client) -> None:
    running_tournament(name="<b>bold</b>")
    assert "<b>bold</b>" not in home(client)


def test_the_machine_room_is_public(client: Client) -> None:
    MatchFactory()
    assert "no worker is up to play them" in home(client)
    worker_seen(name="one")
    html = home(client)
    assert "All systems normal" in html
    assert "1 queued" in html


def test_a_worker_that_reports_late_is_not_said_to_be_gone(client: Client) -> None:
    """Under load it does; the footer then told of it in one answer and of none in the next."""
    MatchFactory()
    worker_seen(name="one")
    for seconds, said in ((SEEN_WITHIN.seconds + 60, "All systems normal"), (91, "no worker is up to play them")):
        WorkerPresence.objects.update(seen_at=database_after(-timedelta(seconds=seconds)))
        assert said in home(client)


def test_what_is_fetched_while_the_page_is_open_fits_into_it(client: Client) -> None:
    finish_matches(running_tournament(entries=3), most=1)
    html, fragment = home(client), client.get(reverse("now")).content.decode()
    html, fragment = (" ".join(text.split()) for text in (html, fragment))
    parts = re.findall(r'id="([\w-]+)" data-live', fragment)
    assert {"status"} < set(parts)
    assert "<html" not in fragment
    for part in parts:
        assert f'id="{part}" data-live' in html


def test_the_home_page_asks_the_database_a_bounded_number_of_times(
    client: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for _number in range(6):
        finish_matches(running_tournament(entries=3))
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        client.get("/")
