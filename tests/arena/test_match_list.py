"""The list of matches names the contest of each, whichever room it is of."""

import random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leagues.services import season_schedule
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.matches.factories import FinishedMatchFactory
from tests.tournaments.factories import finish_matches, running_tournament

pytestmark = pytest.mark.django_db


def league_match() -> str:
    league = open_league(bots=4)
    season = season_of(league)
    season_schedule(season_id=season.pk)
    play(season, {member.bot_id: 0.0 for member in league.memberships.all()}, random.Random(2))
    return reverse("leagues:detail", args=[league.slug])


def test_a_match_of_a_tournament_and_one_of_a_league_lead_to_it_and_others_to_nothing(client: Client) -> None:
    worker_up()
    cup = running_tournament(2)
    finish_matches(cup)
    league = league_match()
    FinishedMatchFactory()
    page = client.get(reverse("matches:list")).content.decode()
    assert f'href="{reverse("tournaments:detail", args=[cup.slug])}">{cup.name}</a>' in page
    assert f'href="{league}">' in page
    rows = page.partition("<tbody>")[2].split("<tr")[1:]
    assert sum("match-contest" not in row for row in rows) == 1


def test_scores_and_winners_are_shown_to_those_who_chose_results(client: Client) -> None:
    finish_matches(running_tournament(2))
    row = client.get(reverse("matches:list")).content.decode().partition("<tbody>")[2]
    assert row.count('<span\n          class="number"></span>') == 2
    assert 'class="won"' not in row
    client.cookies["results"] = "shown"
    row = client.get(reverse("matches:list")).content.decode().partition("<tbody>")[2]
    assert row.count('class="won"') == 1
    assert 'class="number"></span>' not in row


def test_contests_cost_one_query_for_each_kind_however_many_there_are(client: Client) -> None:
    worker_up()
    requests = []
    for cups, address in ((1, "?page=1"), (3, "?page=1&state=finished")):
        for _ in range(cups):
            finish_matches(running_tournament(2))
            league_match()
        with CaptureQueriesContext(connection) as queries:
            page = client.get(reverse("matches:list") + address).content.decode()
        assert page.count("match-contest") >= 2 * cups
        requests.append(len(queries))
    assert requests[0] == requests[1]


def test_joining_begins_with_signing_in_for_a_visitor(client: Client) -> None:
    league = open_league(bots=2)
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    login = f"{reverse('account_login')}?next={reverse('leagues:detail', args=[league.slug])}%23join"
    assert page.count(f'href="{login}"') == 2  # at the top on wide windows, at the bottom on phones
    assert 'id="join"' not in page
    client.force_login(UserFactory())
    page = client.get(reverse("leagues:detail", args=[league.slug])).content.decode()
    assert (page.count('href="#join"'), page.count('id="join"')) == (2, 1)
