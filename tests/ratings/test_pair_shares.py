"""Shares of games that bots won of each other, and their intervals."""

import numpy as np
import pytest

from ratings import Block, Games
from ratings.pair_shares import PairShare, pair_shares, share_wilson_interval


def of_two(*won: tuple[int, int]) -> Games:
    """Blocks of two games between 1 and 2: who won each."""
    places = {1: (1, 2), 2: (2, 1), 0: (1, 1)}
    return Games.from_blocks(Block((1, 2), tuple(places[one] for one in block)) for block in won)


def test_each_two_are_counted_once_and_both_ways() -> None:
    shares = pair_shares(of_two((1, 1), (1, 2), (0, 2)))
    found = shares.of(1, 2)
    assert found is not None
    assert (found.games, found.won, found.share) == (6, 3.5, pytest.approx(3.5 / 6))
    back = shares.of(2, 1)
    assert back == found.reversed
    assert (back.won, back.low) == (2.5, pytest.approx(1 - found.high))
    assert shares.of(1, 3) is None
    assert shares.of(1, 1) is None


def test_at_a_larger_table_a_game_counts_once_for_each_opponent() -> None:
    shares = pair_shares(Games.from_blocks([Block((3, 1, 2), ((1, 2, 3), (2, 2, 1), (3, 1, 2)))]))
    assert [(shares.of(one, other).games, shares.of(one, other).won) for one, other in ((3, 1), (3, 2), (1, 2))] == [
        (3, 1.5),
        (3, 1.0),
        (3, 2.0),
    ]


def test_few_blocks_count_as_one_game_each() -> None:
    shares = pair_shares(of_two((1, 1), (1, 1)))
    assert shares.scale == 2
    assert (shares.of(1, 2).low, shares.of(1, 2).high) == share_wilson_interval(1.0, 2)
    assert not shares.of(1, 2).is_clear


@pytest.mark.parametrize(("shared", "scale"), [(1.0, 2.0), (0.0, 1.0), (-0.4, 0.6)])
def test_an_interval_holds_the_true_share_in_95_of_100_cases(shared: float, scale: float) -> None:
    """``shared``: the correlation of the two games of a block, which changed seats may make negative."""
    rng, held, scales = np.random.default_rng(7), 0, []
    for _ in range(100):
        true = rng.uniform(0.35, 0.65, 40)
        blocks = []
        for pair, share in enumerate(true):
            for _ in range(15):
                first = rng.random() < share
                second = rng.random() < share + shared * (first - share)
                places = tuple((1, 2) if won else (2, 1) for won in (first, second))
                blocks.append(Block((2 * pair, 2 * pair + 1), places))
        shares = pair_shares(Games.from_blocks(blocks))
        scales.append(shares.scale)
        found = [shares.of(2 * pair, 2 * pair + 1) for pair in range(40)]
        held += sum(one.low <= share <= one.high for one, share in zip(found, true, strict=True))
    assert float(np.mean(scales)) == pytest.approx(scale, abs=0.06)
    assert 0.935 <= held / 4000 <= 0.97


def test_nobody_has_met_without_a_game() -> None:
    assert pair_shares(Games()).of(1, 2) is None


def test_a_lead_is_clear_where_one_half_is_out_of_the_interval() -> None:
    assert PairShare(10, 9.0, 0.6, 0.98).is_clear
    assert PairShare(10, 1.0, 0.02, 0.4).is_clear
    assert not PairShare(10, 6.0, 0.4, 0.8).is_clear
