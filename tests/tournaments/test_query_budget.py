"""How often the pages that people keep open query the database. Anonymous visitors get them from the page cache."""

import random
from collections import defaultdict

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from arena.accounts.models import User
from leagues.services import season_refit, season_schedule
from matches.models import Seat
from tests.arena.factories import UserFactory
from tests.leagues.factories import open_league, play, season_of, worker_up
from tests.tournaments.factories import finish_matches, running_tournament
from tournaments import services
from tournaments.models import Nonce, Tournament
from tournaments.selectors.pages.next_step import FEW

pytestmark = pytest.mark.django_db

MOST = 12
RENDERED = 24  # a whole board, of which nothing but snapshots is stored
PAGES = {"detail": (), "live": (), "boards": (1,), "boards-cells": (1,)}


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    monkeypatch.setattr("web.brief_cache.CACHED_SECONDS", 60)  # the line of the system is made once in a moment


def busy_tournament() -> Tournament:
    """A Swiss in its second round, with all that a page may tell of: luck that people added to, an arbiter, a bot that
    left, a match that is held."""
    worker_up()
    cup = running_tournament(7, format="swiss", rounds=4)
    for number, by in enumerate([cup.organiser, UserFactory()], 1):
        Nonce.objects.create(luck=cup.lucks.get(), number=number, text=f"text {number}", by=by)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    cup.refresh_from_db()
    services.entry_withdraw(entry=cup.entries.first(), by=cup.organiser)
    cup.arbiters.add(UserFactory())
    held = cup.fixtures.filter(round__number=2).first().match
    type(held).objects.filter(pk=held.pk).update(state="held", last_platform_fault="it died")
    return cup


def asked(user: User, address: str) -> int:
    """How many queries the page takes of ``user`` a moment after they saw it: what is kept for all has been made."""
    client = Client()
    client.force_login(user)
    assert client.get(address).status_code == 200, address
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


def test_the_pages_of_a_tournament_being_played_take_bounded_queries() -> None:
    cup = busy_tournament()
    readers = {
        "organiser": cup.organiser,
        "arbiter": cup.arbiters.get(),
        "author": cup.entries.filter(is_withdrawn=False).first().bot.owner,
        "stranger": UserFactory(),
    }
    counts = {
        (name, who): asked(user, reverse(f"tournaments:{name}", args=[cup.slug, *more]))
        for name, more in PAGES.items()
        for who, user in readers.items()
    }
    over = {
        which: count
        for which, count in counts.items()
        if count > (RENDERED if which[0] in ("detail", "live") else MOST)
    }
    assert not over, over


def test_the_page_of_a_bot_that_has_played_takes_its_author_twelve_queries_at_most() -> None:
    league = open_league(bots=4)
    worker_up()
    season, rng = season_of(league), random.Random(7)
    for _ in range(12):
        season_schedule(season_id=season.pk)
        play(season, defaultdict(float), rng)
        season_refit(season_id=season.pk)
    bot = league.memberships.first().bot
    open_league(bots=0)  # which it might join
    assert Seat.objects.filter(version__bot=bot, match__state="finished").count() > FEW
    assert asked(bot.owner, reverse("bots:detail", args=[bot.slug])) <= MOST


def test_the_arranging_of_a_round_takes_twelve_queries_at_most_while_it_waits() -> None:
    cup = running_tournament(7, format="swiss", rounds=4, has_round_review=True)
    assert asked(cup.organiser, reverse("tournaments:arrange", args=[cup.slug, 1])) <= MOST


def test_the_arranging_of_a_round_takes_twelve_queries_at_most_once_it_has_begun() -> None:
    cup = running_tournament(7, format="swiss", rounds=4)
    finish_matches(cup)
    services.tournament_advance(tournament_id=cup.pk)
    assert asked(cup.organiser, reverse("tournaments:arrange", args=[cup.slug, 2])) <= MOST
