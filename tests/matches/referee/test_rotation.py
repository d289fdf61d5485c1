"""Each seat sits once at every position of each seed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.referee.scoring import scoring_block_of_game, scoring_by_seat, scoring_seats_by_position


@pytest.mark.parametrize("seats", range(2, 8))
def test_in_each_block_every_seat_holds_every_position_once(seats: int) -> None:
    for block in range(3):
        games = range(block * seats, (block + 1) * seats)
        assert {scoring_block_of_game(index, seats) for index in games} == {block}
        for position in range(seats):
            assert sorted(scoring_seats_by_position(index, seats)[position] for index in games) == list(range(seats))


def test_the_first_game_is_in_table_order_and_the_next_moves_every_position_on_by_one_seat() -> None:
    assert scoring_seats_by_position(0, 3) == (0, 1, 2)
    assert scoring_seats_by_position(1, 3) == (1, 2, 0)
    assert scoring_seats_by_position(5, 3) == (2, 0, 1)


@given(st.integers(0, 100), st.integers(2, 7))
def test_turning_positions_into_seats_undoes_the_seating(index: int, seats: int) -> None:
    assert scoring_by_seat(scoring_seats_by_position(index, seats), index) == tuple(range(seats))
