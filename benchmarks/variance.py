"""Measure the worth of a block: one seed in k rotations, compared with k games with different seeds.

Luck belongs to seat and turn. Over the rotations of a seed, every bot has the luck of every seat, so much of it
cancels. RF is the variance of the mean of k independent games over the variance of the mean of a block: RF times as
many games with different seeds have the same precision. Games with different seeds are independent. So both variances
are estimated from the same blocks: the first one from each rotation separately, summed and divided by k squared.

The measure is the first bot's share of opponents beaten. House bots play in this process, and their randomness comes
from seed and seat, as on the site. ``python -m benchmarks.variance 120`` spends 120 seconds on each line.
"""

import random
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import count
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from games.catalogue import current
from games.dealer import block_seed
from games.record import Record
from games.table import Table
from matches.referee.scoring import scoring_by_seat, scoring_seats_by_position, scoring_shares_beaten

# For each game: two fast house bots, and one house bot against a copy with random slips, as close as two versions.
FIELDS: Final = (
    ("pickomino", ("greedy", "cautious")),
    ("pickomino", ("greedy", "greedy slips")),
    ("heckmeck", ("cautious", "random")),
    ("heckmeck", ("cautious", "cautious slips")),
    ("laghetti", ("steady", "steady slips", "random")),
    ("laghetti", ("steady", "steady slips", "steady slips")),
    ("karteneck", ("steady", "random")),
    ("karteneck", ("steady", "steady slips")),
)
SECONDS: Final = 3.5  # processor time for each line
SLIPS: Final = 0.03  # share of random actions of a slipping bot
RESAMPLED: Final = 2000


@dataclass(frozen=True, slots=True)
class Measured:
    """The share of the first bot, RF with its 95 % interval, and the number of blocks."""

    share: float
    factor: float
    least: float
    most: float
    blocks: int


def main(seconds: float = SECONDS) -> None:
    print(f"one seed in all rotations against fresh seeds, {seconds:g} s a line, two processes; interval by bootstrap")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = processes.map(partial(measured, seconds=seconds), FIELDS)
        for (game, bots), one in zip(FIELDS, found, strict=True):
            name = f"{game}, {' / '.join(bots)}"
            figure = f"RF {one.factor:5.2f}  ({one.least:.2f} to {one.most:.2f})"
            print(f"  {name:<48}{figure:<28}{one.blocks:>6} blocks, share {one.share:.2f}", flush=True)


def measured(field: tuple[str, Sequence[str]], *, seconds: float) -> Measured:
    """Return the RF of a field of bots, measured for ``seconds`` of processor time."""
    game, bots = field
    until = time.process_time() + seconds
    blocks = []
    for number in count():
        blocks.append([_share(game, bots, number, rotation) for rotation in range(len(bots))])
        if time.process_time() > until:
            break
    shares = np.array(blocks)
    luck = np.random.default_rng(1)
    samples = shares[luck.integers(0, len(shares), (RESAMPLED, len(shares)))]
    # A sample of few blocks may have no variance; it is ignored.
    least, most = np.nanpercentile(_factor(samples), (2.5, 97.5), method="nearest")
    return Measured(float(shares.mean()), float(_factor(shares)), float(least), float(most), len(shares))


def _factor(shares: Any) -> Any:
    """Return the RF of shares by block and rotation, for any number of samples of them."""
    rotations = shares.shape[-1]
    independent = shares.var(axis=-2, ddof=1).sum(axis=-1) / rotations**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return independent / shares.mean(axis=-1).var(axis=-1, ddof=1)


def _share(game: str, bots: Sequence[str], block: int, rotation: int) -> float:
    places = record_of(game, bots, block, rotation).verify().places
    return float(scoring_shares_beaten(scoring_by_seat(places, rotation))[0])


def record_of(game: str, bots: Sequence[str], block: int, rotation: int) -> Record:
    """Play one game of these bots, which are given by match seat. Their randomness comes from seed and seat."""
    seed = block_seed(b"variance", game, block)
    table = Table(current(game), len(bots), {}, seed)
    order = scoring_seats_by_position(rotation, len(bots))
    acts = [_act(game, bots[seat]) for seat in order]
    luck = [random.Random(block_seed(seed, "bot", position)) for position in range(len(bots))]
    while not table.over:
        own = luck[table.actor]
        random.setstate(own.getstate())
        action = acts[table.actor](table.view(table.actor))
        own.setstate(random.getstate())
        table.play(action)
    return table.record()


def _act(game: str, bot: str) -> Callable[[Any], str]:
    name, _, slips = bot.partition(" ")
    act: Callable[[Any], str] = import_module(f"games.catalogue.{game}.bots.{name}").act

    def slipping(view: Any) -> str:
        return random.choice(view["actions"]) if random.random() < SLIPS else act(view)

    return slipping if slips else act


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
