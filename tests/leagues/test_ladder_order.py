"""Ladders are in the order of the numbers that they show, and lists of leagues begin with those that run."""

import random
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leagues import services
from leagues.models import League, Rating, SeasonEntry
from leagues.selectors.bots import league_bot_points_now
from leagues.selectors.permissions import leagues_ordered
from tests.bots.factories import BotVersionFactory
from tests.groups.factories import GroupFactory
from tests.leagues.factories import LeagueFactory, member_of, open_league, play, season_of, worker_up
from tests.leagues.members import played

pytestmark = pytest.mark.django_db


def shown(page):
    """Return (number, rating, is provisional) of each row that has a number, from the top."""
    found = []
    for row in re.findall(r'<tr id="m\d+".*?</tr>', page, re.DOTALL):
        [number, rating] = re.search(r'"rank".*?>(\d*).*?"num points".*?>(\d+)', row, re.DOTALL).groups()
        if number:
            found.append((int(number), int(rating), "provisional" in row))
    return found


@pytest.mark.parametrize("change", ["a newcomer", "a new version", "nothing"])
def test_rows_are_numbered_by_rating_and_provisional_ones_come_below(season, client, change):
    worker_up(slots=8)
    rng = random.Random(5)
    for _ in range(5):
        member_of(season.league)

    def rounds(number):
        bots = list(SeasonEntry.objects.filter(season=season).values_list("version__bot", flat=True))
        strengths = {bot: (place % 8) * 0.3 for place, bot in enumerate(sorted(set(bots)))}
        for _ in range(number):
            services.season_schedule(season_id=season.pk)
            play(season, strengths, rng)

    rounds(12)
    if change == "a newcomer":
        member_of(season.league)
    if change == "a new version":
        BotVersionFactory(bot=season.league.memberships.last().bot, number=2)
        services.season_entries_sync(season_id=season.pk)
    rounds(2)
    services.season_refit(season_id=season.pk)
    page = client.get(reverse("leagues:detail", args=[season_of(season.league).league.slug])).content.decode()
    rows = shown(page)
    assert len(rows) >= 7
    assert [number for number, _rating, _provisional in rows] == list(range(1, len(rows) + 1))
    assert rows == sorted(rows, key=lambda row: (row[2], -row[1], row[0]))
    provisional = Rating.objects.filter(snapshot__season=season, is_provisional=True, matches__gt=0).count()
    assert sum(is_provisional for *_figures, is_provisional in rows) == provisional
    if change != "nothing":
        assert provisional


def test_a_list_of_bots_says_where_each_stands_for_one_query(season, client, django_assert_num_queries):
    played(season, 2)
    services.season_refit(season_id=season.pk)
    entry = SeasonEntry.objects.select_related("membership__bot__owner", "season__league")[0]
    bot = entry.membership.bot
    other = BotVersionFactory(bot__owner=bot.owner).bot
    with django_assert_num_queries(1):
        found = league_bot_points_now([bot, other], bot.owner)
    league, point = found.pop(bot.pk)
    assert (league, point.rank, found) == (season.league, Rating.objects.get(entry=entry).rank, {})
    client.force_login(bot.owner)
    for address in (reverse("bots:list"), reverse("accounts:profile", args=[bot.owner.username])):
        page = client.get(address).content.decode()
        assert page.count(season.league.name) == 1
        assert page.count("±") == 1


def test_lists_have_running_leagues_first_and_closed_ones_last(client: Client) -> None:
    group = GroupFactory()
    inside: dict[str, Any] = {"audience": "group", "group": group, "organiser": group.created_by}
    running = open_league(name="Under way", **inside)
    for name, act in (("Stopped", services.league_pause), ("Over", services.league_close)):
        act(league=open_league(name=name, **inside))
    LeagueFactory(name="Hatching", **inside)
    wanted = [running.name, "Stopped", "Hatching", "Over"]
    assert [one.name for one in leagues_ordered(League.objects.all())] == wanted
    client.force_login(group.created_by)
    for address in (reverse("leagues:list"), reverse("groups:detail", args=[group.slug])):
        html = client.get(address).content.decode()
        places = [html.index(f">{name}<") for name in wanted]
        assert places == sorted(places), address
