"""Compare the speed of all interfaces for learning with OpenSpiel's own games; players act at random.

After ``make test-researchers``: ``.venv-researchers/bin/python -m benchmarks.researchers``, which is part of ``make
bench``. A step is an action of a player or, in OpenSpiel, of chance. PettingZoo's steps include observation, mask and
``last()``; those of a batch include all observations and masks. All figures are processor time.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Iterator

import numpy as np
import pyspiel

from benchmarks import home_speed
from games.catalogue import GAMES, current
from games.dealer import block_seed
from games.table import Table
from research import openspiel
from research.batch import BatchGames, NoArrayRules
from research.gymnasium import PeckingSolo
from research.pettingzoo import PeckingEnv

TABLES = (("pickomino", 2), ("pickomino", 7), ("heckmeck", 2), ("laghetti", 3), ("karteneck", 2), ("karteneck", 5))
SECONDS = 2.0
BATCH = 4096  # games
OWN = ("pig", "backgammon")  # OpenSpiel's games in C++


def engine(game: str, players: int) -> Iterator[int]:
    """Yield the steps of game after game, on a table of the engine."""
    rng, number = random.Random(1).random, 0
    while True:
        table, steps = Table(current(game), players, {}, block_seed(b"benchmark", number)), 0
        while legal := table.state.actions():
            table.play(legal[int(rng() * len(legal))])
            steps += 1
        number += 1
        yield steps


def pettingzoo(game: str, players: int) -> Iterator[int]:
    """Yield the steps of game after game in PettingZoo."""
    env, rng = PeckingEnv(game, players), random.Random(1).random
    env.reset(seed=1)
    while True:
        env.reset()
        steps = 0
        for _agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
                continue
            legal = observation["action_mask"].nonzero()[0]
            env.step(legal[int(rng() * len(legal))])
            steps += 1
        yield steps


def gymnasium(game: str, players: int) -> Iterator[int]:
    """Yield the learner's steps in Gymnasium. Opponents take a random legal action and need no view."""
    yield from _solo(PeckingSolo(game, players, opponents=["random"]))


def gymnasium_functions(game: str, players: int) -> Iterator[int]:
    """Yield the learner's steps in Gymnasium. Opponents take the first action and read nothing else of their view."""
    yield from _solo(PeckingSolo(game, players, opponents=[lambda view: view["actions"][0]]))


def gymnasium_views(game: str, players: int) -> Iterator[int]:
    """Yield the learner's steps in Gymnasium. Opponents take the first action after their whole view is computed."""
    yield from _solo(PeckingSolo(game, players, opponents=[lambda view: dict(view)["actions"][0]]))


def gymnasium_house(game: str, players: int) -> Iterator[int]:
    """Yield the learner's steps in Gymnasium. Opponents are the stand-in house bots, which is the default."""
    yield from _solo(PeckingSolo(game, players))


def _solo(env: PeckingSolo) -> Iterator[int]:
    rng = random.Random(1).random
    while True:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            _, _, over, _, info = env.step(legal[int(rng() * len(legal))])
            steps += 1
        yield steps


def openspiel_numpy(game: str, players: int) -> Iterator[int]:
    """Yield the steps of game after game in OpenSpiel, with chance drawn by numpy as in its examples."""
    luck = np.random.RandomState(1)
    yield from _openspiel(game, players, lambda codes, odds: luck.choice(codes, p=odds))


def openspiel_random(game: str, players: int) -> Iterator[int]:
    """Yield the steps of game after game in OpenSpiel, with chance drawn by Python's ``random``."""
    luck = random.Random(1)
    yield from _openspiel(game, players, lambda codes, odds: luck.choices(codes, odds)[0])


def _openspiel(game: str, players: int, draw: Callable[[tuple[int, ...], tuple[float, ...]], int]) -> Iterator[int]:
    return spiel_games(openspiel.load(game, players), draw)


def spiel_games(loaded: pyspiel.Game, draw: Callable[[tuple[int, ...], tuple[float, ...]], int]) -> Iterator[int]:
    """Yield the steps of game after game for any game of OpenSpiel."""
    rng = random.Random(1).random
    while True:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(draw(*zip(*state.chance_outcomes(), strict=True)))
            else:
                legal = state.legal_actions()
                state.apply_action(legal[int(rng() * len(legal))])
            steps += 1
        yield steps


def batch(game: str, players: int) -> Iterator[int]:
    """Yield the steps of each call of a batch; nothing if the game has no batch."""
    try:
        games = BatchGames(game, players, games=BATCH)
    except NoArrayRules:
        return
    games.reset(1)
    rng, compiled = np.random.default_rng(1), False  # compilation is complete once a game has ended
    while True:
        games.step((rng.random(games.masks.shape, np.float32) * games.masks).argmax(1))
        compiled |= bool(games.over.any())
        if compiled:
            yield BATCH


def speed(games: Iterator[int]) -> float:
    """Return the steps per second of processor time; 0 if there are none."""
    if next(games, 0) == 0:
        return 0.0
    steps, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        steps += next(games)
    return steps / (time.process_time() - began)


def main() -> None:
    """Print the table. Arguments select games and numbers of players, such as ``pickomino-2``; by default all."""
    solo = (gymnasium, gymnasium_functions, gymnasium_views, gymnasium_house)
    ways = (engine, batch, pettingzoo, *solo, openspiel_numpy, openspiel_random)
    rows = [(game, players) for game, players in TABLES if f"{game}-{players}" in sys.argv[1:] or not sys.argv[1:]]
    luck = random.Random(1)
    print(f"steps a second of processor time; load {os.getloadavg()[0]:.1f}")
    theirs = {}
    for name in OWN:
        theirs[name] = speed(spiel_games(pyspiel.load_game(name), lambda codes, odds: luck.choices(codes, odds)[0]))
        print(f"OpenSpiel's {name:12} {theirs[name]:12,.0f}", flush=True)
    print(f"{'':14}", *(f"{way.__name__:>19}" for way in ways), *(f"{'batch / ' + name:>19}" for name in OWN))
    for game, players in rows:
        rates = {way.__name__: speed(way(game, players)) for way in ways}
        print(f"{game:10} {players:3}", *(f"{rate:19,.0f}" for rate in rates.values()), end=" ")
        print(*(f"{rates['batch'] / other:19.1f}" for other in theirs.values()), flush=True)
    print()
    home_speed.main([game for game in GAMES if game in {name for name, _ in rows}])


if __name__ == "__main__":
    main()
