"""The announced error rates, by exact sums over all that can happen in a series; simulation only checks the sums.

Of the blocks played a rule sees three numbers: how many, the sum of the leads, the sum of their sizes. So the chances
of all series are carried from block to block on a grid of the two sums, and what a rule answers is taken off it.

Blocks that are won, split or lost have one free number once their mean is given: how many of them are not split. A grid
of that is all distributions there are.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.referee.costs import UNSPLIT as EXPECTED_UNSPLIT
from matches.referee.costs import series_costs
from matches.referee.stopping import (
    BOUNDS,
    LARGEST_VARIANCE,
    LEAST_BLOCKS,
    Sequential,
    StopReason,
    ThreeAnswers,
    TwoAnswers,
)

UNSPLIT = (0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0)  # from as few as the mean allows to all blocks
GREEDY = (34, 516, 135)  # lost, split, won: Pickomino, greedy against greedy that slips (benchmarks.variance)
ODD = [(3, 0, 0, 9, 0), (1, 4, 0, 0, 3), (0, 1, 0, 1, 0), (1, 1, 20, 1, 1), (5, 1, 1, 1, 5)]  # games of a block tied


@dataclass(frozen=True, slots=True)
class Ends:
    """The chance that either is called better, or it is too close to call, and the blocks expected to be played."""

    first: float
    second: float
    close: float
    blocks: float

    @property
    def better(self) -> float:
        return self.first + self.second


def sums(rule: Sequential, weights: Sequence[float], most: int) -> Ends:
    """Of series whose blocks are distributed so: three weights, lost to won, or five, by quarters."""
    steps = len(weights) // 2
    unit = 0.5 / steps
    reach = steps + int(max(farthest(rule, most), 0.5 * LEAST_BLOCKS) / unit) + 1
    leads = unit * np.arange(-reach, reach + 1)
    going = np.zeros((len(leads), 1))
    going[reach, 0] = 1
    first = second = close = blocks = 0.0
    for played in range(1, most + 1):
        blocks += going.sum()
        after = np.zeros((len(leads), steps * played + 1))
        for step, weight in zip(range(-steps, steps + 1), weights, strict=True):
            before = going[max(0, -step) : len(leads) - max(0, step)] * (weight / sum(weights))
            after[max(0, step) : len(leads) + min(0, step), abs(step) : abs(step) + going.shape[1]] += before
        half_better, half_close = answers(rule, played, leads[reach:, None], unit * np.arange(steps * played + 1))
        decided, level = (np.concatenate([half[:0:-1], half]) for half in (half_better, half_close))
        ended = np.where(decided, after, 0).sum(axis=1)
        first, second = first + ended[leads > 0].sum(), second + ended[leads < 0].sum()
        close += after[level].sum()
        going = np.where(decided | level, 0, after)
    return Ends(float(first), float(second), float(close), float(blocks))


def farthest(rule: Sequential, most: int) -> float:
    """The sum of leads at which somebody is called better at the latest; v is 1/4 at most."""
    if isinstance(rule, ThreeAnswers):
        bound = rule.bound - log(rule.alternatives[rule.effect])
        return rule.effect * most / 2 + bound * LARGEST_VARIANCE / rule.effect
    return rule.bound / (8 * rule.effect)


def answers(rule: Sequential, blocks: int, leads: Any, sizes: Any) -> tuple[Any, Any]:
    """Whether after so many blocks with these sums of leads, 0 or more, and of their sizes the leading seat is called
    better, and whether it is too close to call. A hair off the bounds, for rounding."""
    nothing = np.zeros(np.broadcast_shapes(leads.shape, sizes.shape), bool)
    if blocks < LEAST_BLOCKS:
        return nothing, nothing
    variance = (sizes / 2 + rule.PRIOR_BLOCKS * LARGEST_VARIANCE) / (blocks + rule.PRIOR_BLOCKS)
    if isinstance(rule, TwoAnswers):
        return leads >= rule.bound * variance / (2 * rule.effect) - 1e-9, nothing
    assert isinstance(rule, ThreeAnswers)
    terms = [
        weight * np.exp(np.minimum(effect * (2 * leads - blocks * effect) / (2 * variance), 100))
        for effect, weight in rule.alternatives.items()
    ]
    average = np.sum(terms, axis=0)
    return average >= exp(rule.bound) * (1 - 1e-9), average <= exp(rule.close_bound) * (1 + 1e-9)


def won_or_lost(mean: float, unsplit: float) -> tuple[float, float, float]:
    """Blocks with this mean; ``unsplit``: 0 as few as it allows, which are all won or all lost, 1 all."""
    skew = 2 * mean - 1
    share = abs(skew) + unsplit * (1 - abs(skew))
    return (share - skew) / 2, 1 - share, (share + skew) / 2


def tilted(weights: Sequence[float], mean: float) -> list[float]:
    """The same shape with another mean, by an exponential tilt."""
    shares = [place / (len(weights) - 1) for place in range(len(weights))]
    low, high = -100.0, 100.0
    for _ in range(100):
        tilt = (low + high) / 2
        found = [weight * exp(tilt * (share - 0.5)) for weight, share in zip(weights, shares, strict=True)]
        low, high = (tilt, high) if np.dot(found, shares) < mean * sum(found) else (low, tilt)
    return found


def simulated(
    rule: Sequential, weights: Sequence[float], most: int, matches: int, ending: StopReason = StopReason.FIRST
) -> float:
    """The share of matches that the rule itself ends so."""
    luck = random.Random(f"{rule}{weights}")
    shares = [place / (len(weights) - 1) for place in range(len(weights))]
    wrong = 0
    for _ in range(matches):
        played: list[float] = []
        end = None
        while end is None and len(played) < most:
            played += luck.choices(shares, weights)
            end = rule.decision(played)
        wrong += end == ending
    return wrong / matches


def spread(chance: float, matches: int) -> float:
    """Four standard deviations of a share of so many matches."""
    return 4 * sqrt(chance * (1 - chance) / matches)


numbers = {"effect": st.floats(*BOUNDS["effect"]), "error": st.floats(*BOUNDS["error"])}


@settings(deadline=None)
@given(
    st.one_of(st.builds(TwoAnswers, **numbers), st.builds(ThreeAnswers, **numbers)),
    st.lists(st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0)), min_size=1, max_size=80),
)
def test_the_sums_stop_where_the_rule_does(rule: Sequential, shares: list[float]) -> None:
    leads = [share - 0.5 for share in shares]
    better, close = answers(rule, len(shares), np.array(abs(sum(leads))), np.array(sum(map(abs, leads))))
    leading = StopReason.FIRST if sum(leads) > 0 else StopReason.SECOND
    assert rule.decision(shares) == (leading if better else StopReason.TOO_CLOSE if close else None)


@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("effect", [0.02, 0.05, 0.1, 0.2])
def test_two_answers_keep_their_error_rate(effect: float, error: float) -> None:
    rule = TwoAnswers(effect=effect, error=error)
    assert max(sums(rule, won_or_lost(0.5 - effect, part), 250).first for part in (0.2, 0.5, 1.0)) <= error


@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.05, 100), (0.1, 80), (0.2, 50)])
def test_at_most_the_announced_share_of_equals_is_called_better(effect: float, most: int, error: float) -> None:
    rule = ThreeAnswers(effect=effect, error=error)
    ends = [sums(rule, won_or_lost(0.5, unsplit), most) for unsplit in (0.02, 0.4, 1.0)]
    assert max(end.better for end in ends) <= error <= 0.1
    assert ends[0].close >= 0.9


@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.05, 100), (0.1, 80), (0.2, 50)])
def test_a_difference_as_announced_is_called_too_close_no_more_often(effect: float, most: int, error: float) -> None:
    rule = ThreeAnswers(effect=effect, error=error)
    for unsplit in (0.0, 0.2, 1.0):
        ends = sums(rule, won_or_lost(0.5 + effect, unsplit), most)
        assert ends.close + ends.second <= error


def test_a_simulation_of_three_answers_comes_to_the_same_shares() -> None:
    rule = ThreeAnswers(effect=0.2, error=0.1)
    for mean, most in ((0.5, 40), (0.6, 25)):
        weights = won_or_lost(mean, 0.4)
        exact = sums(rule, weights, most)
        for ending, chance in ((StopReason.FIRST, exact.first), (StopReason.TOO_CLOSE, exact.close)):
            assert simulated(rule, weights, most, 500, ending) == pytest.approx(chance, abs=spread(chance, 500) + 0.005)


@pytest.mark.parametrize(("effect", "error", "most"), [(0.05, 0.05, 120), (0.1, 0.1, 100), (0.2, 0.05, 60)])
def test_the_expected_length_shown_to_organisers_matches_the_computation(
    effect: float, error: float, most: int
) -> None:
    rule = ThreeAnswers(effect=effect, error=error)
    costs = series_costs(rule, most)
    assert [one.lead for one in costs] == [0, effect / 2, effect, 2 * effect]
    for one in costs:
        exact = sums(rule, won_or_lost(0.5 + one.lead, EXPECTED_UNSPLIT), most)
        assert one.blocks == pytest.approx(exact.blocks, rel=0.04)
        assert (one.better, one.worse, one.close) == pytest.approx((exact.first, exact.second, exact.close), abs=0.04)
        assert one.better + one.worse + one.close + one.undecided == pytest.approx(1)


def test_a_small_simulation_comes_to_the_same_rates() -> None:
    rule, weights = TwoAnswers(effect=0.1, error=0.1), won_or_lost(0.4, 1)
    exact = sums(rule, weights, 100).first
    assert exact == pytest.approx(0.08, abs=0.005)
    assert simulated(rule, weights, 100, 1000) == pytest.approx(exact, abs=spread(exact, 1000))


def test_what_is_decided_early_costs_fewer_blocks_than_a_fixed_series_of_the_same_error() -> None:
    """Wald's result: about half. The fixed series: a normal mean at 0.53 or 0.47 decided with 5 % error each way."""
    rule = TwoAnswers(effect=0.03, error=0.05)
    lost, split, won = tilted(GREEDY, 0.53)
    fixed = ((lost + won) / (lost + split + won) / 4 - 0.03**2) * (1.6449 / 0.03) ** 2
    ends = sums(rule, (lost, split, won), 1000)
    assert ends.first > 0.95
    assert ends.blocks < 0.7 * fixed


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1, 0.25])
@pytest.mark.parametrize("effect", [0.01, 0.02, 0.05, 0.1, 0.2, 0.25])
def test_every_announced_error_rate_holds_up_to_a_thousand_blocks(effect: float, error: float) -> None:
    rule = TwoAnswers(effect=effect, error=error)
    for part in UNSPLIT:
        assert sums(rule, won_or_lost(0.5 - effect, part), 1000).first <= error
    assert sums(rule, won_or_lost(0.5 - 1.5 * effect, 0.5), 200).first <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("effect", [0.05, 0.1, 0.2])
