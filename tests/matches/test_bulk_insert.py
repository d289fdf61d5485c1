"""Rows that are written without objects are those that ``bulk_create`` writes."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from matches.models import Fault, Game
from matches.queue.result_writing import MatchResult, match_result_rows_insert, match_results_write
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import BRISK, CRASHES, MatchFactory, games_of, leased

pytestmark = pytest.mark.django_db

MANY = 300  # more than SQLite takes at once


def _rows(match_id: int) -> list[dict[str, Any]]:
    return [
        {
            "match_id": match_id,
            "attempt": 1,
            "index": index,
            "record": bytes((index % 256, 0, 37, 39, 255)),
            "points": (index, -1),
            "places": (1, 2) if index % 2 else (2, 1),
            "reason": "%s '\"\\ é",
            "tie_break": "" if index % 3 else "tiles",
            "air_ms": index * 1000 if index % 5 else None,
        }
        for index in range(MANY)
    ]


def _written(match_id: int) -> list[tuple[Any, ...]]:
    rows = (
        Game.objects.filter(match=match_id)
        .order_by("pk")
        .values_list(*(name for name in _rows(0)[0] if name != "match_id"))
    )
    return [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in rows]


def test_rows_are_those_of_bulk_create() -> None:
    plain, created = MatchFactory().pk, MatchFactory().pk
    match_result_rows_insert(Game, _rows(plain))
    Game.objects.bulk_create(Game(**row) for row in _rows(created))
    assert len(_written(plain)) == MANY
    assert _written(plain) == _written(created)


def test_all_rows_are_written_or_none() -> None:
    match = MatchFactory().pk
    rows = _rows(match)
    with pytest.raises(IntegrityError), transaction.atomic():
        match_result_rows_insert(Game, [*rows, rows[0]])
    assert not Game.objects.exists()
    match_result_rows_insert(Game, [])
    assert not Game.objects.exists()


def test_faults_are_those_of_their_games_beside_matches_without_any() -> None:
    good, bad = BotVersionFactory(source=BRISK), BotVersionFactory(source=CRASHES)
    matches = [MatchFactory(seats=seats) for seats in ([good, good], [good, bad], [good, good], [bad, good])]
    played = [MatchResult(leased(match), match, games_of(match), 5) for match in matches]
    match_results_write(played, worker_speed=1000.0)
    for one in played:
        rows = Game.objects.filter(match=one.match)
        assert [(row.index, bytes(row.record), tuple(row.points)) for row in rows] == [
            (game.index, game.record.encode(), game.points) for game in one.games
        ]
        found = Fault.objects.filter(game__match=one.match).order_by("game__index", "seat__index")
        assert [*found.values_list("game__index", "seat__index", "verdict", "seat__match")] == [
            (game.index, fault.seat, fault.verdict.value, one.match.pk) for game in one.games for fault in game.faults
        ]
    assert Fault.objects.filter(game__match__in=[matches[1], matches[3]]).count() == Fault.objects.count() > 0
