"""The line above a replay: the tournament of the match, its round and table, and what is at stake; no result."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from leagues.services import season_schedule
from matches.models import Match
from tests.leagues.factories import open_league, season_of, worker_up
from tests.matches.factories import FinishedMatchFactory
from tests.tournaments.factories import running_tournament
from tests.tournaments.test_swiss import no_broker, play_round, swiss  # noqa: F401  a fixture
from tournaments.models import Fixture, Tournament

pytestmark = pytest.mark.django_db


def context_of(client: Client, match: Match) -> str:
    page = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    above, player, _ = page.partition("<match-replay")
    assert player
    line = re.search(r'id="match-context" data-live>(.*?)</p>', above, re.DOTALL)
    assert line, "the context is not above the player"
    cells = client.get(reverse("matches:cells", args=[match.pk])).content.decode()
    assert line[1].strip() in cells
    return " ".join(strip_tags(line[1]).split())


def match_at(cup: Tournament, number: int, table: int) -> Match:
    match = Fixture.objects.get(round__tournament=cup, round__number=number, table=table).match
    assert match is not None
    return match


@pytest.mark.parametrize(
    ("number", "table", "stakes"), [(1, 1, ""), (2, 1, "top table"), (2, 2, ""), (3, 2, "last round")]
)
def test_a_match_of_a_swiss_says_where_it_is_and_what_it_is_about(
    client: Client, number: int, table: int, stakes: str
) -> None:
    cup = swiss(4, rounds=3)
    for _ in range(number - 1):
        play_round(cup)
    context = context_of(client, match_at(cup, number, table))
    assert context.startswith(f"{cup.name} Round {number}, table {table} {stakes}".strip())
    assert ("top table" in context, "last round" in context) == (stakes == "top table", stakes == "last round")


def test_the_winner_of_a_match_of_a_knockout_goes_through(client: Client) -> None:
    cup = running_tournament(entries=4, format="single_elimination")
    assert context_of(client, match_at(cup, 1, 2)).startswith(f"{cup.name} Round 1, table 2 winner goes through")
    play_round(cup)
    assert context_of(client, match_at(cup, 2, 1)).startswith(f"{cup.name} Round 2, table 1 the final")


def test_with_a_third_place_match_the_context_names_no_stakes(client: Client) -> None:
    cup = running_tournament(entries=4, format="single_elimination", has_third_place=True)
    play_round(cup)
    context = context_of(client, match_at(cup, 2, 1))
    assert "table 1" in context
    assert not any(words in context for words in ("goes through", "the final"))


def test_a_match_of_a_league_says_which_season(client: Client) -> None:
    season = season_of(open_league(2))
    worker_up()
    season_schedule(season_id=season.pk)
    match = Match.objects.latest("pk")
    assert context_of(client, match).startswith(f"{season.league.name} Season {season.number}")


def test_a_match_of_no_contest_says_its_game(client: Client) -> None:
    assert context_of(client, FinishedMatchFactory()) == f"Matches Pickomino, match {Match.objects.get().pk}, 2 games"
