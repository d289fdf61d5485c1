"""Check the error rates and the cost of ``peck gate`` by simulation, with blocks from real games.

A pair of equals is a real pair of house bots whose seats are swapped at random before each block, so that the shares
vary realistically with a mean of one half. For unequal pairs, blocks that the better one wins are drawn more often,
with weights exp(t x) of the share x. For each pair the table has the rate of each answer, the blocks relative to a test
of fixed length with the same two errors, and the coverage of 95 % intervals: those of ``peck play`` after fixed numbers
of blocks, and those of ``peck gate`` when it stops.

``python -m benchmarks.gate 60`` plays the pairs again, for 60 seconds each; by default, blocks are drawn from PLAYED.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from math import ceil, exp
from statistics import NormalDist, fmean
from typing import Any, Final, NamedTuple

from benchmarks.variance import FIELDS, _share
from matches.referee import StopReason, ThreeAnswers
from peck.tally import tally_share_interval

QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
# The number of blocks in which the first bot had each share of QUARTERS, as printed when the pairs are played again.
PLAYED: Final[Mapping[str, tuple[int, ...]]] = {
    "pickomino, greedy / cautious": (125, 0, 432, 0, 186),
    "pickomino, greedy / greedy slips": (34, 0, 544, 0, 139),
    "heckmeck, cautious / random": (6, 0, 57, 0, 204),
    "heckmeck, cautious / cautious slips": (31, 0, 165, 0, 62),
    "karteneck, steady / random": (47, 0, 220, 0, 400),
    "karteneck, steady / steady slips": (58, 0, 495, 0, 55),
}
EFFECT, ERROR, MOST = 0.1, 0.05, 500  # defaults of peck gate
PAIRS: Final = 1000
LENGTHS: Final = (10, 20, 50, 100, 200)
TIMES: Final = (0.0, 0.5, 1.0, 2.0)  # differences of the bots, as multiples of the effect


class Blocks:
    """Blocks to draw from: those of a real pair, made equal, and reweighted so that one bot is better by ``better``."""

    def __init__(self, weights: Sequence[int], better: float = 0.0) -> None:
        self.share = 0.5 + better
        equal = [own + other for own, other in zip(weights, weights[::-1], strict=True)]
        least, most = 0.0, 50.0
        for _ in range(60):
            tilt = (least + most) / 2
            self.weights = [weight * exp(tilt * (share - 0.5)) for weight, share in zip(equal, QUARTERS, strict=True)]
            least, most = (tilt, most) if self._mean() < self.share else (least, tilt)

    @property
    def variance(self) -> float:
        """The variance of a block's share."""
        squares = sum(weight * share**2 for weight, share in zip(self.weights, QUARTERS, strict=True))
        return squares / sum(self.weights) - self._mean() ** 2

    def drawn(self, rng: random.Random, number: int) -> list[float]:
        """Return the shares of ``number`` blocks."""
        return rng.choices(QUARTERS, self.weights, k=number)

    def _mean(self) -> float:
        return sum(weight * share for weight, share in zip(self.weights, QUARTERS, strict=True)) / sum(self.weights)


class Gated(NamedTuple):
    """The answers of ``peck gate`` for many pairs: the share of each answer, the mean number of blocks, and the share
    of final intervals that contain the true value.
    """

    answers: dict[str, float]
    blocks: float
    covered: float


def ended(rule: ThreeAnswers, shares: Sequence[float]) -> tuple[StopReason, int]:
    """Return the answer of ``peck gate``, and the number of blocks after which it is given."""
    lead = sizes = 0.0
    for blocks, share in enumerate(shares, 1):
        lead += share - 0.5
        sizes += abs(share - 0.5)
        if blocks >= 8:
            ratio = rule.ratio_of(blocks, lead, sizes)
            if ratio <= rule.close_bound:
                return StopReason.TOO_CLOSE, blocks
            if ratio >= rule.bound:
                return StopReason.FIRST if lead > 0 else StopReason.SECOND, blocks
    return StopReason.UNDECIDED, len(shares)


def gated(weights: Sequence[int], better: float, pairs: int = PAIRS) -> Gated:
    """Let ``peck gate`` decide ``pairs`` pairs."""
    rule, rng, blocks = ThreeAnswers(EFFECT, ERROR), random.Random(f"{weights} {better}"), Blocks(weights, better)
    answers, lengths, inside = Counter[str](), [], 0
    for _ in range(pairs):
        shares = blocks.drawn(rng, MOST)
        answer, length = ended(rule, shares)
        _, low, high = tally_share_interval(shares[:length])
        answers[str(answer)] += 1
        lengths.append(length)
        inside += low <= blocks.share <= high
    return Gated({answer: times / pairs for answer, times in answers.items()}, fmean(lengths), inside / pairs)


def fixed_length(weights: Sequence[int]) -> int:
    """Return the blocks of a test of fixed length with the same errors, given the variance of equals."""
    z = NormalDist().inv_cdf
    return ceil(((z(1 - ERROR / 2) + z(1 - ERROR)) / EFFECT) ** 2 * Blocks(weights).variance)


def covered(weights: Sequence[int], length: int, runs: int = PAIRS) -> float:
    """Return the share of intervals after ``length`` blocks of equals that contain one half."""
    rng, blocks, inside = random.Random(f"{weights} {length}"), Blocks(weights), 0
    for _ in range(runs):
        low, high = tally_share_interval(blocks.drawn(rng, length))[1:]
        inside += low <= 0.5 <= high
    return inside / runs


def main(seconds: float = 0) -> None:
    fields: Mapping[str, tuple[int, ...]] = dict(played(seconds)) if seconds else PLAYED
    print(f"effect {EFFECT}, error {ERROR}, {MOST} blocks at most; {PAIRS} pairs a figure")
    for name, weights in fields.items():
        print(f"{name}: {weights}")
        at = fixed_length(weights)
        for times in TIMES:
            found = gated(weights, times * EFFECT)
            answers = "  ".join(f"{answer} {share:.3f}" for answer, share in sorted(found.answers.items()))
            print(
                f"  {times * EFFECT:.2f} apart: {found.blocks:4.0f} blocks, {found.blocks / at:.2f} of {at}; {answers};"
                f" its interval {100 * found.covered:.1f} %",
                flush=True,
            )
        print("  intervals:", ", ".join(f"{length}: {100 * covered(weights, length):.1f} %" for length in LENGTHS))


def played(seconds: float) -> Any:
    """Yield the number of blocks with each share for every pair, played for ``seconds`` each."""
    for game, bots in FIELDS:
        if len(bots) == 2:
            until, found = time.process_time() + seconds, Counter[float]()
            for block in count():
                found[fmean(_share(game, bots, block, rotation) for rotation in (0, 1))] += 1
                if time.process_time() > until:
                    break
            yield f"{game}, {' / '.join(bots)}", tuple(found[share] for share in QUARTERS)


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
