"""Measure ratings: the cost of a fit, the coverage of its intervals, and how well it orders bots, compared with rating
systems that are updated game by game.

Bots of known strength play blocks with as many games as seats. In a ladder, each bot meets its neighbours by the
current ratings. In the mirrored fields, half of the luck belongs to the seat and is the same in all games of a block.
In the misspecified fields, bots also differ in the size of their noise, so no rating is exactly true; the truth is then
the logit of a bot's long-run score against the field. openskill and trueskill have scales of their own: they are
rescaled to the truth before the coverage is measured, which is in their favour.

``python -m benchmarks.ratings --long`` takes minutes and is more precise. The cost is measured with one thread for
linear algebra, as recommended for workers: on busy cores, threads wait for each other.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
import trueskill
from numpy.random import Generator
from openskill.models import PlackettLuce

from ratings import Games, rating_ranks, strengths_fit

T = TypeVar("T")

BOTS: Final = 1000
BLOCKS: Final = 25_000
SPREAD: Final = 0.7  # logits


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    seats: int
    ladder: bool = False
    mirrored: bool = False
    wild: bool = False


KINDS: Final = (
    Kind("two seats, random", 2),
    Kind("four seats, random", 4),
    Kind("two seats, mirrored luck", 2, mirrored=True),
    Kind("four seats, mirrored luck", 4, mirrored=True),
    Kind("two seats, ladder", 2, ladder=True),
    Kind("four seats, ladder", 4, ladder=True),
    Kind("four seats, misspecified", 4, wild=True),
)


@dataclass(slots=True)
class Played:
    """``truth`` is in logits by bot. ``entrants`` (blocks, k) and ``places`` (blocks, games, k) are in the order of
    play."""

    truth: np.ndarray
    entrants: np.ndarray
    places: np.ndarray


def main(long: bool = False) -> None:
    one_thread = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    subprocess.run([sys.executable, "-m", "benchmarks.ratings", "--speed"], env=one_thread, check=True)
    bots, blocks, repeats = (200, 25, 20) if long else (60, 12, 12)
    print(f"{bots} bots, {blocks} blocks each, {repeats} fields; Spearman's rank correlation with the truth")
    print(f"  {'':<28}{'95 % intervals':>16}   " + "".join(f"{name:>13}" for name in ("ours", *ONLINE, "mean score")))
    for kind in KINDS:
        _compare(kind, bots, blocks, repeats)
    print("  (aims: our intervals hold 93-97 %; our correlation no lower than theirs)")


def _speed() -> None:
    chance = np.random.default_rng(1)
    strength = chance.normal(0, SPREAD, BOTS)
    entrants = np.argpartition(chance.random((BLOCKS, BOTS)), 4, axis=1)[:, :4]
    places = _places(strength[entrants][:, None, :] + chance.gumbel(size=(BLOCKS, 4, 4)))
    matches = [
        (who, list(zip(*games, strict=True))) for who, games in zip(entrants.tolist(), places.tolist(), strict=True)
    ]
    print(f"{4 * BLOCKS:,} games of four between {BOTS:,} bots, seconds of processor time")
    games, gathered = _timed(lambda: Games.from_matches(matches))
    ratings, fitted = _timed(lambda: strengths_fit(games))
    _, ranked = _timed(lambda: rating_ranks(ratings))
    for name, figure, aim in [("results read", gathered, ""), ("fitted", fitted, "5"), ("ranked", ranked, "")]:
        print(f"  {name:<28}{figure:>10.2f} s" + (f"   (aim {aim})" if aim else ""))


def _compare(kind: Kind, bots: int, blocks: int, repeats: int) -> None:
    held, correlations, theirs = [], [], []
    for seed in range(repeats):
        played = _play(np.random.default_rng(seed), kind, bots, blocks)
        ratings = strengths_fit(Games.from_arrays(played.entrants, played.places))
        own = np.diag(ratings.covariance)
        held.append(_held(ratings.mean, own[:, None] + own[None, :] - 2 * ratings.covariance, played.truth))
        online = [rate(played, bots) for rate in ONLINE.values()]
        theirs.append([_held(*_stretched(mu, sigma, played.truth), played.truth) for mu, sigma in online])
        orders = [ratings.mean, *(mu for mu, _ in online), _mean_score(played, bots)]
        correlations.append([_spearman(order, played.truth) for order in orders])
    columns = "".join(f"{figure:>13.3f}" for figure in np.mean(correlations, axis=0))
    print(f"  {kind.name:<28}{100 * np.mean(held):>14.1f} %   {columns}")
    others = ", ".join(
        f"{name} {100 * share:.1f} %" for name, share in zip(ONLINE, np.mean(theirs, axis=0), strict=True)
    )
    print(f"  {'':<28}{'':>14}     ({others})")


def _play(chance: Generator, kind: Kind, bots: int, blocks: int) -> Played:
    strength = chance.normal(0, SPREAD, bots)
    wildness = np.exp(chance.normal(0, 0.5, bots)) if kind.wild else np.ones(bots)
    mean = np.zeros(bots)
    entrants, places = np.empty((0, kind.seats), np.int64), np.empty((0, kind.seats, kind.seats), np.int64)
    for _ in range(blocks):
        order = np.argsort(mean + chance.normal(0, 0.3, bots)) if kind.ladder else chance.permutation(bots)
        tables = chance.permuted(order[: bots - bots % kind.seats].reshape(-1, kind.seats), axis=1)
        luck = _luck(chance, len(tables), kind)
        entrants = np.concatenate([entrants, tables])
        places = np.concatenate([places, _places(strength[tables][:, None, :] + wildness[tables][:, None, :] * luck)])
        if kind.ladder:
            mean = strengths_fit(Games.from_arrays(entrants, places)).mean
    return Played(_long_run(chance, strength, wildness) if kind.wild else strength, entrants, places)


def _luck(chance: Generator, tables: int, kind: Kind) -> np.ndarray:
    """Draw luck by table, game and entrant, from Gumbel distributions: with equal noise, the Bradley-Terry model is
    exact."""
    luck = chance.gumbel(size=(tables, kind.seats, kind.seats))
    if kind.mirrored:
        # The seat of entrant i in game g.
        seat = np.add.outer(np.arange(kind.seats), np.arange(kind.seats)) % kind.seats
        of_seat = chance.gumbel(size=(tables, kind.seats))[:, seat]
        luck = np.where(chance.random(luck.shape) < 0.5, of_seat, luck)
    return luck


def _long_run(chance: Generator, strength: np.ndarray, wildness: np.ndarray) -> np.ndarray:
    """Return the strengths in logits that the same model gives for very many games of two."""
    bots = len(strength)
    tables = np.concatenate([chance.permutation(bots).reshape(-1, 2) for _ in range(3000)])
    luck = chance.gumbel(size=(len(tables), 1, 2))
    return strengths_fit(
        Games.from_arrays(tables, _places(strength[tables][:, None, :] + wildness[tables][:, None, :] * luck))
    ).mean


def _places(performance: np.ndarray) -> np.ndarray:
    return np.argsort(np.argsort(-performance, axis=-1), axis=-1) + 1


def _openskill(played: Played, bots: int) -> tuple[np.ndarray, np.ndarray]:
    model = PlackettLuce(tau=0.0)
    ratings = [model.rating() for _ in range(bots)]
    for who, games in zip(played.entrants.tolist(), played.places.tolist(), strict=True):
        for places in games:
            teams = model.rate([[ratings[one]] for one in who], ranks=places)
            for one, (rating,) in zip(who, teams, strict=True):
                ratings[one] = rating
    return np.array([one.mu for one in ratings]), np.array([one.sigma for one in ratings])


def _trueskill(played: Played, bots: int) -> tuple[np.ndarray, np.ndarray]:
    model = trueskill.TrueSkill(draw_probability=0.0, tau=0.0)
    ratings = [model.create_rating() for _ in range(bots)]
    for who, games in zip(played.entrants.tolist(), played.places.tolist(), strict=True):
        for places in games:
            teams = model.rate([(ratings[one],) for one in who], ranks=places)
            for one, (rating,) in zip(who, teams, strict=True):
                ratings[one] = rating
    return np.array([one.mu for one in ratings]), np.array([one.sigma for one in ratings])


ONLINE: Final[dict[str, Callable[[Played, int], tuple[np.ndarray, np.ndarray]]]] = {
    "openskill": _openskill,
    "trueskill": _trueskill,
}


def _mean_score(played: Played, bots: int) -> np.ndarray:
    share = -played.places.mean(axis=1).ravel()
    who = played.entrants.ravel()
    return np.bincount(who, share, bots) / np.maximum(np.bincount(who, minlength=bots), 1)


def _stretched(mu: np.ndarray, sigma: np.ndarray, truth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return strengths and the variances of their differences, rescaled to fit the truth best."""
    off, real = mu - mu.mean(), truth - truth.mean()
    scale = (off @ real) / (off @ off)
    return scale * mu, scale**2 * np.add.outer(sigma**2, sigma**2)


def _held(mean: np.ndarray, variance: np.ndarray, truth: np.ndarray) -> float:
    """Return the share of true differences that are in their 95 % interval."""
    pairs = np.triu_indices(len(truth), 1)
    off = np.subtract.outer(mean, mean) - np.subtract.outer(truth, truth)
    return float((np.abs(off[pairs]) <= 1.96 * np.sqrt(variance[pairs])).mean())


def _spearman(one: np.ndarray, other: np.ndarray) -> float:
    ranked = [np.argsort(np.argsort(values)) for values in (one, other)]
    return float(np.corrcoef(*ranked)[0, 1])


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    begin = time.process_time()
    result = work()
    return result, time.process_time() - begin


if __name__ == "__main__":
    _speed() if "--speed" in sys.argv[1:] else main("--long" in sys.argv[1:])
