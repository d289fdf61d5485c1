"""How much of what can be gained by tuning is found, and in how many games: ``peck tune``'s search over shared seeds
beside the same search over seeds of their own.

A bot of Pickomino with three planted parameters that are wrong at the start. What can be gained is the share of games
that the best bot found wins against the start, less a half; each run is measured by its own share, over fresh seeds.

``python -m benchmarks.tune [RUNS] [STEPS]``: runs of each kind (10), and steps of 10 blocks each (100).
"""

import sys
import time
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from statistics import fmean
from typing import Any, Final

from games.catalogue import find_or_current
from games.dealer import block_seed
from games.table import Table
from peck.parameters import Parameter
from peck.spsa import Spsa

GAME: Final = find_or_current("pickomino")
BLOCKS: Final = 10
MEASURED: Final = 400  # blocks, in which a result meets the start
PLANTED: Final = (
    Parameter("stop_at", 27, 15, 36, whole=True),
    Parameter("worms", 0.0, -6.0, 10.0, whole=False),
    Parameter("many", 1.0, -6.0, 8.0, whole=False),  # for each die that is taken
)
Values = tuple[float, ...]


def act(view: Mapping[str, Any], values: Values) -> str:
    """Stop from a sum on; else take the face that is worth most."""
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


def played(values: Sequence[Values], key: int, seed: str) -> float:
    """Return the share of the first in one game, by the order of ``values`` at the table."""
    table = Table(GAME, 2, {}, block_seed(seed.encode(), key))
    while not table.over:
        table.play(act(table.view(table.actor), values[table.actor]))
    assert table.outcome is not None
    mine, other = table.outcome.places
    return (mine < other) + (mine == other) / 2


def block(one: Values, other: Values, key: int, seed: str, *, shared: bool) -> float:
    """Return the share of ``one`` in two games, one from each seat, of the same seed or of two."""
    second = f"{seed}/second" if not shared else seed
    return (played((one, other), key, seed) + 1 - played((other, one), key, second)) / 2


def searched(seed: str, steps: int, *, shared: bool) -> Values:
    """Return what a search proposes."""
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


def main() -> None:
    runs, steps = (int(given or usual) for given, usual in zip_longest(sys.argv[1:3], (10, 100)))
    start = tuple(one.start for one in PLANTED)
    kinds = {
        f"shared seeds, {steps} steps": (steps, True),
        f"seeds of their own, {steps} steps": (steps, False),
        f"seeds of their own, {2 * steps} steps": (2 * steps, False),
    }
    found: dict[str, list[tuple[Values, float]]] = {}
    for kind, (many, shared) in kinds.items():
        began = time.perf_counter()
        proposals = [searched(f"run {run}", many, shared=shared) for run in range(runs)]
        found[kind] = [(one, measured(one, start)) for one in proposals]
        print(f"{kind}: {2 * many * BLOCKS:,} games a run, {time.perf_counter() - began:.0f} s in all", flush=True)
    best = max(share for results in found.values() for _values, share in results)
    print(f"the best found beats the start in {best:.1%} of {2 * MEASURED} games")
    for kind, results in found.items():
        gains = sorted((share - 0.5) / (best - 0.5) for _values, share in results)
        print(f"  {kind}: {fmean(gains):.0%} of the gain, the worst run {gains[0]:.0%}")
        print("    ", ", ".join("/".join(f"{value:g}" for value in values) for values, _share in results[:4]))


if __name__ == "__main__":
    main()
