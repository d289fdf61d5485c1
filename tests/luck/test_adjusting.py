"""Luck taken off the mean of many blocks: without bias, with intervals that hold, and never worse than nothing."""

import random
from statistics import mean

import pytest

from luck.adjusting import BLOCKS_LEAST, adjusted, cross_fitted


def blocks(rng: random.Random, count: int, explains: float) -> tuple[list[float], list[float]]:
    luck = [rng.gauss(0, 0.2) for _ in range(count)]
    return [0.5 + explains * one + rng.gauss(0, 0.1) for one in luck], luck


def test_under_twenty_blocks_nothing_is_adjusted() -> None:
    shares, luck = blocks(random.Random(1), BLOCKS_LEAST, 1)
    assert adjusted(shares[1:], luck[1:]) is None
    assert adjusted(shares, luck) is not None


def test_beta_of_a_half_depends_on_the_other_half_alone() -> None:
    shares, luck = blocks(random.Random(2), 40, 0.8)
    _, (even, odd) = cross_fitted(shares, luck)
    shares[0] += 5
    _, (even_after, odd_after) = cross_fitted(shares, luck)
    assert even_after == even
    assert odd_after != odd


@pytest.mark.parametrize(("explains", "least", "most"), [(-1, 0, 0), (0.5, 0.4, 0.6), (2, 1, 1)])
def test_beta_stays_from_zero_to_one(explains: float, least: float, most: float) -> None:
    for beta in cross_fitted(*blocks(random.Random(3), 200, explains))[1]:
        assert least <= beta <= most


def test_luck_that_never_differs_adjusts_nothing() -> None:
    shares = [0.25, 0.75] * 15
    found = adjusted(shares, [0.0] * 30)
    assert found is not None
    assert (found.share, found.half) == (found.raw, found.raw_half)
    assert found.saved == 1


@pytest.mark.parametrize("count", [20, 60])
def test_the_adjusted_share_has_no_bias_and_its_intervals_hold(count: int) -> None:
    """As wide as they say: of 2000 samples 93 to 97 in a hundred hold the truth."""
    rng = random.Random(4)
    found = [adjusted(*blocks(rng, count, 0.9)) for _ in range(2000)]
    shares = [one for one in found if one is not None]
    assert mean(one.share for one in shares) == pytest.approx(0.5, abs=4 * 0.1 / (count * 2000) ** 0.5)
    assert 0.93 < mean(abs(one.share - 0.5) < one.half for one in shares) < 0.97
    assert mean(one.saved for one in shares) > 3
