"""Leagues in the API: visible to readers of their pages, with the same content."""

import random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leagues.selectors.exports import season_ladder_export_rows
from leagues.selectors.ladder import ladder_of
from leagues.services import season_refit, season_schedule
from matches.models import Audience, Match
from tests.arena.factories import UserFactory
from tests.arena.openapi import as_described
from tests.bots.test_permissions import token_of
from tests.leagues.attacks import arena_of, is_served
from tests.leagues.factories import LeagueFactory, open_league, play, season_of, worker_up

pytestmark = pytest.mark.django_db


def read(name: str, *args: Any, reader: Any = None, **query: Any) -> Any:
    headers = {"authorization": f"Token {token_of(reader)}"} if reader else {}
    return as_described(Client().get(reverse(f"api-leagues:{name}", args=args), query, headers=headers))


@pytest.mark.parametrize("who", ["anonymous", "outsider", "organiser", "staff"])
def test_a_draft_is_its_organisers(who: str) -> None:
    league = LeagueFactory()
    people = {"outsider": UserFactory(), "organiser": league.organiser, "staff": UserFactory(is_staff=True)}
    runs = who in ("organiser", "staff")
    assert read("list", reader=people.get(who)).json()["count"] == runs
    for name in ("detail", "seasons"):
        assert read(name, league.slug, reader=people.get(who)).status_code == (200 if runs else 404)


def test_a_ladder_is_that_of_the_page_with_its_intervals() -> None:
    league = open_league(bots=4)
    season = season_of(league)
    worker_up()
    season_schedule(season_id=season.pk)
    strengths = dict.fromkeys(league.memberships.values_list("bot", flat=True), 0.0)
    played = play(season, strengths, random.Random(3))
    season_refit(season_id=season.pk)
    data = read("ladder", league.slug, season.number).json()["results"]
    page = season_ladder_export_rows(ladder_of(season))
    assert [one["bot"]["name"] for one in data] == [row["bot"] for row in page]
    flags = {"provisional": "is_provisional", "benched": "is_benched"}  # the file keeps its columns
    for name in page[0].keys() - {"bot", "author", "house", "less_luck", "less_luck_low", "less_luck_high"}:
        assert [one[flags.get(name, name)] for one in data] == pytest.approx([row[name] for row in page], abs=0.05), (
            name
        )
    assert all(one["rating_low"] < one["rating"] < one["rating_high"] for one in data)
    listed = read("matches", league.slug, season.number, state="finished").json()["results"]
    assert {one["id"] for one in listed} == {match.pk for match in played}
    Match.objects.filter(pk=played[0].pk).update(audience=Audience.ORGANISER)
    assert len(read("matches", league.slug, season.number).json()["results"]) == Match.objects.count() - 1


def test_the_pairs_of_a_season_are_its_organisers_to_look_at() -> None:
    arena = arena_of(5, 2)
    _gain, served = is_served(arena, servants=1, matches=60)
    season, [clone] = arena.season, arena.servants
    names = dict(arena.league.memberships.values_list("bot", "bot__name"))
    address = reverse("leagues:pairs", args=[arena.league.slug, season.number])
    assert read("pairs", arena.league.slug, season.number).status_code == 403
    assert Client().get(address).status_code == 302
    for who, may in ((UserFactory(), False), (arena.league.organiser, True), (UserFactory(is_staff=True), True)):
        browser = Client()
        browser.force_login(who)
        answer, page = read("pairs", arena.league.slug, season.number, reader=who), browser.get(address)
        assert {answer.status_code, page.status_code} == {200 if may else 403}, who
        if not may:
            continue
        rows = answer.json()["results"]
        [met] = [row for row in rows if {row["one"]["name"], row["other"]["name"]} == {names[served.pk], names[clone]}]
        assert met["one"]["name"] == names[served.pk]
        assert met["observed"] == met["games"] > met["expected"] + 1
        assert [row["z"] for row in rows] == sorted((row["z"] for row in rows), reverse=True)
        assert f">{names[served.pk]}</a>" in page.content.decode()
        assert "Pairs against their ratings" in page.content.decode()


def test_a_season_hides_its_secret_until_it_is_over() -> None:
    league = open_league(bots=1)
    season = season_of(league)
    assert read("detail", league.slug).json()["season"] == season.number == 1
    (content,) = read("seasons", league.slug).json()["results"]
    assert (content["state"], content["commitment"], content["secret"]) == ("running", season.commitment, None)
    season.state, season.finished_at = "finished", season.starts_at
    season.save()
    (content,) = read("seasons", league.slug).json()["results"]
    assert content["secret"] == bytes(season.secret).hex()
    assert read("ladder", league.slug, 2).status_code == 404
    assert read("list", state="open", game="pickomino").json()["count"] == 1
    assert read("list", state="closed").json()["count"] == 0
