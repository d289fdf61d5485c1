"""Compute how much of the loss of bots 50 positions can contain at most, and how well drawn positions order bots.

Bots and games are those of ``benchmarks.drill``. The maximum is the loss at the 50 costliest positions; a position that
occurred several times counts with its total loss. For the order, all bots decide at positions of all games. Some of
these are drawn with a probability proportional to the losses there, and weighted by its inverse, so that the sum is an
unbiased estimate of a bot's loss at all positions.

``python -m benchmarks.drill_bound [GAMES] [BLOCKS]``: games of each bot (100), blocks of each pair (12).
"""

import sys
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations
from json import dumps
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.drill import Act, field, played, tau
from games.dealer import block_seed
from games.record import Record
from luck import GameAccount, luck_analyse
from matches.referee.costly_positions import MOST
from matches.referee.failure_bundle import failure_bundle_seat_recorded
from matches.referee.scoring import scoring_shares_beaten

DRAWS: Final = 40
POSITIONS: Final = 4000  # positions at which all bots decide
PARTS: Final = (0.6, 0.8)


class Choice(NamedTuple):
    """A decision: the view, the value of each action, and the loss of the chosen action."""

    view: Mapping[str, Any]
    options: Mapping[str, int]
    lost: int

    def lost_by(self, act: Act) -> int:
        """Return the loss of the action that another bot chooses."""
        return max(self.options.values()) - self.options[str(act(self.view))]

    def lost_at_random(self) -> float:
        """Return the expected loss of a random action."""
        return max(self.options.values()) - mean(self.options.values())


def choices(record: Record, seat: int) -> list[Choice]:
    """Return the decisions of a seat."""
    account = luck_analyse(record)
    assert isinstance(account, GameAccount)
    own = [one for one in account.decisions if one.seat == seat]
    turns = failure_bundle_seat_recorded(record, seat).turns
    return [
        Choice(turn.view, {each.action: each.value for each in one.options}, one.lost)
        for turn, one in zip(turns, own, strict=True)
    ]


def bound(found: Sequence[Choice]) -> str:
    """Return a sentence: the share of the loss that the costliest decisions contain."""
    whole = sum(one.lost for one in found)
    alone = sorted((one.lost for one in found), reverse=True)
    merged = Counter[str]()
    for one in found:
        merged[dumps(one.view, sort_keys=True)] += one.lost
    together = [lost for _view, lost in merged.most_common()]
    needed = [sum(1 for up_to in accumulate(together) if up_to < part * whole) + 1 for part in PARTS]
    held = [100 * sum(each[:MOST]) / whole for each in (alone, together)]
    parts = ", ".join(f"{100 * part:.0f} % need {count}" for part, count in zip(PARTS, needed, strict=True))
    return f"the {MOST} costliest decisions {held[0]:.0f} %, positions {held[1]:.0f} %; {parts}"


def drawn(losses: Sequence[Sequence[int]], weights: Sequence[float], most: int, chance: Random) -> list[float]:
    """Return the estimated loss of each bot from ``most`` drawn positions. ``losses`` are by bot and position.

    Positions are drawn by systematic sampling: in steps of equal weight from a random start.
    """
    ends = list(accumulate(weights))
    step = ends[-1] / most
    start = chance.random() * step
    picked = [bisect(ends, start + step * number) for number in range(most)]
    return [sum(each[one] / weights[one] for one in picked) for each in losses]


def main(games: int = 100, blocks: int = 12) -> None:
    bots = field()
    shares = dict.fromkeys(bots, 0.0)
    records: dict[str, list[tuple[Record, int]]] = {name: [] for name in bots}
    for pair in combinations(bots, 2):
        for block in range(blocks):
            for order in (pair, pair[::-1]):
                table = played([bots[name] for name in order], block_seed("".join(pair).encode(), block))
                assert table.outcome is not None
                for seat, (name, share) in enumerate(
                    zip(order, scoring_shares_beaten(table.outcome.places), strict=True)
                ):
                    shares[name] += float(share)
                    records[name].append((table.record(), seat))
    pool: list[Choice] = []
    for name, own in records.items():
        step = max(1, len(own) // games)
        found = [one for record, seat in own[::step][:games] for one in choices(record, seat)]
        print(f"{name}: {len(own[::step][:games])} games, {len(found)} decisions; {bound(found)}", flush=True)
        pool += [one for one in found if len(set(one.options.values())) > 1]
    positions = Random(1).sample(pool, min(POSITIONS, len(pool)))
    losses = [[one.lost_by(act) for one in positions] for act in bots.values()]
    strength = list(shares.values())
    print(f"{len(positions)} of {len(pool)} positions were asked of all; Kendall's tau with the shares:")
    print(f"  all of them {tau([-float(sum(each)) for each in losses], strength):.2f}")
    chance = Random(2)
    by_loss = [
        mean(column) + one.lost_at_random() / 10
        for column, one in zip(zip(*losses, strict=True), positions, strict=True)
    ]
    for how, weights in (("evenly", [1.0] * len(positions)), ("by loss", by_loss)):
        for most in (MOST, 4 * MOST, 20 * MOST):
            taus = [tau([-lost for lost in drawn(losses, weights, most, chance)], strength) for _ in range(DRAWS)]
            print(f"  {most} drawn {how}: {mean(taus):.2f} in the mean, {min(taus):.2f} to {max(taus):.2f}", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
