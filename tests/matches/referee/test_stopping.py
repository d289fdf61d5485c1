"""The stopping rule against figures that others published. Whether it keeps its promise: ``test_error_rates``.

Sources of the figures: [W] A. Wald, Sequential tests of statistical hypotheses (1945), the bounds; [F] the unit tests
of fastchess (SPRT test suite), exact likelihood ratios under the multinomial model; [O] test reports of OpenBench
instances as quoted in pull requests on GitHub, which state counts, hypotheses, ratio and bounds: ProgramciDusunur/
Potential 565, vshcherbyna/igel 299, cosmobobak/viridithas 210, jhonnold/berserk 582, aronpetko/integral 204 and 220,
Yoshie2000/PlentyChess 95 and 334, paulsonkoly/chess-3 109. Both count pairs of games with one opening, colours
reversed: what a block is here.
"""

from collections.abc import Sequence
from math import ceil, exp, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.referee.stopping import (
    BOUNDS,
    LEAST_BLOCKS,
    Sequential,
    StoppingError,
    StopReason,
    ThreeAnswers,
    TwoAnswers,
    stopping_log_likelihood_ratio,
    stopping_wald_bounds,
)
from matches.referee.stopping_rules import stopping_rule_of

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a block: lost twice ... won twice
shares = st.lists(st.sampled_from(SHARES), max_size=60)
numbers = {"effect": st.floats(*BOUNDS["effect"]), "error": st.floats(*BOUNDS["error"])}
rules = st.one_of(st.builds(TwoAnswers, **numbers), st.builds(ThreeAnswers, **numbers))


def moments(counts: Sequence[int]) -> tuple[int, float, float]:
    """How many, mean and variance, of results counted from lost to won."""
    total, steps = sum(counts), len(counts) - 1
    mean = sum(count * place / steps for place, count in enumerate(counts)) / total
    return total, mean, sum(count * (place / steps - mean) ** 2 for place, count in enumerate(counts)) / total


