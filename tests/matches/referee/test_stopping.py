"""The stopping rule against figures that others published. Whether it keeps its promise: ``test_error_rates``.

Sources of the figures: [W] A. Wald, Sequential tests of statistical hypotheses (1945), the bounds; [F] the unit tests
of fastchess (SPRT test suite), exact likelihood ratios under the multinomial model; [O] test reports of OpenBench
instances as quoted in pull requests on GitHub, which state counts, hypotheses, ratio and bounds: ProgramciDusunur/
Potential 565, vshcherbyna/igel 299, cosmobobak/viridithas 210, jhonnold/berserk 582, aronpetko/integral 204 and 220,
Yoshie2000/PlentyChess 95 and 334, paulsonkoly/chess-3 109. Both count pairs of games with one opening, colours
reversed: what a block is here.
"""

from collections.abc import Sequence
from math import ceil, log, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matches.referee.stopping import (
    BOUNDS,
    LEAST_BLOCKS,
    Ending,
    Sequential,
    StoppingError,
    log_likelihood_ratio,
    rule_of,
    wald_bounds,
)

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)  # of a block: lost twice ... won twice
shares = st.lists(st.sampled_from(SHARES), max_size=60)
rules = st.builds(Sequential, effect=st.floats(*BOUNDS["effect"]), error=st.floats(*BOUNDS["error"]))


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
    assert wald_bounds(alpha, beta) == pytest.approx(bounds, abs=0.006)


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
    assert log_likelihood_ratio(*moments(counts), low, high) == pytest.approx(ratio, rel=0.01)


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
    assert log_likelihood_ratio(total, mean, variance, low, high) == pytest.approx(ratio, abs=0.016)


def test_the_rule_tends_to_the_textbook_ratio_as_blocks_grow() -> None:
    counts = (3119, 7527, 3317)
    rule = Sequential(effect=0.01)
    plain = log_likelihood_ratio(*moments(counts), 0.49, 0.51)
    played = [share for share, count in zip((0.0, 0.5, 1.0), counts, strict=True) for _ in range(count)]
    assert rule.ratio(played) == pytest.approx(plain, rel=0.01)


@settings(deadline=None)
@given(rules, shares)
def test_the_rule_is_the_same_for_both_players(rule: Sequential, played: list[float]) -> None:
    swapped = [1 - share for share in played]
    assert rule.ratio(swapped) == -rule.ratio(played)
    other = {Ending.FIRST: Ending.SECOND, Ending.SECOND: Ending.FIRST, None: None}
    assert rule.decision(swapped) == other[rule.decision(played)]  # type: ignore[index]


@settings(deadline=None)
@given(rules, shares)
def test_whoever_is_called_better_has_the_higher_score(rule: Sequential, played: list[float]) -> None:
    decision = rule.decision(played)
    if decision is not None:
        assert (sum(played) > len(played) / 2) == (decision == Ending.FIRST)
        assert abs(rule.ratio(played)) >= rule.bound


def test_nothing_is_decided_by_a_few_blocks_that_are_all_alike() -> None:
    rule = Sequential(effect=0.25, error=0.25)
    for blocks in range(LEAST_BLOCKS):
        assert rule.decision([1.0] * blocks) is None
    assert rule.decision([1.0] * LEAST_BLOCKS) == Ending.FIRST
    assert rule.decision([0.5] * 1000) is None


def test_a_bot_that_wins_every_game_plays_no_more_than_it_takes_to_tell_coins_apart() -> None:
    """Wald's exact test of a coin that falls right with 0.55 against 0.45 ends after log(b / (1 - a)) / log(9 / 11)."""
    rule = Sequential(effect=0.05, error=0.05)
    assert rule.least_blocks == ceil(log(19) / log(0.55 / 0.45)) == 15


@settings(deadline=None)
@given(rules)
def test_in_fewer_blocks_nothing_can_be_decided(rule: Sequential) -> None:
    assert rule.decision([1.0] * rule.least_blocks) == Ending.FIRST
    for played in ([1.0] * (rule.least_blocks - 1), [0.75] * (rule.least_blocks - 1)):
        assert rule.decision(played) is None


@settings(deadline=None)
@given(rules)
def test_a_rule_is_read_as_it_was_written(rule: Sequential) -> None:
    assert rule_of(rule.to_dict()) == rule


def test_no_rule_is_a_fixed_number_of_blocks() -> None:
    assert rule_of({}) is None


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"rule": "gsprt/2"}, "rule"),
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
        rule_of(data)
    assert refused.value.field == field
