"""The live log: seldom enough for the database, soon enough for viewers, and never in the way of the match."""

from collections.abc import Iterator
from unittest.mock import Mock, patch

import pytest
from django.db import DatabaseError

from games.catalogue import current
from games.dealer import block_seed
from games.frames import GameFrames
from games.record import Intervention
from games.table import Table
from matches.models import MatchLog
from matches.worker.playing import LiveLog
from tests.matches.factories import MatchFactory, leased

pytestmark = pytest.mark.django_db


class Clock:
    """A clock that tests advance."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def announced() -> Iterator[Mock]:
    with patch("matches.worker.playing.hub_announce") as announce:
        yield announce


@pytest.fixture
def log(clock: Clock) -> LiveLog:
    return LiveLog(leased(MatchFactory()), clock, paced=True)


def table(game: int = 0) -> Table:
    return Table(current("pickomino"), 2, {}, block_seed(b"s" * 16, game))


def step(table: Table, times: int = 1) -> Table:
    for _ in range(times):
        table.play(table.view(table.actor)["actions"][0])
    return table


def finish(table: Table) -> Table:
    while not table.over:
        step(table)
    return table


def rows() -> list[tuple[int, int]]:
    """Game and number of actions of each row."""
    return [(row.game, len(row.actions.splitlines())) for row in MatchLog.objects.all()]


def test_a_match_that_is_over_at_once_writes_nothing(log: LiveLog, announced: Mock) -> None:
    game = table()
    log.follow(0, game)
    log.follow(0, finish(game))
    assert rows() == []
    assert not announced.called


def test_a_match_that_nobody_slowed_down_is_written_seldom(clock: Clock, announced: Mock) -> None:
    log, game = LiveLog(leased(MatchFactory()), clock), table()
    clock.now += 0.9
    log.follow(0, step(game))
    assert rows() == []
    clock.now += 0.2
    log.follow(0, step(game))
    assert rows() == [(0, 2)]


def test_what_has_happened_is_written_every_so_often_and_announced(log: LiveLog, clock: Clock, announced: Mock) -> None:
    game = table()
    log.follow(0, game)
    clock.now += 0.25
    log.follow(0, step(game, 3))
    assert rows() == [(0, 3)]
    log.follow(0, step(game))
    assert rows() == [(0, 3)]
    clock.now += 0.25
    log.follow(0, step(game))
    assert rows() == [(0, 5)]
    assert announced.call_count == 2


def test_the_end_of_a_game_that_was_seen_is_written_at_once(log: LiveLog, clock: Clock, announced: Mock) -> None:
    game = table()
    clock.now += 0.25
    log.follow(0, game)
    log.follow(0, finish(game))
    assert rows() == [(0, len(game.record().actions))]
    assert announced.call_count == 2


def test_games_too_fast_to_be_seen_are_written_together(log: LiveLog, clock: Clock, announced: Mock) -> None:
    for index in range(3):
        log.follow(index, finish(table(index)))
    clock.now += 0.25
    log.follow(3, step(table(3)))
    assert [game for game, _ in rows()] == [0, 1, 2, 3]
    assert announced.call_count == 1


def test_a_viewer_can_rebuild_the_game_from_what_is_written(log: LiveLog, clock: Clock, announced: Mock) -> None:
    game = step(table(), 2)
    seat = game.actor
    game.play(game.view(seat)["actions"][0], intervention="crashed")
    clock.now += 0.25
    log.follow(0, game)
    row = MatchLog.objects.get()
    assert row.interventions == [[2, seat, "crashed"]]
    game_frames = GameFrames("pickomino/1", 2, game.options, bytes(row.seed))
    frames = game_frames.extend(row.actions.splitlines(), [Intervention(*row.interventions[0])])
    assert frames[-1].view == game.view(None)


def test_the_match_goes_on_if_the_log_cannot_be_written(log: LiveLog, clock: Clock, announced: Mock) -> None:
    clock.now += 0.25
    ended = finish(table())
    with patch.object(MatchLog.objects, "bulk_create", side_effect=DatabaseError("locked")):
        log.follow(0, ended)
    assert not announced.called
    clock.now += 0.25
    log.follow(1, table(1))
    assert [game for game, _ in rows()] == [0, 1]