def logistic(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


@pytest.mark.parametrize(
    ("alpha", "beta", "bounds"),
    [(0.05, 0.05, (-2.94, 2.94)), (0.05, 0.10, (-2.25, 2.89)), (0.01, 0.01, (-4.595, 4.595))],  # [O], [O], [W]
)
def test_bounds_are_walds(alpha: float, beta: float, bounds: tuple[float, float]) -> None:
    assert stopping_wald_bounds(alpha, beta) == pytest.approx(bounds, abs=0.006)


@pytest.mark.parametrize(
    ("counts", "elo", "ratio"),
    [
        ((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.07),
        ((871, 26175, 55983, 26678, 821), (0, 2), -4.98),
        ((21184, 40708, 21404), (0.5, 2.5), -1.57),  # single games
        ((57030, 106593, 57433), (0, 2), -2.59),
    ],
)
def test_ratios_agree_with_the_exact_ones_of_fastchess(
    counts: Sequence[int], elo: tuple[float, float], ratio: float
) -> None:
    low, high = map(logistic, elo)
    assert stopping_log_likelihood_ratio(*moments(counts), low, high) == pytest.approx(ratio, rel=0.01)


@pytest.mark.parametrize(
    ("counts", "elo", "ratio"),
    [
        ((1400, 4234, 7874, 4238, 1373), (-5, 0), 2.95),
        ((172, 2689, 5459, 2874, 202), (0, 3), 2.95),
        ((86, 4449, 10243, 4662, 108), (0, 3), 2.96),
        ((189, 845, 1540, 899, 214), (-5, 0), 2.98),
        ((4, 738, 1956, 937, 9), (0, 2.5), 2.90),
        ((4, 1145, 2840, 1354, 7), (0, 2.5), 2.90),
        ((11, 3119, 7527, 3317, 12), (0, 4), 2.91),
        ((46, 936, 2083, 1043, 63), (0, 5), 2.91),
        ((5, 942, 2469, 1050, 5), (-3, 1), 2.90),
        ((214, 8992, 19871, 9102, 235), (0, 2.5), 0.16),
        ((4, 4, 11, 15, 3), (-5, 0), 0.16),  # 37 pairs: the approximation is a little off
    ],
)
def test_ratios_agree_with_published_pentanomial_tests(
    counts: Sequence[int], elo: tuple[float, float], ratio: float
) -> None:
    """Hypotheses in normalised Elo: 800 / ln 10 of it are one standard deviation of a game, sqrt(2 v) for pairs."""
    total, mean, variance = moments(counts)
    low, high = (0.5 + nelo * log(10) / 800 * sqrt(2 * variance) for nelo in elo)
    assert stopping_log_likelihood_ratio(total, mean, variance, low, high) == pytest.approx(ratio, abs=0.016)


def test_the_rule_tends_to_the_textbook_ratio_as_blocks_grow() -> None:
    counts = (3119, 7527, 3317)
    rule = TwoAnswers(effect=0.01)
    plain = stopping_log_likelihood_ratio(*moments(counts), 0.49, 0.51)
    played = [share for share, count in zip((0.0, 0.5, 1.0), counts, strict=True) for _ in range(count)]
    assert rule.ratio(played) == pytest.approx(plain, rel=0.01)


@settings(deadline=None)
@given(rules, shares)
def test_the_rule_is_the_same_for_both_players(rule: Sequential, played: list[float]) -> None:
    swapped = [1 - share for share in played]
    assert rule.ratio(swapped) == (-rule.ratio(played) if isinstance(rule, TwoAnswers) else rule.ratio(played))
    decision = rule.decision(played)
    other = {StopReason.FIRST: StopReason.SECOND, StopReason.SECOND: StopReason.FIRST}
    assert rule.decision(swapped) == (other.get(decision, decision) if decision else None)


@settings(deadline=None)
@given(rules, shares)
def test_the_bot_called_better_has_the_higher_score(rule: Sequential, played: list[float]) -> None:
    decision = rule.decision(played)
    if decision in (StopReason.FIRST, StopReason.SECOND):
        assert (sum(played) > len(played) / 2) == (decision == StopReason.FIRST)
        assert abs(rule.ratio(played)) >= rule.bound


@pytest.mark.parametrize("kind", [TwoAnswers, ThreeAnswers])
def test_nothing_is_decided_by_a_few_blocks_that_are_all_alike(kind: type[Sequential]) -> None:
    rule = kind(effect=0.25, error=0.25)
    for blocks in range(LEAST_BLOCKS):
        assert rule.decision([1.0] * blocks) is None
        assert rule.decision([0.5] * blocks) is None
    assert rule.decision([1.0] * LEAST_BLOCKS) == StopReason.FIRST


def test_blocks_that_are_all_split_are_too_close_to_call_and_two_answers_have_no_word_for_it() -> None:
    assert TwoAnswers().decision([0.5] * 1000) is None
    rule = ThreeAnswers()
    blocks = next(n for n in range(1000) if rule.decision([0.5] * n))
    assert rule.decision([0.5] * blocks) == StopReason.TOO_CLOSE
    assert 0.95**blocks < 0.1, "all of them being split is unlikely where one bot has 55 %: one in ten is not"
    assert rule.ratio([0.5] * blocks) <= rule.close_bound < rule.ratio([0.5] * (blocks - 1))


def test_a_lead_that_is_half_of_what_must_not_be_missed_is_called_neither_soon() -> None:
    rule = ThreeAnswers(effect=0.1, error=0.05)
    played = [1.0, 0.5, 0.5, 0.0, 1.0, 0.5, 0.5, 0.5, 0.5, 0.5] * 6  # 55 %
    assert rule.decision(played) is None
    assert rule.close_bound < rule.ratio(played) < rule.bound


def test_the_ratio_of_three_answers_is_the_weighted_average_of_the_ratios_of_its_differences() -> None:
    rule = ThreeAnswers(effect=0.1, error=0.05)
    assert rule.alternatives == pytest.approx({0.1: 9 / 13, 0.2: 3 / 13, 0.4: 1 / 13})
    played = [1.0] * 20 + [0.5] * 30 + [0.0] * 10
    variance = (30 + 4) / (60 + 4) / 4
    ratios = [stopping_log_likelihood_ratio(60, 35 / 60, variance, 0.5, 0.5 + effect) for effect in rule.alternatives]
    average = sum(weight * exp(ratio) for weight, ratio in zip(rule.alternatives.values(), ratios, strict=True))
    assert rule.ratio(played) == pytest.approx(log(average))
    assert (rule.bound, rule.close_bound) == pytest.approx((log(40), log(0.05 * 9 / 13)))


def test_a_bot_that_wins_every_game_stops_at_the_shortest_decisive_length() -> None:
    """Wald's exact test of a coin that falls right with 0.55 against 0.45 ends after log(b / (1 - a)) / log(9 / 11)."""
    rule = TwoAnswers(effect=0.05, error=0.05)
    assert rule.least_blocks == ceil(log(19) / log(0.55 / 0.45)) == 15
    assert [ThreeAnswers(effect).least_blocks for effect in (0.02, 0.05, 0.1, 0.2)] == [20, 15, 12, 10]


@settings(deadline=None)
@given(rules)
def test_in_fewer_blocks_nothing_can_be_decided(rule: Sequential) -> None:
    assert rule.decision([1.0] * rule.least_blocks) == StopReason.FIRST
    for played in ([1.0] * (rule.least_blocks - 1), [0.75] * (rule.least_blocks - 1)):
        assert rule.decision(played) is None


@settings(deadline=None)
@given(rules)
def test_a_rule_is_read_as_it_was_written(rule: Sequential) -> None:
    assert stopping_rule_of(rule.to_dict()) == rule


def test_what_does_not_say_its_rule_has_three_answers() -> None:
    assert stopping_rule_of({"effect": 0.1}) == ThreeAnswers(effect=0.1)
    assert stopping_rule_of({"rule": "gsprt/1", "effect": 0.1}) == TwoAnswers(effect=0.1)


def test_no_rule_is_a_fixed_number_of_blocks() -> None:
    assert stopping_rule_of({}) is None


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"rule": "gsprt/4"}, "rule"),
        ({"rule": "gsprt/3"}, "value"),
        ({"rule": "gsprt/2", "value": "pickomino/1-v1"}, "value"),
        ({"rule": ["gsprt/2"]}, "rule"),
        ({"effect": 0}, "effect"),
        ({"effect": "much"}, "effect"),
        ({"error": 0.5}, "error"),
        ({"error": True}, "error"),
        ({"error": float("nan")}, "error"),
        ({"luck": 1}, "luck"),
    ],
)
def test_what_is_no_rule_is_refused_by_the_name_of_its_part(data: dict[str, object], field: str) -> None:
    with pytest.raises(StoppingError) as refused:
        stopping_rule_of(data)
    assert refused.value.field == field
