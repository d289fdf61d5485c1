"""Over thousands of fresh games: no bias, intervals that hold, and numpy's numbers those of Python alone."""

import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import mean, stdev

import pytest

from games.catalogue.heckmeck.board import heckmeck_board_weasel_ready
from games.catalogue.heckmeck.position import HeckmeckPosition
from luck import UNIT, GameAccount, luck_analyse, luck_value_of
from luck.adjusted_mean import luck_adjusted_cross_fitted, luck_adjusted_mean
from luck.analysis import luck_values_known
from luck.grill.solving import turn_solve_plainly, turn_solve_with_numpy
from luck.heckmeck.turns import HeckmeckTurn
from luck.heckmeck.value import HECKMECK_V2
from luck.shares import shares_of
from tests.luck.games import chance_nodes, played

pytestmark = pytest.mark.slow
BLOCKS = 2500  # of two games
SAMPLES, SAMPLE = 2000, 40
Block = tuple[float, ...]  # the mean share of the first bot in both seats, and of the moments of its luck


def block(ruleset: str, bots: tuple[str, str], key: int) -> Block:
    """Play a block that no value was fitted on. A game that the platform ends counts as it is."""
    games = []
    for seat, order in enumerate((bots, bots[::-1])):
        record = played(order, 10**6 + key, ruleset)
        found = luck_analyse(record)
        if isinstance(found, GameAccount):
            games.append([found.final[seat], *(moment[seat] for moment in found.luck_moments)])
        else:
            games.append(
                [
                    shares_of(record.verify().places)[seat],
                    *[0] * luck_values_known()[luck_value_of(record.ruleset)].moment_count,
                ]
            )
    return tuple(sum(column) / UNIT / 2 for column in zip(*games, strict=True))


def blocks_of(ruleset: str, bots: tuple[str, str]) -> list[Block]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        return list(processes.map(partial(block, ruleset, bots), range(BLOCKS), chunksize=25))


@pytest.mark.parametrize(
    ("ruleset", "bots"), [("pickomino/1", ("greedy", "cautious")), ("heckmeck/2", ("sage", "cautious"))]
)
@pytest.mark.timeout(7200)
def test_nothing_is_taken_off_on_average_and_intervals_hold(ruleset: str, bots: tuple[str, str]) -> None:
    shares, luck, *moments = map(list, zip(*blocks_of(ruleset, bots), strict=True))
    less, betas = luck_adjusted_cross_fitted(shares, luck, *moments)
    for name, taken in (("luck", luck), ("raw less adjusted", [a - b for a, b in zip(shares, less, strict=True)])):
        error = stdev(taken) / BLOCKS**0.5
        print(f"{ruleset}: mean of {name} {mean(taken):+.5f}, standard error {error:.5f}")
        assert abs(mean(taken)) <= 2 * error
    print(f"{ruleset}: share {mean(shares):.4f}, adjusted {mean(less):.4f}, factors of luck {betas}")
    rng = random.Random(1)
    centred = [[one - mean(column) for one in column] for column in (luck, *moments)]  # of these, as if they were all
    blocks, truth, held = list(zip(shares, *centred, strict=True)), mean(shares), [0, 0]
    for _ in range(SAMPLES):
        found = luck_adjusted_mean(*zip(*rng.choices(blocks, k=SAMPLE), strict=True))
        assert found is not None
        held[0] += abs(found.share - truth) <= found.half
        held[1] += abs(found.raw - truth) <= found.raw_half
    print(f"{ruleset}: {held[0] / SAMPLES:.1%} of intervals hold, {held[1] / SAMPLES:.1%} of raw ones")
    assert 0.93 <= held[0] / SAMPLES <= 0.97


def turns_compared(key: int) -> Counter[str]:
    """Solve turns of one game with numpy and without it, with the weasel's second throw too; how many of which kind."""
    bots = ("cautious", "random", "cautious", "random", "cautious", "random", "cautious")[: 2 + key % 6]
    compared: Counter[str] = Counter()
    for state in chance_nodes(bots, key, 0.02, ruleset="heckmeck/2"):
        assert isinstance(state, HeckmeckPosition)
        kind = (
            "golden"
            if state.hand.golden
            else "weasel"
            if heckmeck_board_weasel_ready(state.board, state.hand)
            else "plain"
        )
        if not state.turn or kind in compared:
            continue
        turn = HeckmeckTurn(state.board, HECKMECK_V2, double=False)
        table, pays = turn._table(state.hand), turn._pays
        plainly = turn_solve_plainly(table, pays, None)
        assert plainly == turn_solve_with_numpy(table, pays, None)
        if kind != "plain":
            assert turn_solve_plainly(table, pays, plainly[1]) == turn_solve_with_numpy(table, pays, plainly[1])
        compared[kind] += 1
    return compared


@pytest.mark.timeout(3600)
def test_with_numpy_and_without_it_turns_of_heckmeck_of_a_thousand_games_have_the_same_values() -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        games = list(processes.map(turns_compared, range(1000), chunksize=20))
    compared = sum(games, Counter())
    print(f"{compared} of 1000 games")
    assert len([one for one in games if one]) > 800
    assert min(compared[kind] for kind in ("plain", "golden", "weasel")) > 50
