"""Measure the games that a rung of ``peck climb`` needs, compared with games that do not share seeds.

Neighbouring rungs of a game play each other for some seconds, and the luck of every game is computed. Series are then
drawn from these blocks: as played (both seats of a seed), luck-adjusted, and unpaired (two games of different seeds).
They are compared with ``FIXED``, the length of a test of fixed length on unpaired games with the same two errors. For
pairs of equals, the seats of a block are swapped at random.

``python -m benchmarks.climb 15 pickomino`` plays each pair for 15 seconds of processor time.
"""

import random
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from itertools import count, pairwise
from math import ceil
from pathlib import Path
from statistics import NormalDist, fmean
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from games.catalogue import GAMES
from games.protocol import Limits
from luck import luck_value_of
from matches.referee import StopReason, ThreeAnswers, ThreeAnswersLessLuck
from matches.referee.scoring import scoring_shares_beaten
from peck.bots import peck_bots_at
from peck.decided_series import BLOCKS, EFFECT, ERROR
from peck.in_process import InProcessCage
from peck.series import Series, peck_series_play_block

SERIES: Final = 200
_Z: Final = NormalDist().inv_cdf
FIXED: Final = ceil(((_Z(1 - ERROR / 2) + _Z(1 - ERROR)) / EFFECT) ** 2 / 4)  # games; each is won or lost


class PlayedPair(NamedTuple):
    """The shares of the second bot in both games of a block, and its luck in both."""

    shares: tuple[float, float]
    luck: float


def main(seconds: float = 15.0, game: str = "pickomino") -> None:
    rules = GAMES[game].current.id
    value = luck_value_of(rules)
    print(f"{rules}: effect {EFFECT}, error {ERROR}; the fixed unpaired test takes {FIXED} games")
    plain, less = ThreeAnswers(EFFECT, ERROR), ThreeAnswersLessLuck(EFFECT, ERROR, value) if value else None
    with TemporaryDirectory() as folder:
        for bot in GAMES[game].house_bots:
            Path(folder, bot.file_name).write_bytes(bot.source())
        for pair in pairwise(bot.file_name for bot in GAMES[game].house_bots):
            with peck_bots_at([Path(folder, name) for name in pair]) as bots:
                series = Series(rules, {}, Limits(), b"climb", tuple(bots), in_process=True, stopping=less)
                played = _played(series, seconds)
            share = fmean(fmean(one.shares) for one in played)
            print(f"{' / '.join(bot.name for bot in bots)}: {len(played)} blocks, share of the second {share:.3f}")
            for equal in (False, True):
                parts = [_summary("unpaired", plain, played, equal=equal, paired=False)]
                parts.append(_summary("shared seeds", plain, played, equal=equal))
                if less:
                    parts.append(_summary("luck-adjusted", less, played, equal=equal))
                print(f"  {'equals' if equal else 'as they are'}: {'; '.join(parts)}", flush=True)


def _played(series: Series, seconds: float) -> list[PlayedPair]:
    found: list[PlayedPair] = []
    until = time.process_time() + seconds
    with closing(InProcessCage()) as cage:
        for block in count():
            games = peck_series_play_block(series, block, cage).games
            first, second = (float(scoring_shares_beaten(one.places)[1]) for one in games)
            found.append(PlayedPair((first, second), -fmean(one.luck for one in games)))
            if time.process_time() > until:
                return found
    raise AssertionError


def _summary(name: str, rule: ThreeAnswers, played: Sequence[PlayedPair], *, equal: bool, paired: bool = True) -> str:
    rng = random.Random(f"{name} {equal}")
    lengths, better, worse = [], 0, 0
    for _ in range(SERIES):
        ending, blocks = _series(rng, rule, played, equal=equal, paired=paired)
        lengths.append(2 * blocks)
        better += ending is StopReason.FIRST
        worse += ending is StopReason.SECOND
    of_fixed = fmean(lengths) / FIXED
    return (
        f"{name} {fmean(lengths):.0f} games ({of_fixed:.2f}), beaten {better / SERIES:.0%}, lost {worse / SERIES:.0%}"
    )


def _series(
    rng: random.Random, rule: ThreeAnswers, played: Sequence[PlayedPair], *, equal: bool, paired: bool
) -> tuple[StopReason, int]:
    """Return how a drawn series ends, and its blocks. The bot under test is the first seat."""
    shares: list[float] = []
    luck: list[float] = []
    for blocks in range(1, BLOCKS + 1):
        one = rng.choice(played)
        share = (one.shares[0] + (one if paired else rng.choice(played)).shares[1]) / 2
        swapped = equal and rng.random() < 0.5
        shares.append(1 - share if swapped else share)
        luck.append(-one.luck if swapped else one.luck)
        if ending := rule.decision(rule.counted(shares, luck)):
            return ending, blocks
    return StopReason.UNDECIDED, BLOCKS


if __name__ == "__main__":
    main(float((sys.argv[1:] or ["15"])[0]), *sys.argv[2:3])
