"""Ranks within errors, the scale that people read, and the bars on it."""

import numpy as np
import pytest

from ratings import (
    Bar,
    Block,
    FittedRating,
    Games,
    Prior,
    Rank,
    Ratings,
    rank_bars,
    rating_displayed,
    rating_ranks,
    strengths_fit,
)
from ratings.covariances import Exact
from ratings.scale import rating_expected_share
from tests.ratings.simulated import field


def rated(means, errors):
    """Entrants 1, 2, 3, ... with these strengths in logits, known independently."""
    size = len(means)
    return Ratings(
        np.arange(1, size + 1),
        np.array(means, float),
        1.0,
        Exact(np.diag(np.square(errors))),
        np.zeros(size),
        np.zeros(size),
    )


def test_bots_that_are_statistically_equal_share_a_rank_and_those_behind_them_do_not():
    first, second, third, last = rating_ranks(rated([2.0, 2.1, 0.0, 1.9], [0.1] * 4))
    # 2.1 - 1.9 = 0.2 is 1.41 standard errors of the difference, 0.1414.
    assert [(one.entrant, one.shared) for one in (first, second, third, last)] == [(2, 1), (1, 1), (4, 1), (3, 4)]
    assert (first.low, first.high) == (1, 3)
    assert last == Rank(3, 4, 4, 4)


def test_a_lead_separates_from_1_96_standard_errors_of_the_difference_on():
    error = 0.1 * np.sqrt(2)
    assert [one.shared for one in rating_ranks(rated([1.959 * error, 0], [0.1, 0.1]))] == [1, 1]
    assert [one.shared for one in rating_ranks(rated([1.961 * error, 0], [0.1, 0.1]))] == [1, 2]


def test_a_bot_with_few_games_shares_a_rank_with_the_bot_above_it_not_with_the_first():
    assert [(one.entrant, one.shared) for one in rating_ranks(rated([1, 0.5, 0.4], [0.1, 0.1, 2]))] == [
        (1, 1),
        (2, 2),
        (3, 2),
    ]


def test_the_intervals_hold_the_true_rank_and_are_the_same_every_time():
    inside = []
    for seed in range(30):
        simulated = field(seed, 40, 4, 12)
        ratings = strengths_fit(simulated.games)
        true = np.argsort(np.argsort(-simulated.strength)) + 1
        inside += [one.low <= true[one.entrant] <= one.high for one in rating_ranks(ratings)]
        assert rating_ranks(ratings) == rating_ranks(strengths_fit(simulated.games))
        assert all(one.low <= one.shared <= one.high for one in rating_ranks(ratings))
    assert np.mean(inside) >= 0.95


@pytest.mark.parametrize("blocks", [1, 3, 10])
def test_the_rank_that_is_shown_lies_in_its_own_interval(blocks):
    for seed in range(20):
        for one in rating_ranks(strengths_fit(field(seed, 26, 2, blocks, sd=1.3).games)):
            assert one.low <= one.shared <= one.high


def test_nobody_leads_a_bot_with_which_no_chain_of_games_connects_it():
    wins = [Block((1, 2), ((1, 2), (1, 2)))] * 200
    ratings = strengths_fit(Games.from_blocks(wins + [Block((3, 4), ((1, 2), (1, 2)))] * 200))
    assert ratings.groups().tolist() == [0, 0, 1, 1]
    assert {one.entrant: (one.low, one.high) for one in rating_ranks(ratings)} == {
        1: (1, 3),
        2: (2, 4),
        3: (1, 3),
        4: (2, 4),
    }
    assert [one.group for one in ratings.all()] == [0, 0, 1, 1]
    assert (ratings.difference(1, 3).low, ratings.difference(1, 3).high) == (-np.inf, np.inf)


def test_ratings_that_differ_by_rounding_alone_stand_in_the_order_of_their_numbers():
    noise = 1e-16
    for means in ([-0.2, -0.2 + noise, 0.1], [-0.2 + noise, -0.2, 0.1]):
        assert [one.entrant for one in rating_ranks(rated(means, [0.3] * 3))] == [3, 1, 2]


def test_nobody_has_no_rank():
    assert rating_ranks(strengths_fit(Games())) == ()


def test_400_points_are_odds_of_ten_to_one():
    assert rating_displayed(0) == 1500
    assert rating_displayed(np.log(10)) == pytest.approx(1900)
    assert rating_expected_share(np.log(10)) == pytest.approx(10 / 11)


def test_a_rating_is_provisional_until_ten_blocks_were_played_and_it_is_sure_to_a_hundred_points():
    even = Block((1, 2), ((1, 2), (2, 1)) * 2)
    few = strengths_fit(Games.from_blocks([even] * 9))
    assert all(one.high - one.points < 100 and not one.settled for one in few.all())
    enough = strengths_fit(Games.from_blocks([even] * 10))
    assert all(one.settled and (one.blocks, one.games) == (10, 40) for one in enough.all())
    lopsided = strengths_fit(Games.from_blocks([Block((1, 2), ((1, 2), (1, 2)))] * 10), {1: Prior(), 2: Prior()})
    assert not any(one.settled for one in lopsided.all())


def test_two_standard_errors_make_that_of_the_difference_where_all_are_known_equally_well():
    ratings = rated([0, 1, 2], [0.3] * 3)
    one, other, _ = ratings.all()
    assert one.error**2 + other.error**2 == pytest.approx(ratings.difference(1, 2).error ** 2)
    assert one.low == pytest.approx(one.points - 1.959964 * one.error)


def test_a_bot_that_was_not_fitted_is_not_rated():
    ratings = rated([0, 1], [1, 1])
    assert 2 in ratings
    assert 3 not in ratings
    with pytest.raises(KeyError):
        ratings.difference(1, 3)


def test_only_some_of_the_field_have_errors_and_ranks_among_themselves():
    ratings = rated([3, 1, 0.9, 0], [0.1, 0.1, 0.1, 0.1])
    some = ratings.among([4, 2, 3])
    assert [(one.entrant, one.shared) for one in rating_ranks(some)] == [(2, 1), (3, 1), (4, 3)]
    assert some.difference(2, 4) == ratings.difference(2, 4)
    with pytest.raises(KeyError):
        ratings.among([9])


def test_bars_share_one_line_and_a_vague_rating_does_not_squeeze_the_others():
    sure, low, vague = (
        FittedRating(entrant, points, 0, points - within, points + within, 20, 40, settled)
        for entrant, points, within, settled in [(1, 1650, 50, True), (2, 1460, 50, True), (3, 1500, 400, False)]
    )
    # The line is 400 points long, from 1300 to 1700: 0.3 units a point.
    assert rank_bars([sure, low, vague]) == (Bar(90, 105, 120), Bar(33, 48, 63), Bar(0, 60, 120, True, True))
    assert rank_bars([vague]) == (Bar(0, 60, 120, True, True),)
    assert rank_bars([]) == ()
