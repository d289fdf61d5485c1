"""Luck taken off the mean of many blocks: without bias, with intervals that hold, and never worse than nothing."""

import random
from collections.abc import Sequence
from math import sqrt
from statistics import mean

import pytest

from luck.adjusted_mean import BLOCKS_LEAST, Adjusted, luck_adjusted_cross_fitted, luck_adjusted_mean
from luck.shares import MOMENTS, UNIT, luck_share_moments

MANY = pytest.param(2000, marks=pytest.mark.simulation)


def held(found: Sequence[Adjusted]) -> bool:
    """Whether as many of the intervals hold the truth, a half, as they say: 95 in a hundred, within 2.9 deviations."""
    deviation = sqrt(0.95 * 0.05 / len(found))
    return abs(mean(abs(one.share - 0.5) < one.half for one in found) - 0.95) < 2.9 * deviation


def blocks(rng: random.Random, count: int, explains: float) -> tuple[list[float], list[float]]:
    luck = [rng.gauss(0, 0.2) for _ in range(count)]
    return [0.5 + explains * one + rng.gauss(0, 0.1) for one in luck], luck


def test_under_twenty_blocks_nothing_is_adjusted() -> None:
    shares, luck = blocks(random.Random(1), BLOCKS_LEAST, 1)
    assert luck_adjusted_mean(shares[1:], luck[1:]) is None
    assert luck_adjusted_mean(shares, luck) is not None


def test_beta_of_a_half_depends_on_the_other_half_alone() -> None:
    shares, luck = blocks(random.Random(2), 40, 0.8)
    _, (even, odd) = luck_adjusted_cross_fitted(shares, luck)
    shares[0] += 5
    _, (even_after, odd_after) = luck_adjusted_cross_fitted(shares, luck)
    assert even_after == even
    assert odd_after != odd


@pytest.mark.parametrize(("explains", "least", "most"), [(-1, 0, 0), (0.5, 0.4, 0.6), (2, 1, 1)])
def test_beta_stays_from_zero_to_one(explains: float, least: float, most: float) -> None:
    for beta in luck_adjusted_cross_fitted(*blocks(random.Random(3), 200, explains))[1]:
        assert least <= beta <= most


def test_luck_that_never_differs_adjusts_nothing() -> None:
    shares = [0.25, 0.75] * 15
    found = luck_adjusted_mean(shares, [0.0] * 30)
    assert found is not None
    assert (found.share, found.half) == (found.raw, found.raw_half)
    assert found.saved == 1


@pytest.mark.parametrize("samples", [200, MANY])
@pytest.mark.parametrize("count", [20, 60])
def test_the_adjusted_share_has_no_bias_and_its_intervals_hold(count: int, samples: int) -> None:
    rng = random.Random(4)
    found = [luck_adjusted_mean(*blocks(rng, count, 0.9)) for _ in range(samples)]
    shares = [one for one in found if one is not None]
    assert mean(one.share for one in shares) == pytest.approx(0.5, abs=4 * 0.1 / (count * samples) ** 0.5)
    assert held(shares)
    assert mean(one.saved for one in shares) > 3


Sample = tuple[list[float], list[list[float]]]  # shares, and luck with its moments, each by block


def with_moments(rng: random.Random, count: int, parts: Sequence[float], noise: float) -> Sample:
    """Blocks of which each share has these parts of its luck and of its moments in it."""
    columns = [[rng.gauss(0, spread) for _ in range(count)] for spread in (0.2, 0.1, 0.08)]
    known = zip(*columns, strict=True)
    return [0.5 + sum(p * m for p, m in zip(parts, own, strict=True)) + rng.gauss(0, noise) for own in known], columns


def sampled(parts: Sequence[float], noise: float, count: int, samples: int) -> list[tuple[Adjusted, Adjusted]]:
    """The same samples with all moments, and with luck alone."""
    found = []
    for number in range(samples):
        shares, (luck, *more) = with_moments(random.Random(f"{count} {number}"), count, parts, noise)
        both = luck_adjusted_mean(shares, luck, *more), luck_adjusted_mean(shares, luck)
        assert both[0] is not None
        assert both[1] is not None
        found.append((both[0], both[1]))
    return found


@pytest.mark.parametrize("samples", [100, MANY])
@pytest.mark.parametrize("count", [20, 60])
@pytest.mark.parametrize(("parts", "noise"), [((0, 0, 0), 0.2), ((1, 0, 0), 0.02), ((0.8, 1.5, 1), 0.15)], ids=str)
def test_with_further_moments_intervals_hold_and_are_hardly_wider(
    parts: Sequence[float], noise: float, count: int, samples: int
) -> None:
    """Also where the moments explain nothing, and where luck alone is all there is."""
    found = sampled(parts, noise, count, samples)
    assert held([one for one, _ in found])
    error = mean(one.half for one, _ in found) / 1.96
    assert mean(one.share for one, _ in found) == pytest.approx(0.5, abs=4 * error / samples**0.5)
    assert mean(one.half for one, _ in found) < 1.04 * mean(alone.half for _, alone in found)


def test_moments_that_explain_much_are_taken_off() -> None:
    found = sampled((0.8, 1.5, 1), 0.1, 200, 40)
    assert mean(one.saved for one, _ in found) > 1.8 * mean(alone.saved for _, alone in found)


def test_what_is_taken_off_one_half_depends_on_the_other_alone() -> None:
    shares, columns = with_moments(random.Random(5), 60, (0.8, 1.5, 1), 0.1)
    before, _ = luck_adjusted_cross_fitted(shares, *columns)
    shares[0] += 1
    after, _ = luck_adjusted_cross_fitted(shares, *columns)
    assert after[0] == pytest.approx(before[0] + 1)
    assert after[2::2] == before[2::2]
    assert after[1::2] != before[1::2]


@pytest.mark.parametrize("times", [0, 1, -3])
def test_moments_that_are_multiples_of_luck_do_no_harm(times: float) -> None:
    shares, luck = blocks(random.Random(6), 40, 1)
    found = luck_adjusted_mean(shares, luck, *[[times * one for one in luck]] * 2)
    alone = luck_adjusted_mean(shares, luck)
    assert found is not None
    assert alone is not None
    assert found.half == pytest.approx(alone.half, rel=0.03)
    assert luck_adjusted_mean(luck, luck, *[[times * one for one in luck]] * 2) is not None


def test_moments_are_luck_by_how_far_ahead_its_seat_was() -> None:
    luck = 123_456_780
    assert luck_share_moments(luck, UNIT // 2, UNIT) == (luck, 0, -luck // 2)
    assert luck_share_moments(luck, 0, UNIT) == (luck,) * MOMENTS
    assert luck_share_moments(luck, 0, 0) == (luck, 0, 0)
    ahead, behind = luck_share_moments(luck, UNIT // 3, UNIT), luck_share_moments(-luck, UNIT - UNIT // 3, UNIT)
    for at, (one, other) in enumerate(zip(ahead, behind, strict=True)):
        assert other == pytest.approx(one if at % 2 else -one, abs=2), "the other seat of two has the same to tell"
