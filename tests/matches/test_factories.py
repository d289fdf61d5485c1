"""The builders others rely on."""

import pytest

from games.record import Record
from matches.models import MatchState
from tests.bots.factories import BotVersionFactory
from tests.matches.factories import CRASHES, FinishedMatchFactory, MatchFactory

pytestmark = pytest.mark.django_db


def test_a_built_match_waits_to_be_played_by_two_new_bots() -> None:
    match = MatchFactory()
    assert match.state == MatchState.QUEUED
    assert match.seats.count() == 2


def test_a_finished_match_has_true_records_in_every_rotation() -> None:
    match = FinishedMatchFactory(seats=3, blocks=2)
    assert match.state == MatchState.FINISHED
    games = list(match.games.all())
    assert len(games) == 6
    for game in games:
        outcome = Record.decode(bytes(game.record)).verify()
        rotation = game.index % 3
        assert [outcome.places[(seat - rotation) % 3] for seat in range(3)] == game.places


def test_a_finished_match_can_hold_faults() -> None:
    crasher = BotVersionFactory(source=CRASHES)
    match = FinishedMatchFactory(seats=[crasher, BotVersionFactory()])
    assert [seat.faulty_games for seat in match.seats.all()] == [2, 0]
    assert [seat.score for seat in match.seats.all()] == [0.0, 2.0]
