"""Which pairs played otherwise than their ratings expect."""

import numpy as np
import pytest

from ratings import Block, Games, ratings_fit_capped, strengths_fit
from ratings.residuals import residuals
from tests.ratings.test_capping import alone, season


def measured(seed, servants=0, **fields):
    truth, games = season(seed, servants, **fields)
    return residuals(games, ratings_fit_capped(games, {}, alone(len(truth))), {one: one for one in range(len(truth))})


@pytest.mark.simulation
@pytest.mark.parametrize("seats", [2, 3])
def test_a_bot_that_loses_on_purpose_to_another_stands_out_with_it(seats):
    rows = measured(1, servants=3, pairs=1500, seats=seats)
    assert {(row.one, row.other) for row in rows[:3]} == {(0, 21), (0, 22), (0, 23)}
    assert all(row.stands_out and row.z > 0 and row.observed == row.games for row in rows[:3])
    assert [abs(row.z) for row in rows] == sorted((abs(row.z) for row in rows), reverse=True)


@pytest.mark.simulation
def test_among_honest_bots_a_pair_stands_out_in_one_season_of_twenty():
    seasons = [measured(seed, pairs=600) for seed in range(40)]
    assert sum(any(row.stands_out for row in rows) for rows in seasons) <= 6
    spread = np.std([row.z for rows in seasons for row in rows])
    assert 0.85 < spread < 1.15


def test_the_versions_of_a_bot_are_one_and_the_numbers_are_those_of_the_games():
    games = Games.from_blocks([Block((1, 2), ((1, 2), (2, 1))), Block((1, 3), ((1, 2), (1, 1)))])
    [row] = residuals(games, strengths_fit(games), {1: 7, 2: 5, 3: 5})
    assert (row.one, row.other, row.games, row.observed) == (5, 7, 4, 1.5)
    assert 1.5 < row.expected < 2
    assert row.z < 0
    assert 0 < row.p <= 1


def test_where_nothing_was_played_there_are_no_pairs():
    assert residuals(Games(), strengths_fit(Games()), {}) == ()
