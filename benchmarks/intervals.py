"""Measure the coverage of rating intervals: how often the true difference of two bots is in its 95 % interval.

Fields are round robins of bots whose strengths are spread evenly over six logits (odds of 400 to 1), with a few blocks
of two games for each pair. In the mirrored fields, half of the luck belongs to the seat, and is the same in both games
of a block. ``python -m benchmarks.intervals 400`` simulates 400 fields for each row.
"""

import sys
from collections import defaultdict
from itertools import combinations

import numpy as np

from ratings import Games, Prior, rating_ranks, strengths_fit
from ratings.scale import PER_LOGIT

BOTS = 8
MOST = 3.0  # logits from the mean
BANDS = 6


def main(fields: int = 40) -> None:
    print(f"{BOTS} bots, {fields} fields: per cent of true differences in their interval, by logits between the two")
    print(f"  {'blocks a pair':<24}" + "".join(f"{f'{band} to {band + 1}':>9}" for band in range(BANDS)))
    for shared in (0.0, 0.5):
        for blocks in (2, 3, 5, 10):
            _row(blocks, shared, fields)
    print("  (aims: 93 to 97 from five blocks on, 90 from two)")


def _row(blocks: int, shared: float, fields: int) -> None:
    inside: defaultdict[int, list[bool]] = defaultdict(list)
    bars: list[bool] = []
    places: list[bool] = []
    for seed in range(fields):
        strength, games = _played(seed, blocks, shared)
        ratings = strengths_fit(games, dict.fromkeys(range(BOTS), Prior()))
        for one, other in combinations(range(BOTS), 2):
            lead = strength[one] - strength[other]
            difference = ratings.difference(one, other)
            inside[int(abs(lead))].append(difference.low <= PER_LOGIT * lead <= difference.high)
        low, high = ratings.bounds()
        true = strength - strength.mean() + ratings.mean.mean()
        bars += ((low <= true) & (true <= high)).tolist()
        rank = np.argsort(np.argsort(-strength)) + 1
        places += [one.low <= rank[one.entrant] <= one.high for one in rating_ranks(ratings)]
    name = f"{blocks}{', mirrored' if shared else ''}"
    columns = "".join(f"{100 * np.mean(inside[band]):>9.1f}" for band in range(BANDS))
    print(f"  {name:<24}{columns}   bars {100 * np.mean(bars):.1f}, ranks {100 * np.mean(places):.1f}", flush=True)


def _played(seed: int, blocks: int, shared: float) -> tuple[np.ndarray, Games]:
    chance = np.random.default_rng(seed)
    strength = chance.uniform(-MOST, MOST, BOTS)
    entrants = np.repeat(np.array(list(combinations(range(BOTS), 2))), blocks, axis=0)
    luck = chance.gumbel(size=(len(entrants), 2, 2))
    of_seat = chance.gumbel(size=(len(entrants), 2))[:, [[0, 1], [1, 0]]]
    luck = np.where(chance.random(luck.shape) < shared, of_seat, luck)
    performance = strength[entrants][:, None, :] + luck
    return strength, Games.from_arrays(entrants, np.argsort(np.argsort(-performance, axis=-1), axis=-1) + 1)


if __name__ == "__main__":
    main(*(int(one) for one in sys.argv[1:2]))
