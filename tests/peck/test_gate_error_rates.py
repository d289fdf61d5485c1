"""What peck gate announces holds where shares of real blocks are drawn from: see benchmarks.gate."""

import argparse
import random

import pytest

from benchmarks.gate import EFFECT, ERROR, LENGTHS, MOST, PLAYED, Blocks, covered, ended, fixed_length, gated
from matches.referee import StopReason, ThreeAnswers
from peck.gate import command_add

every_pair = pytest.mark.parametrize("weights", PLAYED.values(), ids=PLAYED)
BETTER = (StopReason.FIRST, StopReason.SECOND)


def test_it_is_simulated_as_it_decides() -> None:
    gate = argparse.ArgumentParser()
    command_add(gate.add_subparsers())
    given = gate.parse_args(["gate", "pickomino", "old.py", "new.py"])
    assert (given.effect, given.error, given.blocks) == (EFFECT, ERROR, MOST)
    rule, rng = ThreeAnswers(EFFECT, ERROR), random.Random(1)
    for weights in PLAYED.values():
        shares = Blocks(weights, 0.1).drawn(rng, 60)
        answer, length = ended(rule, shares)
        answers = [rule.decision(shares[:number]) for number in range(length + 1)]
        assert answers[:-1] == [None] * length
        assert (answers[-1] or StopReason.UNDECIDED) == answer


@every_pair
def test_pairs_are_as_far_apart_as_declared(weights: tuple[int, ...]) -> None:
    for better in (0.0, 0.05, 0.2):
        blocks = Blocks(weights, better)
        shares = blocks.drawn(random.Random(2), 20_000)
        assert sum(shares) / len(shares) == pytest.approx(0.5 + better, abs=0.012)


@pytest.mark.slow
@every_pair
def test_at_most_five_percent_of_equal_pairs_are_called_better(weights: tuple[int, ...]) -> None:
    found = gated(weights, 0.0)
    assert sum(found.answers.get(answer, 0.0) for answer in BETTER) <= ERROR
    assert found.blocks < fixed_length(weights)


@pytest.mark.slow
def test_on_the_whole_it_takes_fewer_blocks_than_a_test_of_fixed_length() -> None:
    for better, most in ((0.0, 0.85), (EFFECT, 0.8), (2 * EFFECT, 0.35)):
        parts = [gated(weights, better).blocks / fixed_length(weights) for weights in PLAYED.values()]
        assert sum(parts) / len(parts) < most


@pytest.mark.slow
@every_pair
def test_of_bots_apart_by_the_effect_the_worse_is_never_called_better_and_few_are_too_close(
    weights: tuple[int, ...],
) -> None:
    found, wide = gated(weights, EFFECT), gated(weights, 2 * EFFECT)
    at = fixed_length(weights)  # that knows the variance, which the rule does not
    assert found.answers.get(StopReason.SECOND, 0.0) <= 0.005
    assert found.answers.get(StopReason.TOO_CLOSE, 0.0) <= ERROR
    assert found.answers[StopReason.FIRST] >= 0.9
    assert wide.answers[StopReason.FIRST] >= 0.99
    assert found.blocks < 1.1 * at
    assert wide.blocks < 0.5 * at


@pytest.mark.slow
@every_pair
def test_intervals_hold_the_true_share_in_93_to_97_of_a_hundred(weights: tuple[int, ...]) -> None:
    for length in LENGTHS:
        assert covered(weights, length) >= 0.93
        assert covered(weights, length) <= 0.97 or length < 20  # of few blocks that split nearly all is wider


@pytest.mark.slow
@every_pair
def test_where_the_gate_has_stopped_its_interval_holds_it_in_90_of_a_hundred_at_least(weights: tuple[int, ...]) -> None:
    assert min(gated(weights, better).covered for better in (0.0, 0.05, 0.1, 0.2)) >= 0.9
