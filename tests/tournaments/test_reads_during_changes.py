"""A page is read by many queries, and a tournament may move on between any two of them: it is answered all the same."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from tests.leagues.factories import worker_up
from tests.tournaments.factories import TournamentFactory, finish_matches
from tournaments import services
from tournaments.models import Publication, Tournament

pytestmark = pytest.mark.django_db


def round_over(cup: Tournament) -> None:
    finish_matches(cup)
    services.tournament_chain_results_append(tournament_id=cup.pk)
    services.tournament_advance(tournament_id=cup.pk)


MOVES: dict[str, tuple[int, Callable[[Tournament], Any]]] = {
    "it starts": (0, lambda cup: services.tournament_start(tournament=cup)),
    "the next round is drawn": (1, round_over),
    "it ends": (2, round_over),
}


@pytest.mark.parametrize("name", ["detail", "live"])
@pytest.mark.parametrize("move", MOVES)
def test_a_tournament_may_move_on_between_any_two_queries(
    name: str, move: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("celery.Celery.send_task", lambda *_args, **_kwargs: None)
    worker_up()
    after, happens = MOVES[move]
    order = {"tie_breaks": ["buchholz", "wins", "lot"]}
    cup = TournamentFactory(entries=5, format="swiss", rounds=2, publication=Publication.PARTICIPANTS, **order)
    if after:
        services.tournament_start(tournament=cup)
    for _ in range(after - 1):
        round_over(cup)
    entry, client = cup.entries.select_related("bot__owner").last(), Client()
    assert entry is not None
    client.force_login(entry.bot.owner)
    address = reverse(f"tournaments:{name}", args=[cup.slug])
    moved_at = 0
    while read_while(client, address, moved_at, lambda: happens(Tournament.objects.get(pk=cup.pk))):
        moved_at += 1
    assert moved_at > 5, "queries"


def read_while(client: Client, address: str, moved_at: int, move: Callable[[], Any]) -> bool:
    """Read a page, and ``move`` before so many of its queries; whether there were as many. All is undone afterwards."""
    queries, moves = 0, False

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal queries, moves
        if not moves and not sql.startswith(("SAVEPOINT", "RELEASE")):
            queries += 1
            if queries > moved_at:
                moves = True
                move()
        return execute(sql, params, many, context)

    caches["optional"].clear()
    begun = transaction.savepoint()
    with connection.execute_wrapper(count):
        assert client.get(address).status_code == 200
    transaction.savepoint_rollback(begun)
    return moves