def test_it_holds_too_where_the_games_of_a_block_may_be_tied(effect: float, error: float) -> None:
    """Among others by a bot that wins blocks by a quarter, or loses them whole: small leads that hide large ones."""
    rule, luck = TwoAnswers(effect=effect, error=error), np.random.default_rng(1)
    often = (0.5 - effect) / 0.75
    shapes = [tilted((luck.dirichlet([0.3] * 5) + 1e-6).tolist(), 0.5 - effect) for _ in range(20)]
    for shape in [(1 - often, 0, 0, often, 0), *shapes]:
        assert sums(rule, shape, 200).first <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.05, 200), (0.1, 100), (0.2, 50)])
def test_long_simulations_come_to_the_same_rates(effect: float, most: int, error: float) -> None:
    rule, matches = TwoAnswers(effect=effect, error=error), 2000
    for part in (0.2, 1.0):
        weights = won_or_lost(0.5 - effect, part)
        exact = sums(rule, weights, most).first
        assert simulated(rule, weights, most, matches) == pytest.approx(exact, abs=spread(exact, matches))


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1, 0.25])
@pytest.mark.parametrize(
    ("effect", "most"), [(0.01, 1000), (0.02, 600), (0.05, 500), (0.1, 300), (0.2, 120), (0.25, 80)]
)
def test_three_answers_hold_every_announced_error_rate(effect: float, most: int, error: float) -> None:
    rule = ThreeAnswers(effect=effect, error=error)
    for part in (0.0, *UNSPLIT):
        apart = sums(rule, won_or_lost(0.5 + effect, part), most)
        assert apart.close + apart.second <= error
        assert part == 0 or sums(rule, won_or_lost(0.5, part), most).better <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.05, 200), (0.1, 150), (0.2, 80)])
