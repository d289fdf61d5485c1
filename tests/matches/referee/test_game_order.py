"""Games of one seed lie apart, pauses are random, and what is played comes to the same in any order."""

from dataclasses import replace
from itertools import pairwise
from unittest.mock import patch

import pytest

from games.table import Table
from matches.referee import ThreeAnswers, series_games_play
from matches.referee.match_series import MatchSpec
from matches.referee.scoring import scoring_block_of_game, scoring_game_order, scoring_pause_after_game
from tests.matches.in_process import InProcessCage

from .test_series import BROKEN, CRASHES_AT_TURN, FIRST, GREEDY, LAST, order, unwatched


@pytest.mark.parametrize(("blocks", "seats"), [(1, 2), (2, 2), (4, 2), (3, 5)])
def test_every_game_is_played_once_and_those_of_one_seed_apart(blocks: int, seats: int) -> None:
    seen = set()
    for _ in range(50):
        played = list(scoring_game_order(7, blocks, seats))
        assert sorted(played) == list(range(7 * seats, (7 + blocks) * seats))
        assert [index % seats for index in played] == sorted(index % seats for index in played)
        if blocks > 1:
            assert all(
                scoring_block_of_game(one, seats) != scoring_block_of_game(other, seats)
                for one, other in pairwise(played)
            )
        seen.add(tuple(played))
    assert len(seen) > 1 or blocks == 1


def test_a_pause_is_as_long_as_a_game_of_the_same_seed_and_no_longer() -> None:
    for took, same_seed, most in ((1.0, True, 1.0), (0.001, True, 0.05), (9.0, False, 0.05), (900.0, True, 20.0)):
        pauses = [scoring_pause_after_game(took, same_seed=same_seed) for _ in range(400)]
        assert 0.9 * most < max(pauses) <= most
        assert min(pauses) < 0.1 * most


@pytest.mark.parametrize("bots", [(GREEDY, LAST), (GREEDY, FIRST, LAST), (BROKEN, FIRST), (FIRST, CRASHES_AT_TURN)])
@pytest.mark.parametrize("blocks", [1, 3, 6])
def test_games_come_to_the_same_in_any_order(bots: tuple[bytes, ...], blocks: int) -> None:
    spec = order(*bots, blocks=blocks)
    watched: list[int] = []

    def watch(index: int, table: Table) -> None:
        if not table.actions:
            watched.append(index)

    with patch("matches.referee.match_series.time.sleep") as slept:
        apart = list(series_games_play(replace(spec, apart=4), InProcessCage(), watch))
    in_order = list(series_games_play(spec, InProcessCage(), unwatched))
    assert [_fields(game) for game in apart] == [_fields(game) for game in in_order]
    assert len(watched) >= len(in_order)
    assert slept.call_count >= len(in_order) - 1 - blocks


def _fields(game: object) -> tuple[object, ...]:
    names = ("index", "record", "points", "places", "reason", "faults", "luck")
    return tuple(getattr(game, name) for name in names)


def test_a_series_stops_where_it_would_in_order() -> None:
    spec: MatchSpec = order(GREEDY, FIRST, blocks=60, stopping=ThreeAnswers(effect=0.2, error=0.05))
    with patch("matches.referee.match_series.time.sleep"):
        apart = list(series_games_play(replace(spec, apart=4), InProcessCage(), unwatched))
    assert [_fields(game) for game in apart] == [
        _fields(game) for game in series_games_play(spec, InProcessCage(), unwatched)
    ]
    assert len(apart) < 120
