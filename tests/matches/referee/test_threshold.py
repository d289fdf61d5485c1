"""Rule threshold/1: is the share of a seat above a threshold? Its error rates, by exact sums and by simulation."""

import random
from collections import Counter
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.pages.labels import match_length_label
from matches.referee.stopping import StoppingError, StopReason, ThreeAnswers
from matches.referee.stopping_rules import THRESHOLDS, AboveThreshold, stopping_rule_of

CAP = 60
SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
# Weights of a block's shares, from lost twice to won twice.
SHAPES = {
    "won or lost": (1, 0, 0, 0, 1),
    "split often": (1, 0, 6, 0, 1),
    "rarely lost": (1, 0, 0, 4, 15),
    "ties": (1, 2, 3, 2, 1),
}


def with_mean(weights: tuple[int, ...], mean: float) -> list[float]:
    """The shape, mixed with blocks that are all won or all lost, so that it has the required mean."""
    own = sum(w * x for w, x in zip(weights, SHARES, strict=True)) / sum(weights)
    part = (mean / own) if mean < own else (1 - mean) / (1 - own)
    mixed = [part * w / sum(weights) for w in weights]
    mixed[0 if mean < own else -1] += 1 - part
    return mixed


def ended(rule: AboveThreshold, chances: list[float], rng: random.Random, cap: int = CAP) -> tuple[StopReason, int]:
    shares = rng.choices(SHARES, chances, k=cap)
    for played in range(1, cap + 1):
        if answer := rule.decision(shares[:played]):
            return answer, played
    return StopReason.UNDECIDED, cap


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.9])
def test_at_the_threshold_few_are_called_above_it_or_below(threshold: float, shape: tuple[int, ...]) -> None:
    rule, rng = AboveThreshold(effect=0.1, error=0.05, threshold=threshold), random.Random(5)
    answers = Counter(ended(rule, with_mean(shape, threshold), rng)[0] for _ in range(200))
    assert answers[StopReason.FIRST] / 200 <= 0.05
    assert answers[StopReason.SECOND] / 200 <= 0.05


@pytest.mark.simulation
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("threshold", [0.2, 0.5, 0.6, 0.8, 0.95])
def test_at_the_threshold_at_most_half_the_error_falls_on_each_side(threshold: float, shape: tuple[int, ...]):  # type: ignore[no-untyped-def]
    rule, rng = AboveThreshold(effect=0.1, error=0.05, threshold=threshold), random.Random(6)
    answers = Counter(ended(rule, with_mean(shape, threshold), rng, 120)[0] for _ in range(2000))
    spread = 2 * (0.025 * 0.975 / 2000) ** 0.5
    assert answers[StopReason.FIRST] / 2000 <= 0.025 + spread
    assert answers[StopReason.SECOND] / 2000 <= 0.025 + spread


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8])
def test_the_chance_summed_over_all_series_of_won_and_lost_blocks_is_within_the_promise(threshold: float) -> None:
    """Of blocks won or lost a rule sees how many were won: the chances of all series are summed exactly."""
    rule = AboveThreshold(effect=0.1, error=0.05, threshold=threshold)
    going, ends = {0: 1.0}, Counter[StopReason]()
    for played in range(1, CAP + 1):
        after: dict[int, float] = {}
        for won, chance in going.items():
            after[won] = after.get(won, 0.0) + chance * (1 - threshold)
            after[won + 1] = after.get(won + 1, 0.0) + chance * threshold
        going = {}
        for won, chance in after.items():
            if answer := rule.decision([1.0] * won + [0.0] * (played - won)):
                ends[answer] += chance
            else:
                going[won] = chance
    assert 0 < ends[StopReason.FIRST] <= rule.error / 2
    assert 0 < ends[StopReason.SECOND] <= rule.error / 2


def test_a_clearly_stronger_bot_is_found_in_few_blocks() -> None:
    rule, rng = AboveThreshold(effect=0.1, error=0.05, threshold=0.6), random.Random(7)
    found = [ended(rule, with_mean(SHAPES["ties"], 0.85), rng, 200) for _ in range(300)]
    assert sum(answer == StopReason.FIRST for answer, _ in found) >= 297
    assert sum(blocks for _, blocks in found) / len(found) < 45
    below = [ended(rule, with_mean(SHAPES["ties"], 0.4), rng, 200)[0] for _ in range(300)]
    assert StopReason.FIRST not in below


@given(st.lists(st.sampled_from(SHARES), min_size=1, max_size=40), st.floats(*THRESHOLDS))
@settings(max_examples=60)
def test_the_answer_is_the_opposite_of_that_of_the_other_seat(shares: list[float], threshold: float) -> None:
    rule = AboveThreshold(threshold=threshold)
    other = AboveThreshold(threshold=min(max(1 - threshold, THRESHOLDS[0]), THRESHOLDS[1]))
    opposite = {StopReason.FIRST: StopReason.SECOND, StopReason.SECOND: StopReason.FIRST}
    mirrored = other.decision([1 - share for share in shares])
    assert rule.ratio(shares) == pytest.approx(other.ratio([1 - share for share in shares]), abs=1e-6)
    answer = rule.decision(shares)
    assert mirrored == opposite.get(answer, answer) if answer else mirrored is None


def test_one_bet_is_the_likelihood_ratio_of_blocks_won_or_lost() -> None:
    rule = AboveThreshold(effect=0.25, error=0.05, threshold=0.6)  # 0.25 is the only difference below 0.38
    ratio = 7 * log(0.85 / 0.6) + 3 * log(0.15 / 0.4)
    assert rule._stake([1.0] * 7 + [0.0] * 3, 0.6) == pytest.approx(ratio)


def test_it_is_stored_and_announced_with_its_threshold() -> None:
    rule = AboveThreshold(effect=0.1, error=0.05, threshold=0.6)
    assert stopping_rule_of(rule.to_dict()) == rule
    assert rule.to_dict() == {"rule": "threshold/1", "effect": 0.1, "error": 0.05, "threshold": 0.6}
    assert not isinstance(rule, ThreeAnswers), "what a match of equals costs is told of that alone"
    assert "above or below 60\u00a0%, after 200 deals at most" in match_length_label(rule.to_dict(), 200)
    assert rule.decision([0.0] * rule.least_blocks) == StopReason.SECOND
    assert rule.decision([0.0] * (rule.least_blocks - 1)) is None


@pytest.mark.parametrize("threshold", [0, 1, 0.04, 0.96, True, "0.5", None])
def test_a_threshold_out_of_bounds_is_refused(threshold: object) -> None:
    with pytest.raises(StoppingError):
        stopping_rule_of({"rule": "threshold/1", "threshold": threshold})
