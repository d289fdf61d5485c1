"""Measure drills of 50 positions: the share of losses that they contain, their cost, and how well they order bots.

There are ten bots: the house bots of Pickomino, and copies that take a random action at some of their decisions, chosen
by the view. All pairs play blocks. The drill that orders them has positions from games of all bots, a tenth from each,
because a bot loses least at positions from other bots' games.

``python -m benchmarks.drill [GAMES] [BLOCKS]``: analysed games of each bot (500), blocks of each pair (40).
"""

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from itertools import combinations
from json import dumps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, TypeAlias

from games.catalogue import ruleset_find_or_current
from games.dealer import block_seed
from games.table import Table
from matches.referee.costly_positions import MOST, Drill, LookedAt, costly_positions_drill
from matches.referee.scoring import scoring_shares_beaten
from peck.positions import Source, positions_looked_at

GAME: Final = "pickomino"
HOUSE: Final = ("cautious", "daring", "greedy", "guard", "miser", "sage", "thief")
SLIPS: Final = (("greedy", 8), ("sage", 10), ("cautious", 5))  # a random action at one of this many decisions
Act: TypeAlias = Callable[[Mapping[str, Any]], Any]


def house(name: str) -> Act:
    """Return a house bot as a function of the view."""
    module = import_module(f"games.catalogue.{GAME}.bots.{name}")

    def act(view: Mapping[str, Any]) -> str:
        answer = module.act(view)
        return str(answer["action"] if isinstance(answer, dict) else answer)

    return act


def slips(act: Act, each: int) -> Act:
    """Return a bot that acts like ``act``, but at random at one of ``each`` views."""

    def slip(view: Mapping[str, Any]) -> str:
        chance = int.from_bytes(sha256(dumps(view).encode()).digest()[:4])
        return str(view["actions"][chance // each % len(view["actions"])] if chance % each == 0 else act(view))

    return slip


def field() -> dict[str, Act]:
    """Return the ten bots by name."""
    return {name: house(name) for name in HOUSE} | {
        f"{name}, slips 1 in {each}": slips(house(name), each) for name, each in SLIPS
    }


def played(acts: Sequence[Act], seed: bytes) -> Table:
    """Play a game between ``acts``."""
    table = Table(ruleset_find_or_current(GAME), len(acts), {}, seed)
    while not table.over:
        table.play(acts[table.actor](table.view(table.actor)))
    return table


def lost(drill: Drill, act: Act) -> int:
    """Return the total loss of a bot at the positions of a drill."""
    return sum(one.lost(act(one.view)) for one in drill.positions)


def tau(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Kendall's tau of two lists of values for the same bots."""
    signs = [
        ((one[at] > one[to]) - (one[at] < one[to])) * ((other[at] > other[to]) - (other[at] < other[to]))
        for at, to in combinations(range(len(one)), 2)
    ]
    return sum(signs) / len(signs)


def main(games: int = 500, blocks: int = 40) -> None:
    bots = field()
    shares = dict.fromkeys(bots, 0.0)
    records: dict[str, list[tuple[bytes, int]]] = {name: [] for name in bots}
    for first, second in combinations(bots, 2):
        for block in range(blocks):
            for pair in ((first, second), (second, first)):
                table = played([bots[name] for name in pair], block_seed(f"{first}{second}".encode(), block))
                assert table.outcome is not None
                record = table.record().encode()
                for seat, (name, share) in enumerate(
                    zip(pair, scoring_shares_beaten(table.outcome.places), strict=True)
                ):
                    shares[name] += float(share) / (2 * blocks * (len(bots) - 1))
                    records[name].append((record, seat))
    print(f"{blocks} blocks of each pair, {2 * blocks * (len(bots) - 1)} games of each bot", flush=True)
    analysed: dict[str, list[LookedAt]] = {}
    with TemporaryDirectory() as folder:
        for name in bots:
            analysed[name] = _analysed(Path(folder), name, records[name], games)
            drill = costly_positions_drill(name, analysed[name], MOST)
            began = time.perf_counter()
            drill_again = lost(drill, bots[name])
            took = time.perf_counter() - began
            same = drill_again == sum(one.lost(one.action) for one in drill.positions)
            print(
                f"{name}: beaten {shares[name]:.3f}; {drill.games} games lost {drill.lost / drill.games / 1e7:.1f}"
                f" points each, {MOST} positions hold {100 * drill.held:.0f} %; asked in {1000 * took:.0f} ms"
                f" ({'as' if same else 'not as'} recorded)",
                flush=True,
            )
    strength = list(shares.values())
    mixed = [costly_positions_drill(name, each, MOST // len(bots)) for name, each in analysed.items()]
    by_all = [-float(sum(lost(drill, act) for drill in mixed)) for act in bots.values()]
    regret = [-sum(one.lost for one in each) / len(each) for each in analysed.values()]
    print(
        f"Kendall's tau with the shares: the mixed drill {tau(by_all, strength):.2f};"
        f" all regret {tau(regret, strength):.2f}"
    )
    for name, each in analysed.items():
        drill = costly_positions_drill(name, each, MOST)
        ordered = [-float(lost(drill, act)) for act in bots.values()]
        print(f"  the drill of {name} alone: {tau(ordered, strength):.2f}")


def _analysed(folder: Path, name: str, records: Sequence[tuple[bytes, int]], games: int) -> list[LookedAt]:
    """Analyse ``games`` games of a bot, evenly over its opponents."""
    step = max(1, len(records) // games)
    found = []
    for number, (record, seat) in enumerate(records[::step][:games]):
        path = folder / f"{name}-{number}.peck"
        path.write_bytes(record)
        found.append(positions_looked_at(Source(path, (seat,))))
    return found


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