def test_three_answers_hold_it_too_where_the_games_of_a_block_may_be_tied(
    effect: float, most: int, error: float
) -> None:
    rule, luck = ThreeAnswers(effect=effect, error=error), np.random.default_rng(1)
    shapes: list[Sequence[float]] = [*ODD, *((luck.dirichlet([0.3] * 5) + 1e-6).tolist() for _ in range(8))]
    for shape in shapes:
        assert sums(rule, tilted(shape, 0.5), most).better <= error
        apart = sums(rule, tilted(shape, 0.5 + effect), most)
        assert apart.close + apart.second <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.02, 300), (0.05, 200), (0.1, 100), (0.2, 50)])
def test_thousands_of_series_of_equals_end_better_no_more_often(effect: float, most: int, error: float) -> None:
    """All that the form offers, played by the rule itself; with noise from one block in ten to all."""
    rule, matches = ThreeAnswers(effect=effect, error=error), 2000 if most <= 100 else 500
    for unsplit in (0.1, 0.3, 1.0):
        weights = won_or_lost(0.5, unsplit)
        better = 2 * simulated(rule, weights, most, matches)
        assert better <= error + 2 * spread(error / 2, matches)
        assert better == pytest.approx(sums(rule, weights, most).better, abs=2 * spread(error / 2, matches))
        close = simulated(rule, won_or_lost(0.5 + effect, unsplit), most, matches, StopReason.TOO_CLOSE)
        assert close <= error + spread(error, matches)
