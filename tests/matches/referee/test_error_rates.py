"""The announced error rates, by exact sums over all that can happen in a series; simulation only checks the sums.

Of the blocks played the rule sees three numbers: how many, the sum of the leads, the sum of their sizes. So the chances
of all series are carried from block to block on a grid of the two sums, and what crosses a bound is taken off it.

Blocks that are won, split or lost have one free number once their mean is given: how many of them are not split. A grid
of that is all distributions there are.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.referee.stopping import BOUNDS, LARGEST_VARIANCE, LEAST_BLOCKS, PRIOR_BLOCKS, Ending, Sequential

UNSPLIT = (0.02, 0.1, 0.2, 0.3, 0.5, 0.7, 0.85, 1.0)  # from as few as the mean allows to all blocks
GREEDY = (34, 516, 135)  # lost, split, won: Pickomino, greedy against greedy that slips (benchmarks.variance)


@dataclass(frozen=True, slots=True)
class Ends:
    """The chance that either is called better, and the blocks expected to be played."""

    first: float
    second: float
    blocks: float


def sums(rule: Sequential, weights: Sequence[float], most: int) -> Ends:
    """Of series whose blocks are distributed so: three weights, lost to won, or five, by quarters."""
    steps = len(weights) // 2
    unit = 0.5 / steps
    reach = steps + int(max(rule.bound / (8 * rule.effect), 0.5 * LEAST_BLOCKS) / unit) + 1  # v is 1/4 at most
    leads = unit * np.arange(-reach, reach + 1)
    going = np.zeros((len(leads), 1))
    going[reach, 0] = 1
    first = second = blocks = 0.0
    for played in range(1, most + 1):
        blocks += going.sum()
        after = np.zeros((len(leads), steps * played + 1))
        for step, weight in zip(range(-steps, steps + 1), weights, strict=True):
            before = going[max(0, -step) : len(leads) - max(0, step)] * (weight / sum(weights))
            after[max(0, step) : len(leads) + min(0, step), abs(step) : abs(step) + going.shape[1]] += before
        going = after * (np.abs(leads)[:, None] < enough(rule, played, unit * np.arange(steps * played + 1)))
        ended = (after - going).sum(axis=1)
        first, second = first + ended[leads > 0].sum(), second + ended[leads < 0].sum()
    return Ends(float(first), float(second), float(blocks))


def enough(rule: Sequential, blocks: int, sizes: Any) -> Any:
    """The sum of leads that decides after so many blocks, by the sum of their sizes; a hair less, for rounding."""
    variance = (sizes / 2 + PRIOR_BLOCKS * LARGEST_VARIANCE) / (blocks + PRIOR_BLOCKS)
    return rule.bound * variance / (2 * rule.effect) - 1e-9 if blocks >= LEAST_BLOCKS else np.inf


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


def simulated(rule: Sequential, weights: Sequence[float], most: int, matches: int) -> float:
    """The share of matches in which the rule itself calls the first better."""
    luck = random.Random(f"{rule}{weights}")
    shares = [place / (len(weights) - 1) for place in range(len(weights))]
    wrong = 0
    for _ in range(matches):
        played: list[float] = []
        end = None
        while end is None and len(played) < most:
            played += luck.choices(shares, weights)
            end = rule.decision(played)
        wrong += end == Ending.FIRST
    return wrong / matches


def spread(chance: float, matches: int) -> float:
    """Four standard deviations of a share of so many matches."""
    return 4 * sqrt(chance * (1 - chance) / matches)


@settings(deadline=None)
@given(
    st.builds(Sequential, effect=st.floats(*BOUNDS["effect"]), error=st.floats(*BOUNDS["error"])),
    st.lists(st.sampled_from((0.0, 0.25, 0.5, 0.75, 1.0)), min_size=1, max_size=80),
)
def test_the_sums_stop_where_the_rule_does(rule: Sequential, shares: list[float]) -> None:
    leads = [share - 0.5 for share in shares]
    stops = abs(sum(leads)) >= enough(rule, len(shares), sum(map(abs, leads)))
    assert rule.decision(shares) == ((Ending.FIRST if sum(leads) > 0 else Ending.SECOND) if stops else None)


@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("effect", [0.02, 0.05, 0.1, 0.2])
def test_what_the_form_offers_keeps_its_error_rate(effect: float, error: float) -> None:
    rule = Sequential(effect=effect, error=error)
    assert max(sums(rule, won_or_lost(0.5 - effect, part), 250).first for part in (0.2, 0.5, 1.0)) <= error


def test_a_small_simulation_comes_to_the_same_rates() -> None:
    rule, weights = Sequential(effect=0.1, error=0.1), won_or_lost(0.4, 1)
    exact = sums(rule, weights, 100).first
    assert exact == pytest.approx(0.08, abs=0.005)
    assert simulated(rule, weights, 100, 1000) == pytest.approx(exact, abs=spread(exact, 1000))


def test_what_is_decided_early_costs_fewer_blocks_than_a_fixed_series_of_the_same_error() -> None:
    """Wald's result: about half. The fixed series: a normal mean at 0.53 or 0.47 told apart with 5 % error each way."""
    rule = Sequential(effect=0.03, error=0.05)
    lost, split, won = tilted(GREEDY, 0.53)
    fixed = ((lost + won) / (lost + split + won) / 4 - 0.03**2) * (1.6449 / 0.03) ** 2
    ends = sums(rule, (lost, split, won), 1000)
    assert ends.first > 0.95
    assert ends.blocks < 0.7 * fixed


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1, 0.25])
@pytest.mark.parametrize("effect", [0.01, 0.02, 0.05, 0.1, 0.2, 0.25])
def test_whatever_may_be_announced_is_kept_up_to_a_thousand_blocks(effect: float, error: float) -> None:
    rule = Sequential(effect=effect, error=error)
    for part in UNSPLIT:
        assert sums(rule, won_or_lost(0.5 - effect, part), 1000).first <= error
    assert sums(rule, won_or_lost(0.5 - 1.5 * effect, 0.5), 200).first <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("effect", [0.05, 0.1, 0.2])
def test_it_is_kept_too_where_the_games_of_a_block_may_be_tied(effect: float, error: float) -> None:
    """Among others by a bot that wins blocks by a quarter, or loses them whole: small leads that hide large ones."""
    rule, luck = Sequential(effect=effect, error=error), np.random.default_rng(1)
    often = (0.5 - effect) / 0.75
    shapes = [tilted((luck.dirichlet([0.3] * 5) + 1e-6).tolist(), 0.5 - effect) for _ in range(20)]
    for shape in [(1 - often, 0, 0, often, 0), *shapes]:
        assert sums(rule, shape, 200).first <= error


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.01, 0.05, 0.1])
@pytest.mark.parametrize(("effect", "most"), [(0.05, 200), (0.1, 100), (0.2, 50)])
def test_long_simulations_come_to_the_same_rates(effect: float, most: int, error: float) -> None:
    rule, matches = Sequential(effect=effect, error=error), 2000
    for part in (0.2, 1.0):
        weights = won_or_lost(0.5 - effect, part)
        exact = sums(rule, weights, most).first
        assert simulated(rule, weights, most, matches) == pytest.approx(exact, abs=spread(exact, matches))
