"""Measure how many games luck adjustment saves, and how much bots lose by their decisions.

Blocks of house bots are played as in ``variance``. For each game, the first bot's share of opponents beaten and its
luck are recorded. Factors compare with independent games: the variance of the mean of k of these over that of a block's
mean, for *rotated* (one seed in all rotations), *luck-adjusted* (independent games, luck-adjusted) and *both*. The
coefficients of luck and its moments are fitted on the other half of the blocks. Intervals are 95 %, by bootstrap over
blocks, for regrets over games. Losses are comparable only among bots of one table: if a game is hardly in doubt,
decisions cost less.

``python -m benchmarks.luck 60`` spends 60 seconds on each line.
"""

import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from multiprocessing import get_context
from typing import Any, Final

import numpy as np

from benchmarks.variance import record_of
from luck import UNIT, GameAccount, luck_analyse, luck_value_of
from luck.adjusted_mean import luck_adjusted_cross_fitted
from luck.analysis import luck_values_known
from luck.shares import shares_of
from matches.referee.scoring import scoring_by_seat, scoring_seats_by_position

FIELDS: Final = (
    ("pickomino", ("greedy", "cautious")),
    ("pickomino", ("sage", "greedy")),
    ("pickomino", ("cautious", "random")),
    ("pickomino", ("greedy", "greedy slips")),
    ("pickomino", ("sage", "greedy", "cautious", "random")),
    ("heckmeck", ("sage", "cautious")),
)
SECONDS: Final = 8.0  # processor time for each line
RESAMPLED: Final = 1000


@dataclass(slots=True)
class Played:
    """The data of a table. By block and rotation: the first bot's ``share`` and its moments of ``luck``. By bot: its
    losses in each game, and its number of decisions. Also the seconds of processor time for the analyses."""

    share: list[list[float]] = field(default_factory=list)
    luck: list[list[list[float]]] = field(default_factory=list)
    lost: dict[str, list[tuple[float, int]]] = field(default_factory=dict)
    seconds: float = 0.0


def main(seconds: float = SECONDS) -> None:
    print(f"luck taken off, {seconds:g} s a line, two processes; each figure with its 95 % interval")
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        found = processes.map(partial(played, seconds=seconds), FIELDS)
        for (game, bots), one in zip(FIELDS, found, strict=True):
            share, luck = np.array(one.share), np.array(one.luck)
            print(f"  {game}, {' / '.join(bots)}: {len(share)} blocks, share {share.mean():.3f}")
            for name, (value, least, most) in factors(share, luck).items():
                print(f"    {name:<12}{value:5.2f}  ({least:.2f} to {most:.2f})")
            means, errors = luck.mean(axis=(0, 1)), luck.mean(axis=1).std(axis=0, ddof=1) / len(luck) ** 0.5
            text = ", ".join(f"{mean:+.4f} ({error:.4f})" for mean, error in zip(means, errors, strict=True))
            print(f"    mean luck (standard error), by moment: {text}; {1e3 * one.seconds / share.size:.0f} ms a game")
            for bot, games in sorted(one.lost.items(), key=lambda item: _per(np.array(item[1]))[0]):
                points, each, least, most = regrets(np.array(games))
                interval = f"({least:.5f} to {most:.5f})"
                print(f"    {bot} loses {100 * points:.1f} points a game, {each:.5f} a decision {interval}")


def played(table: tuple[str, Sequence[str]], *, seconds: float) -> Played:
    """Play blocks of these bots for ``seconds`` of processor time."""
    game, bots = table
    until, found = time.process_time() + seconds, Played()
    for block in count():
        rows = [_game(game, bots, block, rotation, found) for rotation in range(len(bots))]
        found.share.append([share for share, _ in rows])
        found.luck.append([luck for _, luck in rows])
        if time.process_time() > until:
            break
    return found


def _game(game: str, bots: Sequence[str], block: int, rotation: int, found: Played) -> tuple[float, list[float]]:
    record = record_of(game, bots, block, rotation)
    began = time.process_time()
    account = luck_analyse(record)
    found.seconds += time.process_time() - began
    if not isinstance(account, GameAccount):  # the platform ended the game, so its luck is unknown
        nothing = [0.0] * luck_values_known()[luck_value_of(record.ruleset)].moment_count
        return scoring_by_seat(shares_of(record.verify().places), rotation)[0] / UNIT, nothing
    for position, seat in enumerate(scoring_seats_by_position(rotation, len(bots))):
        made = sum(one.seat == position for one in account.decisions)
        found.lost.setdefault(bots[seat], []).append((account.lost[position] / UNIT, made))
    luck = [scoring_by_seat(moment, rotation)[0] / UNIT for moment in account.luck_moments]
    return scoring_by_seat(account.final, rotation)[0] / UNIT, luck


def factors(share: Any, luck: Any) -> dict[str, tuple[float, float, float]]:
    """Return each factor by name with the ends of its interval; see the docstring of the module."""
    apart = np.stack(
        [luck_adjusted_cross_fitted(share[:, one], *luck[:, one].T)[0] for one in range(share.shape[1])], axis=1
    )
    both = np.array(luck_adjusted_cross_fitted(share.mean(axis=1), *luck.mean(axis=1).T)[0])

    def of(rows: Any) -> Any:
        independent = share[rows].var(axis=0, ddof=1).sum() / share.shape[1] ** 2
        less = apart[rows].var(axis=0, ddof=1).sum() / share.shape[1] ** 2
        others = np.array([share[rows].mean(axis=1).var(ddof=1), less, both[rows].var(ddof=1)])
        with np.errstate(divide="ignore", invalid="ignore"):  # a sample of few blocks may have no variance
            return independent / others

    rng = np.random.default_rng(1)
    samples = [of(rng.integers(0, len(share), len(share))) for _ in range(RESAMPLED)]
    least, most = np.nanpercentile(samples, (2.5, 97.5), axis=0)
    values = of(np.arange(len(share)))
    return dict(zip(("rotated", "luck-adjusted", "both"), zip(values, least, most, strict=True), strict=True))


def regrets(games: Any) -> tuple[float, float, float, float]:
    """Return the mean loss in a game, the mean loss of a decision, and the interval of the latter."""
    rng = np.random.default_rng(1)
    samples = [_per(games[rng.integers(0, len(games), len(games))])[0] for _ in range(RESAMPLED)]
    least, most = np.percentile(samples, (2.5, 97.5))
    each, points = _per(games)
    return points, each, float(least), float(most)


def _per(games: Any) -> tuple[float, float]:
    return float(games[:, 0].sum() / games[:, 1].sum()), float(games[:, 0].mean())


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
