"""Parts of tournaments in frames of other sites."""

import re
from datetime import timedelta

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.arena.pages import assert_clean_page
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tournaments.models import Publication, Tournament
from tournaments.services import tournament_advance

pytestmark = pytest.mark.django_db
PARTS = ("countdown", "podium", "standings", "bracket")


@pytest.fixture(autouse=True)
def _alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    caches["optional"].clear()


def statuses(client: Client, cup: Tournament) -> dict[str, int]:
    return {one: client.get(reverse("tournaments:embed", args=[cup.slug, one])).status_code for one in PARTS}


def offered(client: Client, cup: Tournament) -> list[str]:
    html = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    return re.findall(rf'<iframe[^>]* src="/tournaments/{cup.slug}/embed/(\w+)/"', html)


def part(client: Client, cup: Tournament, name: str, query: str = "") -> str:
    response = client.get(reverse("tournaments:embed", args=[cup.slug, name]) + query)
    assert_clean_page(response)
    assert "X-Frame-Options" not in response
    assert "frame-ancestors *" in response["Content-Security-Policy"]
    html = response.content.decode()
    assert f'data-shared topic="tournament.{cup.pk}:' in html
    assert f'href="/tournaments/{cup.slug}/"' in html
    assert "site-header" not in html
    return html


def test_before_the_start_there_is_a_countdown(client: Client) -> None:
    begins = timezone.now() + timedelta(hours=2)
    cup = TournamentFactory(first_round_at=begins, entries=2)
    assert f'<count-down datetime="{begins.isoformat()}">' in part(client, cup, "countdown")
    assert offered(client, cup) == ["countdown"]
    assert "has not started" in part(client, cup, "standings")


def test_standings_name_every_bot_with_its_points(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2)
    assert '<td class="rank">1<' not in part(client, cup, "standings")  # no rank before a result
    finish_matches(cup)
    caches["optional"].clear()
    html = part(client, cup, "standings", "?theme=dark")
    assert '<td class="rank">1</td>' in html
    assert 'data-theme="dark"' in html
    assert all(f"/bots/{entry.bot.slug}/" in html for entry in cup.entries.select_related("bot"))
    assert offered(client, cup) == ["countdown", "standings"]
    assert client.get(reverse("tournaments:embed", args=[cup.slug, "bracket"])).status_code == 404
    assert client.get(reverse("tournaments:embed", args=[cup.slug, "secrets"])).status_code == 404


def test_at_the_end_of_a_knockout_there_are_its_bracket_and_its_podium(client: Client) -> None:
    cup = running_tournament(2, format="single_elimination")
    assert "when the tournament is over" in part(client, cup, "podium")
    finish_matches(cup)
    tournament_advance(tournament_id=cup.pk)
    assert offered(client, cup) == ["podium", "standings", "bracket"]
    assert 'data-place="1"' in part(client, cup, "podium")
    assert "bout-card" in part(client, cup, "bracket")


def test_the_code_to_copy_is_that_of_the_preview(client: Client) -> None:
    cup = running_tournament(4, format="swiss", rounds=2)
    html = client.get(reverse("tournaments:detail", args=[cup.slug])).content.decode()
    code = re.search(r'id="embed-standings">(.*?)</code>', html)
    assert code is not None
    assert f'src="http://testserver/tournaments/{cup.slug}/embed/standings/"' in code[1]
    assert 'data-copy-from="embed-standings"' in html


def test_hidden_tournaments_and_drafts_stay_hidden_in_frames(client: Client) -> None:
    cup = running_tournament(2, format="single_elimination", publication=Publication.HIDDEN)
    assert statuses(client, cup) == {"countdown": 200, "podium": 403, "standings": 403, "bracket": 403}
    assert "topic=" not in client.get(reverse("tournaments:embed", args=[cup.slug, "countdown"])).content.decode()
    draft = TournamentFactory(state="draft")
    assert set(statuses(client, draft).values()) == {404}
    client.force_login(cup.organiser)
    assert set(statuses(client, cup).values()) == {200}
    assert offered(client, cup) == ["countdown"]
