"""The home page: before the first match and with matches running."""

import re
from datetime import timedelta
from typing import Any
from unittest.mock import Mock
from xml.etree.ElementTree import fromstring

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from arena.demo import CUPS
from arena.site import selectors
from bots.models import Bot
from games.catalogue import GAMES
from games.picture import BYTES_MAX
from matches.models import Match, MatchState, WorkerPresence
from matches.queue.worker_status import SEEN_WITHIN, worker_seen
from tests.arena.pages import assert_clean_page
from tests.matches.factories import FinishedMatchFactory, MatchFactory
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import Publication, Tournament, TournamentState
from tournaments.services import tournament_advance
from web.database import database_after

pytestmark = pytest.mark.django_db


def home(client: Client) -> str:
    page = client.get("/")
    assert_clean_page(page)
    return page.content.decode()


def test_an_empty_site_says_what_is_to_come_and_has_no_empty_sections(client: Client) -> None:
    html = home(client)
    assert "No matches yet. The first one" in html
    for section in ("Happening now", "Latest matches", "Recent champions"):
        assert section not in html
    assert " queued" not in html
    assert "view[&quot;actions&quot;]" in html


def test_a_running_tournament_shows_how_far_it_is_and_its_latest_matches(client: Client) -> None:
    finish_matches(running_tournament(entries=4, name="Lakeside Open"), most=2)
    html = home(client)
    assert "Lakeside Open" in html
    assert re.search(r'<progress value="2" max="6"', html)
    just_in = html.partition('id="just-in"')[2]
    for match in Match.objects.filter(state=MatchState.FINISHED):
        assert f'href="{reverse("matches:detail", args=[match.pk])}"' in just_in
    assert f'data-every="10" src="{reverse("now")}"' in html


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
    assert [int(match) for match in shown] == [live.pk]
    assert html.count("live-badge") == 1


def test_drafts_and_cancelled_tournaments_are_nobodys_business(client: Client) -> None:
    TournamentFactory(name="Hatching", state=TournamentState.DRAFT)
    TournamentFactory(name="Called off", state=TournamentState.CANCELLED)
    html = home(client)
    assert "Hatching" not in html
    assert "Called off" not in html


def test_running_tournaments_come_first_then_the_next_to_start(client: Client) -> None:
    now = timezone.now()
    for name, hours in (("Tomorrow", 24), ("In an hour", 1)):
        TournamentFactory(name=name, first_round_at=now + timedelta(hours=hours))
    TournamentFactory(name="In a minute", state=TournamentState.LOCKED, first_round_at=now + timedelta(minutes=1))
    running_tournament(entries=2, name="Under way")
    html = home(client).partition('id="tournaments-now"')[2].partition("</ul>")[0]
    assert re.findall(r"<a href[^>]*>([^<]+)</a>", html) == ["Under way", "In a minute", "In an hour", "Tomorrow"]


def test_every_game_has_a_tile_that_leads_to_its_channel(client: Client) -> None:
    html = home(client)
    for name, game in GAMES.items():
        tile = html.partition(f'href="{reverse("watch:channel", args=[name])}"')[2].partition("</a>")[0]
        assert escape(game.title) in tile
        drawn = fromstring(tile.partition(">")[2].partition("</svg>")[0] + "</svg>")
        assert len(list(drawn.iter())) > 5
        assert len(tile) < BYTES_MAX


def test_a_game_that_cannot_be_drawn_takes_no_page_with_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.site.selectors.picture_board", Mock(side_effect=ValueError))
    selectors._board.__wrapped__.cache_clear()
    html = home(client)
    assert html.count('class="tile"') == len(GAMES)


def test_champions_are_shown_of_tournaments_with_public_results(client: Client) -> None:
    names = {}
    for number, publication in enumerate(Publication.values):
        cup = running_tournament(entries=2, name=f"Cup of {publication}")
        finish_matches(cup)
        assert tournament_advance(tournament_id=cup.pk)
        Tournament.objects.filter(pk=cup.pk).update(publication=publication)
        names[publication] = f"Bot {number} of {publication}"
        Bot.objects.filter(pk__in=cup.entries.values("bot")).update(name=names[publication])
    champions = home(client).partition('id="champions"')[2].partition("</section>")[0]
    for publication in Publication.values:
        assert (f"Cup of {publication}" in champions) == (publication == Publication.EVERYONE), publication
        assert (names[publication] in champions) == (publication == Publication.EVERYONE), publication


def test_a_running_tournament_has_no_champion(client: Client) -> None:
    finish_matches(running_tournament(entries=3))
    assert "Recent champions" not in home(client)


def test_names_are_never_markup(client: Client) -> None:
    running_tournament(name="<b>bold</b>")
    assert "<b>bold</b>" not in home(client)


def test_the_footer_has_the_links_of_the_operator(client: Client, settings: Any) -> None:
    assert "Privacy" not in home(client)
    settings.PRIVACY_URL, settings.CONTACT_URL = "https://example.org/privacy?a&b", "mailto:host@example.org"
    footer = client.get("/", {"lang": ""}).content.decode().partition("<footer")[2]
    assert 'href="https://example.org/privacy?a&amp;b">Privacy<' in footer
    assert 'href="mailto:host@example.org">Contact<' in footer


def test_the_machine_room_is_public(client: Client) -> None:
    MatchFactory()
    assert "no worker is running" in home(client)
    worker_seen(name="one")
    html = home(client)
    assert "All systems normal" in html
    assert "1 match waiting" in html


def test_a_worker_that_reports_late_is_not_shown_as_missing(client: Client) -> None:
    """Workers report late under load, and the footer must not change with each answer."""
    MatchFactory()
    worker_seen(name="one")
    for seconds, text in ((SEEN_WITHIN.seconds + 60, "All systems normal"), (91, "no worker is running")):
        WorkerPresence.objects.update(seen_at=database_after(-timedelta(seconds=seconds)))
        assert text in home(client)


def test_fragments_fetched_later_fit_into_the_page(client: Client) -> None:
    finish_matches(running_tournament(entries=3), most=1)
    html, fragment = home(client), client.get(reverse("now")).content.decode()
    html, fragment = (" ".join(text.split()) for text in (html, fragment))
    parts = re.findall(r'id="([\w-]+)" data-live', fragment)
    assert "tournament-" in " ".join(parts)
    assert "<html" not in fragment
    for part in parts:
        assert f'id="{part}" data-live' in html


def test_the_home_page_takes_a_bounded_number_of_queries(
    client: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    for _number in range(6):
        finish_matches(running_tournament(entries=3))
    with django_assert_max_num_queries(20):  # type: ignore[operator]
        client.get("/")
