"""Honours: the results that count, on the page, over the API, and on the pages of bots and authors."""

import random
from typing import Any

import pytest
from django.test import Client

from games.catalogue import GAMES
from leagues.models import League, Season
from leagues.services import season_end, season_refit, season_schedule
from tests.arena.factories import UserFactory
from tests.arena.pages import assert_clean_page
from tests.groups.factories import GroupFactory
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.tournaments.factories import in_state
from tournaments.models import Tournament
from tournaments.selectors.pages.honours import honours, honours_trophies

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sent")]


@pytest.fixture
def cup() -> Any:
    return in_state("finished")


@pytest.fixture
def season() -> Season:
    worker_up(slots=20)
    season = season_of(open_league(3))
    season_schedule(season_id=season.pk)
    strengths = {one.bot_id: float(place) for place, one in enumerate(season.league.memberships.all())}
    play(season, strengths, random.Random(1))
    season_refit(season_id=season.pk)
    season_end(league=season.league)
    season.refresh_from_db()
    return season


def test_winners_are_listed_the_last_event_first_and_by_game(cup: Any, season: Season) -> None:
    cup_shown, season_shown = sorted(honours()[:9], key=lambda one: one.kind, reverse=True)
    assert (cup_shown.name, season_shown.name, season_shown.season) == (cup.name, season.league.name, season.number)
    assert [one.name for one in honours()[:9]] == [season.league.name, cup.name]
    page = Client().get("/honours/")
    assert_clean_page(page)
    for event in honours()[:9]:
        assert event.podium[0].rank == 1
        assert event.address in page.content.decode()
        assert event.podium[0].bot.name in page.content.decode()
    data = Client().get("/api/honours/", {"game": cup.game}).json()["results"]
    assert [one["name"] for one in data] == [one.name for one in honours(cup.game)[:9]]
    assert data[-1]["podium"][0]["bot"]["slug"] == honours(cup.game)[:9][-1].podium[0].bot.slug
    other = Client().get("/honours/", {"game": next(one for one in GAMES if one != cup.game)})
    assert other.status_code == 200
    assert cup.name not in other.content.decode()


def test_a_bot_and_its_author_have_trophies_that_link_to_the_event(cup: Any, season: Season) -> None:
    for event in honours()[:9]:
        bot = event.podium[0].bot
        assert honours_trophies([bot]).counts == [(1, 1)]
        for address in (f"/bots/{bot.slug}/", f"/accounts/people/{bot.owner.username}/"):
            page = Client().get(address)
            assert_clean_page(page)
            assert "1\u00d7 winner" in page.content.decode()
            assert event.address in page.content.decode()
    assert honours_trophies([]).counts == []


@pytest.mark.parametrize("how", ["hidden", "participants", "unlisted", "group"])
def test_what_is_not_shown_to_everyone_counts_nowhere(cup: Any, season: Season, how: str) -> None:
    tournaments, leagues = Tournament.objects.filter(pk=cup.pk), League.objects.filter(pk=season.league_id)
    bot = honours()[:9][-1].podium[0].bot
    if how in ("hidden", "participants"):
        tournaments.update(publication=how)
    else:
        fields = {"audience": how, "group": GroupFactory() if how == "group" else None}
        tournaments.update(**fields)
        leagues.update(**fields)
    counted = [season.league.name] if how in ("hidden", "participants") else []
    assert [one.name for one in honours()[:9]] == counted
    assert honours_trophies([bot]).won == []
    visitors = Client(), Client()
    visitors[1].force_login(UserFactory(is_staff=True))
    for client in visitors:
        for address in ("/honours/", "/api/honours/"):
            assert cup.name not in client.get(address).content.decode()


def test_what_is_not_over_counts_nowhere() -> None:
    cup = in_state("running")
    worker_up()
    season_schedule(season_id=season_of(open_league(2)).pk)
    assert len(honours()) == 0
    assert cup.name not in Client().get("/honours/").content.decode()
