"""Results as columns: every way in gives the same, and blocks are cut where the seats have gone round."""

import tracemalloc

import numpy as np
import pytest

from ratings import Block, BlockError, Games, Prior, strengths_fit
from tests.ratings.simulated import field


def test_places_become_games_won_against_each_with_ties_as_half():
    (table,) = Games.from_blocks([Block((7, 3, 5), ((1, 2, 3), (2, 2, 1)))]).tables
    assert table.entrants.tolist() == [[7, 3, 5]]
    assert table.beaten.tolist() == [[[0, 1.5, 1], [0.5, 0, 1], [1, 1, 0]]]


def test_a_match_is_cut_into_blocks_of_as_many_games_as_seats_and_the_last_may_be_short():
    (table,) = Games.from_matches([((1, 2), ((1, 1, 2), (2, 2, 1))), ((3, 1), ((2, 1), (1, 2)))]).tables
    assert table.entrants.tolist() == [[1, 2], [1, 2], [3, 1]]
    assert table.beaten.tolist() == [[[0, 2], [0, 0]], [[0, 0], [1, 0]], [[0, 1], [1, 0]]]


def test_matches_without_games_count_for_nothing():
    assert Games.from_matches([((1, 2), ((), ()))]) == Games()


@pytest.mark.parametrize("seats", [2, 4, 7])
def test_arrays_blocks_and_matches_say_the_same(seats):
    simulated = field(1, 28, seats, 3)
    (expected,) = simulated.games.tables
    tables = list(zip(simulated.entrants.tolist(), simulated.places.tolist(), strict=True))
    blocks = Games.from_blocks(Block(tuple(who), tuple(map(tuple, places))) for who, places in tables)
    matches = Games.from_matches((who, list(zip(*places, strict=True))) for who, places in tables)
    for games in (blocks, matches):
        (table,) = games.tables
        assert np.array_equal(table.entrants, expected.entrants)
        assert np.array_equal(table.beaten, expected.beaten)


def test_an_entrant_that_would_meet_itself_is_named():
    with pytest.raises(BlockError, match=r"\(4, 9, 4\)"):
        Games.from_blocks([Block((4, 9, 4), ((1, 2, 3),))])


def test_without_an_entrant_the_others_keep_what_they_made_of_each_other():
    table = Block((1, 2, 3), ((1, 2, 3), (3, 1, 2)))
    duel = Block((3, 1), ((1, 2),))
    left = strengths_fit(Games.from_blocks([table, duel]).without([3]), {3: Prior()})
    assert left.difference(1, 2).points == pytest.approx(0, abs=1e-6)
    counts = {one.entrant: (one.blocks, one.games) for one in left.all()}
    assert counts == {1: (1, 2), 2: (1, 2), 3: (0, 0)}


@pytest.mark.parametrize("seats", [3, 5])
def test_without_some_it_is_as_if_they_had_not_been_at_their_tables(seats):
    simulated = field(2, 12, seats, 6)
    out = {0, 1, 2, 7}
    smaller = []
    for who, places in zip(simulated.entrants.tolist(), simulated.places.tolist(), strict=True):
        stay = [seat for seat, one in enumerate(who) if one not in out]
        if len(stay) > 1:
            smaller.append(Block(tuple(who[seat] for seat in stay), tuple(tuple(g[s] for s in stay) for g in places)))
    found, expected = strengths_fit(simulated.games.without(out)), strengths_fit(Games.from_blocks(smaller))
    assert found.entrants.tolist() == expected.entrants.tolist()
    assert np.allclose(found.mean, expected.mean)
    assert np.allclose(found.covariance, expected.covariance)
    assert found.games.tolist() == expected.games.tolist()


def test_reading_many_games_at_large_tables_takes_little_more_memory_than_their_blocks() -> None:
    places = [[1 + (seat + game) % 7 for game in range(98)] for seat in range(7)]
    matches = [(tuple(range(7)), places)] * 300
    tracemalloc.start()
    try:
        (table,) = Games.from_matches(matches).tables
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 4 * (table.beaten.nbytes + table.entrants.nbytes)
