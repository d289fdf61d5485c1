"""The page for a projector: it says where a tournament stands, and follows it by itself."""

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from matches.models import Match, MatchLog
from tests.arena.pages import assert_clean_page
from tests.matches.airing.on_air import air, play
from tests.matches.factories import leased
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import Publication, Round, Tournament
from tournaments.services import tournament_advance
from web.topics import topic_ticket

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def screen(client: Client, cup: Tournament) -> str:
    response = client.get(reverse("tournaments:screen", args=[cup.slug]))
    assert_clean_page(response)
    return response.content.decode()


def parts(html: str) -> list[str]:
    return re.findall(r'data-view="([^"]+)"', html)


def ranks(html: str) -> list[str]:
    return re.findall(r'class="rank number">([^<]*)<', html)


def test_before_the_start_it_counts_down_and_names_the_entries(client: Client) -> None:
    begins = timezone.now() + timedelta(hours=2)
    cup = TournamentFactory(entries=3, first_round_at=begins)
    html = screen(client, cup)
    assert parts(html) == ["start", "entries"]
    assert f'<count-down\n      datetime="{begins.isoformat()}"' in html
    assert "3 bots entered" in html
    assert all(entry.bot.name in html for entry in cup.entries.all())


def test_it_follows_the_tournament_at_its_own_address_and_leads_phones_to_its_page(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2)
    html = screen(client, cup)
    assert f'data-shared topic="{topic_ticket(f"tournament.{cup.pk}")}" src="/tournaments/{cup.slug}/screen/"' in html
    assert {"screen-now", "screen-stage", "screen-rail"} == set(re.findall(r'id="([\w-]+)" data-live', html))
    assert f"testserver/<wbr>tournaments/<wbr>{cup.slug}/<wbr>" in html
    assert 'viewBox="0 0' in html.partition('class="screen-code"')[2]


def test_it_shows_all_tables_of_the_round_that_is_played_and_boards_where_there_is_room(client: Client) -> None:
    cup = running_tournament(8, format="swiss", rounds=2)
    match = Match.objects.filter(fixture__round__tournament=cup, fixture__table=3).get()
    leased(match)
    MatchLog.objects.create(match=match, attempt=1, game=0, seed=bytes(16))
    html = screen(client, cup)
    assert parts(html) == ["round 1"]
    assert html.count('class="screen-table') == 4
    assert html.count('class="screen-board"') == 4
    assert html.count("live-badge") == 1
    many = screen(client, running_tournament(26, format="swiss", rounds=2))
    assert parts(many) == ["round 1", "standings"]
    assert (many.count('class="screen-table'), many.count('class="screen-board"')) == (13, 0)


def test_the_next_round_takes_the_place_of_the_one_before(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=3)
    assert ranks(screen(client, cup)) == ["\N{EN DASH}"] * 4
    finish_matches(cup)
    played = screen(client, cup)
    assert "round 1" in parts(played)
    assert ranks(played)[0] == "1"
    tournament_advance(tournament_id=cup.pk)
    assert "round 2" in parts(screen(client, cup))
    Tournament.objects.filter(pk=cup.pk).update(round_minutes=10)
    at = timezone.now() + timedelta(minutes=5)
    Round.objects.filter(tournament=cup, number=2).update(started_at=None, starts_at=at)
    waits = screen(client, cup)
    assert "round 1" in parts(waits)
    assert f'datetime="{at.isoformat()}"' in waits.partition('class="screen-next"')[2]


def test_a_round_that_waits_for_the_organiser_is_shown_to_nobody(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2, has_round_review=True)
    Round.objects.filter(tournament=cup).update(started_at=None, starts_at=timezone.now() + timedelta(minutes=5))
    client.force_login(cup.organiser)
    html = screen(client, cup)
    assert "screen-table" not in html
    assert "screen-next" not in html


def test_a_knockout_has_its_bracket_and_a_large_one_its_last_rounds(client: Client) -> None:
    cup = running_tournament(40, format="single_elimination")
    html = screen(client, cup)
    assert parts(html) == ["round 1", "bracket winners", "standings"]
    assert html.count('class="bracket-round"') == 4
    assert html.count('class="bout"') == 15
    assert 'class="bout-card" href' not in html


def test_at_the_end_it_shows_the_podium_and_the_whole_standings(client: Client) -> None:
    cup = running_tournament(14, format="swiss", rounds=1)
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    html = screen(client, cup)
    assert parts(html) == ["podium", "standings"]
    assert re.findall(r'data-place="(\d)"', html)[0] == "1"


def test_results_that_are_not_published_are_not_on_it(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2, publication=Publication.HIDDEN)
    finish_matches(cup)
    html = screen(client, cup)
    assert parts(html) == ["closed"]
    assert "topic=" not in html
    assert "data-shared" not in html
    assert not any(entry.bot.name in html for entry in cup.entries.all())
    client.force_login(cup.organiser)
    assert parts(screen(client, cup)) == ["closed"]
    Tournament.objects.update(publication=Publication.PARTICIPANTS)
    assert parts(screen(client, cup)) == ["round 1"]
    assert parts(screen(Client(), cup)) == ["closed"]


def test_a_coming_broadcast_shows_no_result(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2, tempo="every")
    for match in Match.objects.filter(fixture__round__tournament=cup):
        play(match)
        air(match, elapsed=-600)
    html = screen(client, cup)
    assert html.count("broadcast to come") == 2
    assert "seat-name first" not in html
    assert "screen-next" in html
