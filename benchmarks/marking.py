"""Test whether marks by regret agree with marks by share, and how many games each needs.

There are thirty student bots of Pickomino: house bots, and copies that take some random actions. Each plays blocks of
two games with swapped seats against the strongest house bot. A block has the share of opponents beaten, and 1 minus the
regret by the exact value of the game (at most 1). Both are marked by ``AboveThreshold``, the test of assignments, with
the median of the thirty bots as the threshold.

``python -m benchmarks.marking [BLOCKS] [ERROR]``: blocks of each bot (100), error of the test (0.05).
"""

import sys
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.drill import HOUSE, Act, house, played, slips, tau
from games.dealer import block_seed
from luck import UNIT
from matches.referee.scoring import scoring_shares_beaten
from matches.referee.stopping import StopReason
from matches.referee.stopping_rules import AboveThreshold
from peck.positions import Source, positions_looked_at

REFERENCE: Final = "sage"
SLIPS: Final = (40, 20, 10, 5)  # a random action at one of this many decisions
STUDENTS: Final = 30


def students() -> dict[str, Act]:
    """Return the bots by name."""
    slipping = {f"{name}, slips 1 in {each}": slips(house(name), each) for each in SLIPS for name in HOUSE}
    return dict([*({name: house(name) for name in HOUSE} | slipping).items()][:STUDENTS])


def block_of(name: str, act: Act, number: int, file: Path) -> tuple[float, float]:
    """Return the share of opponents that a bot beats in a block, and 1 minus its regret."""
    shares, retained = [], []
    for seat in range(2):
        acts = [act, house(REFERENCE)] if seat == 0 else [house(REFERENCE), act]
        table = played(acts, block_seed(name.encode(), number))
        assert table.outcome is not None
        shares.append(float(scoring_shares_beaten(table.outcome.places)[seat]))
        file.write_bytes(table.record().encode())
        retained.append(1 - min(1.0, positions_looked_at(Source(file, (seat,))).lost / UNIT))
    return fmean(shares), fmean(retained)


def verdict(test: AboveThreshold, values: Sequence[float]) -> tuple[StopReason | None, int]:
    """Return the verdict of the test on a bot, None if there is none, and the number of blocks."""
    for count in range(test.least_blocks, len(values) + 1):
        if found := test.decision(values[:count]):
            return found, count
    return None, len(values)


def marked(title: str, values: Sequence[Sequence[float]], error: float) -> None:
    """Print how well a way of marking works, with the median of the bots as the threshold."""
    means = [fmean(each) for each in values]
    threshold = min(max(median(means), 0.05), 0.95)
    test = AboveThreshold(error=error, threshold=threshold)
    found = [verdict(test, each) for each in values]
    reasons = Counter("undecided" if reason is None else reason.value for reason, _blocks in found)
    wrong = sum(reason == StopReason.FIRST and mean < threshold for (reason, _), mean in zip(found, means, strict=True))
    decided = [blocks for reason, blocks in found if reason in (StopReason.FIRST, StopReason.SECOND)]
    print(
        f"by {title}: threshold {threshold:.3f}, {dict(reasons)}, {wrong} wrongly met;"
        f" games of those decided: median {2 * median(decided) if decided else 0:.0f}"
    )
    halves = [(fmean(each[::2]), fmean(each[1::2])) for each in values]
    print(f"  Kendall's tau of its two halves: {tau([a for a, _ in halves], [b for _, b in halves]):.2f}")
    counts = [blocks for blocks in accumulate([5] * 20) if blocks <= len(values[0])]
    orders = {blocks: tau([fmean(each[:blocks]) for each in values], means) for blocks in counts}
    enough = next((blocks for blocks, agreement in orders.items() if agreement >= 0.9), None)
    print(f"  tau of .9 with all its blocks after {2 * enough if enough else 'more than all'} games of a bot")


def main(blocks: int = 100, error: float = 0.05) -> None:
    bots = students()
    shares, retained = [], []
    with TemporaryDirectory() as folder:
        file = Path(folder) / "game.peck"
        for name, act in bots.items():
            both = [block_of(name, act, number, file) for number in range(blocks)]
            shares.append([share for share, _ in both])
            retained.append([one for _, one in both])
            print(f"{name}: beats {fmean(shares[-1]):.3f}, loses {1 - fmean(retained[-1]):.3f} a game", flush=True)
    print(f"{len(bots)} bots, {2 * blocks} games of each")
    marked("share", shares, error)
    marked("regret", retained, error)
    by_share, by_regret = ([fmean(each) for each in values] for values in (shares, retained))
    print(f"Kendall's tau of the two orders: {tau(by_share, by_regret):.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *map(float, sys.argv[2:3]))
