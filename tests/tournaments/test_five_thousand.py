"""As many bots as a tournament takes: entered, refused where nobody could play so much, frozen, started and shown."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from bots.models import Bot, BotVersion, VersionState
from matches.models import Match
from tests.arena.factories import OrganiserFactory
from tests.tournaments.factories import TournamentFactory
from tests.tournaments.test_forms import typed
from tournaments import services
from tournaments.errors import TooManyForTables, TooManyGames
from tournaments.models import Entry, Tournament
from tournaments.workload import MAX_ENTRIES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    cache.clear()
    yield
    cache.clear()


def cup_of(count: int, **fields: Any) -> Tournament:
    """A tournament that so many bots have entered, written in bulk."""
    cup = TournamentFactory(entrants_most=count, **fields)
    made = [
        Bot(owner=cup.organiser, name=f"Many {cup.pk} {one}", slug=f"many-{cup.pk}-{one}", game=cup.game)
        for one in range(count)
    ]
    bots = Bot.objects.bulk_create(made)
    known = {"filename": "bot.py", "size": 9, "state": VersionState.ACCEPTED, "checked_at": timezone.now()}
    versions = [BotVersion(bot=bot, number=1, sha256=f"{bot.pk:064x}", **known) for bot in bots]
    for bot, version in zip(bots, BotVersion.objects.bulk_create(versions), strict=True):
        bot.current = version
    Bot.objects.bulk_update(bots, ["current"], batch_size=500)
    Entry.objects.bulk_create(Entry(tournament=cup, bot=bot) for bot in bots)
    return cup


@pytest.mark.slow
def test_a_swiss_of_five_thousand_starts_and_is_shown() -> None:
    cup = cup_of(MAX_ENTRIES, format="swiss", rounds=9, blocks=1)
    services.tournament_start(tournament=cup)
    assert Match.objects.count() == MAX_ENTRIES // 2
    html = Client().get(reverse("tournaments:detail", args=[cup.slug])).content
    assert len(html) < 200_000
    assert b"of 5000" in b" ".join(html.split())


def test_the_queries_of_a_freeze_do_not_grow_with_the_bots() -> None:
    counts = []
    for count in (10, 200):
        cup = cup_of(count, format="swiss", rounds=3)
        with CaptureQueriesContext(connection) as queries:
            services.tournament_lock(tournament=cup)
        counts.append(len(queries))
        frozen = Entry.objects.filter(tournament=cup).values_list("version", "bot__current")
        assert all(version == current is not None for version, current in frozen)
    assert counts[0] == counts[1]


def test_a_round_robin_that_nobody_could_play_is_refused_in_the_form() -> None:
    client = Client()
    client.force_login(OrganiserFactory())
    most = {"format": "round_robin", "entrants_most": str(MAX_ENTRIES), "blocks": "1"}
    answer = client.post(reverse("tournaments:create"), typed(**most))
    assert answer.status_code == 422
    assert "24995000 games" in answer.content.decode()
    estimate = client.post(reverse("tournaments:estimate"), typed(**most)).content.decode()
    assert "12497500 matches" in " ".join(estimate.split())
    assert not Tournament.objects.exists()
    answer = client.post(reverse("tournaments:create"), typed(**most | {"entrants_most": str(MAX_ENTRIES + 1)}))
    assert answer.status_code == 422


def test_a_round_robin_of_many_at_large_tables_is_refused_before_anything_is_drawn() -> None:
    cup = cup_of(101, format="round_robin", players_per_table=3, blocks=1)
    with pytest.raises(TooManyForTables, match="100 bots at most, not for 101"):
        services.tournament_start(tournament=cup)
    assert not Match.objects.exists()


def test_a_round_robin_of_five_thousand_that_was_opened_does_not_start() -> None:
    cup = cup_of(400, format="round_robin", blocks=1)
    with pytest.raises(TooManyGames, match="159600 games"):
        services.tournament_start(tournament=cup)
    assert not Match.objects.exists()
