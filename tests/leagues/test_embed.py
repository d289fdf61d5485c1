"""The ladder of a league in frames of other sites."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.arena.pages import assert_clean_page
from tests.leagues.factories import LeagueFactory, open_league

pytestmark = pytest.mark.django_db


def test_a_ladder_may_stand_in_a_frame_and_follows_its_league(client: Client) -> None:
    league = open_league(bots=3)
    response = client.get(reverse("leagues:embed", args=[league.slug]))
    assert_clean_page(response)
    assert "X-Frame-Options" not in response
    html = response.content.decode()
    assert f'data-shared topic="league.{league.pk}:' in html
    assert all(one.bot.name in html for one in league.memberships.select_related("bot"))
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert f'<iframe class="embed-preview" title="Ladder" src="/leagues/{league.slug}/embed/"' in page


def test_a_draft_is_in_no_frame(client: Client) -> None:
    league = LeagueFactory(state="draft")
    address = reverse("leagues:embed", args=[league.slug])
    assert client.get(address).status_code == 404
    client.force_login(league.organiser)
    assert client.get(address).status_code == 200
