"""Over thousands of fresh games: no bias, intervals that hold, and numpy's numbers those of Python alone."""

import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from statistics import mean, stdev

import pytest

from games.catalogue.heckmeck.fields import weasel_ready
from games.catalogue.heckmeck.position import HeckmeckPosition
from luck import UNIT, GameAccount, analyse
from luck.adjusting import adjusted
from luck.grill.solving import solve_plainly, solve_with_numpy
from luck.heckmeck.endings import HECKMECK_V2
from luck.heckmeck.turns import HeckmeckTurn
from luck.shares import shares_of
from tests.luck.games import chance_nodes, played

pytestmark = pytest.mark.slow
GAMES = 5000
SAMPLES, BLOCKS = 2000, 40
Game = tuple[float, float]  # the share of the seat at position 0, and its luck


def game(ruleset: str, bots: Sequence[str], key: int) -> Game:
    """Play a game that no value was fitted on. One that the platform ends counts as it is."""
    record = played(bots, 10**6 + key, ruleset)
    found = analyse(record)
    if not isinstance(found, GameAccount):
        return shares_of(record.verify().places)[0] / UNIT, 0.0
    return found.final[0] / UNIT, found.luck[0] / UNIT


@pytest.mark.parametrize(
    ("ruleset", "bots"), [("pickomino/1", ("greedy", "cautious")), ("heckmeck/2", ("cautious", "cautious"))]
)
@pytest.mark.timeout(7200)
def test_luck_has_the_mean_zero_and_intervals_hold(ruleset: str, bots: tuple[str, ...]) -> None:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        games = list(processes.map(partial(game, ruleset, bots), range(GAMES), chunksize=50))
    lucks = [luck for _, luck in games]
    error = stdev(lucks) / GAMES**0.5
    print(f"{ruleset}: mean luck {mean(lucks):+.5f}, standard error {error:.5f}")
    assert abs(mean(lucks)) <= 2 * error
    rng = random.Random(1)
    centred = [(share, luck - mean(lucks)) for share, luck in games]  # of the games here, as if they were all
    truth, covered = mean(share for share, _ in games), 0
    for _ in range(SAMPLES):
        shares, luck = zip(*rng.choices(centred, k=BLOCKS), strict=True)
        found = adjusted(shares, luck)
        assert found is not None
        covered += abs(found.share - truth) <= found.half
    print(f"{ruleset}: {100 * covered / SAMPLES:.1f} % of intervals hold")
    assert 0.93 <= covered / SAMPLES <= 0.97


def turns_compared(key: int) -> Counter[str]:
    """Solve turns of one game with numpy and without it, with the weasel's second throw too; how many of which kind."""
    bots = ("cautious", "random", "cautious", "random", "cautious", "random", "cautious")[: 2 + key % 6]
    compared: Counter[str] = Counter()
    for state in chance_nodes(bots, key, 0.02, ruleset="heckmeck/2"):
        assert isinstance(state, HeckmeckPosition)
        kind = "golden" if state.hand.golden else "weasel" if weasel_ready(state.board, state.hand) else "plain"
        if not state.turn or kind in compared:
            continue
        turn = HeckmeckTurn(state.board, HECKMECK_V2, double=False)
        table, pays = turn._table(state.hand), turn._pays
        plainly = solve_plainly(table, pays, None)
        assert plainly == solve_with_numpy(table, pays, None)
        if kind != "plain":
            assert solve_plainly(table, pays, plainly[1]) == solve_with_numpy(table, pays, plainly[1])
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
