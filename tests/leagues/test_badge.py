"""The badge of a bot in a league: its rank and rating as a picture, which hostile names do not leave."""

import random
from collections import defaultdict
from xml.etree import ElementTree  # our own pictures

import pytest
from django.test import Client
from django.urls import reverse

from leagues import services
from leagues.models import Season
from leagues.selectors.ladder import ladder_line
from tests.leagues.factories import member_of, open_league, play
from web.previews import badge_svg


@pytest.mark.django_db
def test_it_shows_where_the_bot_stands_and_may_be_cached(client: Client) -> None:
    league = open_league(name='Yard <script>"&')
    member = member_of(league)
    address = reverse("leagues:badge", args=[league.slug, member.bot.slug])
    assert address == f"/leagues/{league.slug}/bots/{member.bot.slug}/badge.svg"
    response = client.get(address)
    assert response["Content-Type"] == "image/svg+xml"
    assert "public" in response["Cache-Control"]
    picture = ElementTree.fromstring(response.content)
    title = picture.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text == 'Yard <script>"&: –'  # noqa: RUF001
    assert not picture.findall(".//{http://www.w3.org/2000/svg}script")
    assert client.get(reverse("leagues:badge", args=[league.slug, "nobody"])).status_code == 404
    assert client.post(address).status_code == 405


@pytest.mark.django_db
def test_it_has_the_rank_and_rating_of_the_ladder(season: Season, client: Client) -> None:
    services.season_schedule(season_id=season.pk)
    play(season, defaultdict(float), random.Random(1))
    services.season_refit(season_id=season.pk)
    shown = 0
    for member in season.league.memberships.select_related("bot"):
        row = ladder_line(season, member)
        text = client.get(reverse("leagues:badge", args=[season.league.slug, member.bot.slug])).content.decode()
        assert row is not None
        assert (f">#{row.rank} · {row.points:.0f} ± {row.within:.0f}<" in text) == bool(row.rank)
        shown += bool(row.rank)
    address = reverse("leagues:bot", args=[season.league.slug, member.bot.slug])
    code = f"[![rank](http://testserver{address}badge.svg)](http://testserver{address})</code>"
    assert code in client.get(address).content.decode()
    assert shown


@pytest.mark.parametrize("name", ["x" * 200, "\x00\x1b]<&>'\"", "", "\N{BIRD}\u202e"])
def test_any_name_makes_a_small_picture_that_parses(name: str) -> None:
    picture = ElementTree.fromstring(badge_svg(name, "#1 · 1612 ± 40"))
    assert int(picture.attrib["width"]) < 400
