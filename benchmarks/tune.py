"""Measure how much of the possible gain ``peck tune`` finds, and in how many games, with shared and with own seeds.

A bot of Pickomino has three parameters that are deliberately wrong at the start. The possible gain is the share of
games that the best bot found wins against the start, minus one half. Each run is measured by its own share over new
seeds.

Then ``peck gate`` judges each proposal, and pairs of equal bots, whose only parameter chooses among equal mistakes.

``python -m benchmarks.tune [RUNS] [STEPS]``: runs of each kind (10), and steps of 10 blocks each (100).
``python -m benchmarks.tune gate [RUNS] [STEPS]``: only with shared seeds, with the gate.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, islice, zip_longest
from statistics import fmean
from typing import Any, Final

from games.catalogue import ruleset_find_or_current
from games.dealer import block_seed
from games.table import Table
from matches.referee import StopReason, ThreeAnswers
from peck.parameters import Parameter
from peck.spsa import Spsa

GAME: Final = ruleset_find_or_current("pickomino")
BLOCKS: Final = 10
MEASURED: Final = 400  # blocks of a result against the start
PLANTED: Final = (
    Parameter("stop_at", 27, 15, 36, whole=True),
    Parameter("worms", 0.0, -6.0, 10.0, whole=False),
    Parameter("many", 1.0, -6.0, 8.0, whole=False),  # worth of each die that is taken
)
Values = tuple[float, ...]
Act = Callable[[Mapping[str, Any], Values], str]
START: Final = tuple(one.start for one in PLANTED)
EFFECT, ERROR, MOST = 0.1, 0.05, 500  # defaults of peck gate


def act(view: Mapping[str, Any], values: Values) -> str:
    """Stop at a sum; otherwise take the face with the highest worth."""
    stop_at, worms, many = values
    actions = view["actions"]
    if "stop" in actions and view["sum"] >= stop_at:
        return "stop"
    takes = [one for one in actions if one.startswith("take ")]
    if not takes:
        return "roll" if "roll" in actions else str(actions[0])

    def worth(action: str) -> float:
        face = action[5:]
        count = view["rolled"].count(face)
        return count * (5 + worms if face == "W" else int(face)) - many * count

    return str(max(takes, key=worth))


def played(values: Sequence[Values], key: int, seed: str, bot: Act = act) -> float:
    """Return the share of the first player in one game. ``values`` are in table order."""
    table = Table(GAME, 2, {}, block_seed(seed.encode(), key))
    while not table.over:
        table.play(bot(table.view(table.actor), values[table.actor]))
    assert table.outcome is not None
    mine, other = table.outcome.places
    return (mine < other) + (mine == other) / 2


def block(one: Values, other: Values, key: int, seed: str, *, shared: bool, bot: Act = act) -> float:
    """Return the mean share of ``one`` in two games, one from each seat, with the same seed or with two seeds."""
    second = f"{seed}/second" if not shared else seed
    return (played((one, other), key, seed, bot) + 1 - played((other, one), key, second, bot)) / 2


def searched(seed: str, steps: int, *, shared: bool) -> Values:
    """Return the values that a search proposes."""
    search, number = Spsa(PLANTED, steps, seed), 0
    while search.step < search.steps:
        pair = search.pair()
        keys = range(number, number + BLOCKS)
        number += BLOCKS
        search.move([block(pair.plus, pair.minus, key, seed, shared=shared) for key in keys], [0.0] * BLOCKS)
    return search.best


def measured(values: Values, start: Values) -> float:
    """Return the share of ``values`` against ``start``."""
    return fmean(block(values, start, key, "measured", shared=True) for key in range(MEASURED))


def gated(shares: Iterable[float]) -> StopReason:
    """Return the answer of ``peck gate`` to the shares of a bot by blocks."""
    rule, so_far = ThreeAnswers(EFFECT, ERROR), list[float]()
    for share in islice(shares, MOST):
        so_far.append(share)
        if found := rule.decision(so_far):
            return found
    return StopReason.UNDECIDED


def act_at_random(view: Mapping[str, Any], values: Values) -> str:
    """Play as the start does, but make mistakes at three of ten actions, chosen by the value alone."""
    rng = random.Random(f"{values} {view['turn']} {view['dice_left']} {view['rolled']} {view['sum']}")
    return rng.choice(view["actions"]) if rng.random() < 0.3 else act(view, START)


def gate_main(runs: int, steps: int) -> None:
    """Print the gate's answers for the proposals of ``runs`` runs, and for ten times as many pairs of equals."""
    answers = Counter[str]()
    for run in range(runs):
        proposal = searched(f"run {run}", steps, shared=True)
        answers[gated(block(proposal, START, key, "gate", shared=True) for key in count())] += 1
    print(f"the gate on the proposals of {runs} runs:", dict(answers), flush=True)
    equals = Counter[str]()
    for pair in range(10 * runs):
        mine, other = (pair + 0.5,), (-pair - 0.5,)
        equals[gated(block(mine, other, key, f"equal {pair}", shared=True, bot=act_at_random) for key in count())] += 1
    print(f"the gate on {10 * runs} pairs of equals:", dict(equals))


def main() -> None:
    if sys.argv[1:2] == ["gate"]:
        gate_main(*(int(given or usual) for given, usual in zip_longest(sys.argv[2:4], (10, 100))))
        return
    runs, steps = (int(given or usual) for given, usual in zip_longest(sys.argv[1:3], (10, 100)))
    kinds = {
        f"shared seeds, {steps} steps": (steps, True),
        f"seeds of their own, {steps} steps": (steps, False),
        f"seeds of their own, {2 * steps} steps": (2 * steps, False),
    }
    found: dict[str, list[tuple[Values, float]]] = {}
    for kind, (many, shared) in kinds.items():
        began = time.perf_counter()
        proposals = [searched(f"run {run}", many, shared=shared) for run in range(runs)]
        found[kind] = [(one, measured(one, START)) for one in proposals]
        print(f"{kind}: {2 * many * BLOCKS:,} games a run, {time.perf_counter() - began:.0f} s in all", flush=True)
    best = max(share for results in found.values() for _values, share in results)
    print(f"the best found beats the start in {best:.1%} of {2 * MEASURED} games")
    for kind, results in found.items():
        gains = sorted((share - 0.5) / (best - 0.5) for _values, share in results)
        print(f"  {kind}: {fmean(gains):.0%} of the gain, the worst run {gains[0]:.0%}")
        print("    ", ", ".join("/".join(f"{value:g}" for value in values) for values, _share in results[:4]))
    gate_main(runs, steps)


if __name__ == "__main__":
    main()
