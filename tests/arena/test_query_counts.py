"""Pages take as many queries for many rows as for few: each page of a small contest and of a larger one."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from leagues.services import season_refit, season_schedule
from matches.models import MatchState, Seat
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.tournaments.factories import TournamentFactory, finish_matches, running_tournament
from tests.tournaments.rulings.rule import fixture_at, rule
from tournaments import services
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db

FEW, MANY = 4, 7
Addresses = dict[str, str]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)


def query_counts(addresses: Addresses) -> dict[str, int]:
    """Return how many queries each page takes for a member of staff, with an empty cache."""
    client = Client()
    client.force_login(UserFactory(is_staff=True))
    counts = {}
    for name, address in addresses.items():
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200, address
        counts[name] = len(queries)
    return counts


def pages_of(cup: Tournament, *more: tuple[Any, ...]) -> Addresses:
    """What every tournament has, and ``more``."""
    names = ("detail", "live", "tie-breaks", "ratings", "rulings", "apart", "arbiters")
    exports = [("export", name) for name in ("tournament.json", "standings.csv", "fixtures.csv")]
    every = [*((name,) for name in names), *exports, ("ratings-export", "ratings.csv"), ("rulings-export",), *more]
    return {f"{one[0]} {one[-1]}": reverse(f"tournaments:{one[0]}", args=[cup.slug, *one[1:]]) for one in every}


def play_round(cup: Tournament) -> None:
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()


def swiss_of(entries: int) -> Addresses:
    """Its pages in the third of four rounds, which waits; with as many rulings and bots kept apart as there are
    tables."""
    cup = running_tournament(entries, format="swiss", rounds=4)
    play_round(cup)
    play_round(cup)
    Tournament.objects.filter(pk=cup.pk).update(has_round_review=True)
    play_round(cup)
    cup.entries.filter(pk=cup.entries.last().pk).update(is_withdrawn=True)
    bots = list(cup.entries.filter(is_withdrawn=False))
    for table in range(1, entries // 2 + 1):
        rule(cup, "replay", fixture=fixture_at(cup, 1, table))
    for one, other in zip(bots[::2], bots[1::2], strict=False):
        services.forbidden_pair_create(tournament=cup, one=one, other=other)
    for arbiter in UserFactory.create_batch(entries):
        cup.arbiters.add(arbiter)
    pages = pages_of(cup, ("pairings", 2), ("arrange", 4), ("report", 1), ("rule", "disqualify"))
    return pages | {"calculation": reverse("tournaments:calculation", args=[cup.slug, bots[0].pk])}


def knockout_of(entries: int) -> Addresses:
    """Its pages in the second of three rounds: of five bots already, so that the small one has a final to come too."""
    cup = running_tournament(max(entries, 5), format="single_elimination")
    play_round(cup)
    return pages_of(cup, ("pairings", 1), ("bracket", 1))


def round_robin_of(entries: int) -> Addresses:
    cup = running_tournament(entries)
    finish_matches(cup, most=entries)
    return pages_of(cup)


def entries_of(entries: int) -> Addresses:
    cup = TournamentFactory(entries=entries)
    for entry in cup.entries.all()[1::2]:
        services.entry_withdraw(entry=entry, by=cup.organiser)
    return pages_of(cup)


def tournaments_of(number: int) -> Addresses:
    for _ in range(number):
        running_tournament(2)
    TournamentFactory()
    return {name: reverse(name) for name in ("tournaments:list", "home")}


def league_of(bots: int) -> Addresses:
    league = open_league(bots=bots)
    worker_up()
    season, rng = season_of(league), random.Random(7)
    strengths = {one.bot_id: 0.5 * number for number, one in enumerate(league.memberships.all())}
    for _ in range(2):
        season_schedule(season_id=season.pk)
        play(season, strengths, rng)
        season_refit(season_id=season.pk)
    season_schedule(season_id=season.pk)
    seat = Seat.objects.filter(match__state=MatchState.FINISHED, match__league_match__season=season).first()
    assert seat is not None
    bot = seat.version.bot  # whether it waits for its first rating is a query of bots that have not played
    exports = [("export", 1, name) for name in ("ladder.csv", "season.json", "matches.csv", "records.jsonl")]
    every = [("detail",), ("live",), ("season", 1), ("match", 1, 1), *exports]
    pages = {f"{one[0]} {one[-1]}": reverse(f"leagues:{one[0]}", args=[league.slug, *one[1:]]) for one in every}
    return pages | {"bot": reverse("leagues:bot", args=[league.slug, bot.slug])}


def leagues_of(number: int) -> Addresses:
    for _ in range(number):
        open_league(bots=1)
    return {name: reverse(name) for name in ("leagues:list", "home")}


SCENES = [swiss_of, knockout_of, round_robin_of, entries_of, tournaments_of, league_of, leagues_of]


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_page_takes_as_many_queries_for_many_rows_as_for_few(scene: Callable[[int], Addresses]) -> None:
    few, many = query_counts(scene(FEW)), query_counts(scene(MANY))
    assert {name: (few[name], count) for name, count in many.items() if count > few[name]} == {}
    assert max(few.values()) < 55
