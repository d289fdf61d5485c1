"""Steps a second of the adapters, whose players choose at random. Once ``make test-researchers`` has run:
``.venv-researchers/bin/python -m benchmarks.researchers``.

A step is an action of a player or, with OpenSpiel, of chance. PettingZoo's include observation, mask and ``last()``.
"""

import os
import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from games.catalogue import current
from games.dealer import block_seed
from games.table import Table
from research import openspiel
from research.gymnasium import PeckingSolo
from research.pettingzoo import PeckingEnv

TABLES = (("pickomino", 2), ("pickomino", 7), ("heckmeck", 2), ("laghetti", 3), ("karteneck", 2), ("karteneck", 5))
SECONDS = 2.0


def engine(game: str, players: int) -> Iterator[int]:
    """Yield the steps of one game after the other, at a table of the engine."""
    rng, number = random.Random(1).random, 0
    while True:
        table, steps = Table(current(game), players, {}, block_seed(b"benchmark", number)), 0
        while legal := table.state.actions():
            table.play(legal[int(rng() * len(legal))])
            steps += 1
        number += 1
        yield steps


def pettingzoo(game: str, players: int) -> Iterator[int]:
    """Yield the same in PettingZoo's way."""
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
    """Yield the learner's steps among opponents who take the first action."""
    env, rng = PeckingSolo(game, players, opponents=[lambda view: view["actions"][0]]), random.Random(1).random
    while True:
        _, info = env.reset()
        steps, over = 0, False
        while not over:
            legal = info["action_mask"].nonzero()[0]
            _, _, over, _, info = env.step(legal[int(rng() * len(legal))])
            steps += 1
        yield steps


def openspiel_numpy(game: str, players: int) -> Iterator[int]:
    """Yield the same in OpenSpiel's way, chance drawn as its examples do."""
    luck = np.random.RandomState(1)
    yield from _openspiel(game, players, lambda codes, odds: luck.choice(codes, p=odds))


def openspiel_random(game: str, players: int) -> Iterator[int]:
    """Yield the same with chance drawn by Python's ``random``."""
    luck = random.Random(1)
    yield from _openspiel(game, players, lambda codes, odds: luck.choices(codes, odds)[0])


def _openspiel(game: str, players: int, draw: Callable[[tuple[int, ...], tuple[float, ...]], int]) -> Iterator[int]:
    loaded, rng = openspiel.load(game, players), random.Random(1).random
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


def speed(games: Iterator[int]) -> float:
    """Return steps a second of processor time."""
    next(games)
    steps, began = 0, time.process_time()
    while time.process_time() - began < SECONDS:
        steps += next(games)
    return steps / (time.process_time() - began)


if __name__ == "__main__":
    ways = (engine, pettingzoo, gymnasium, openspiel_numpy, openspiel_random)
    print(f"steps a second; load {os.getloadavg()[0]:.1f}")
    print(f"{'':14}", *(f"{way.__name__:>17}" for way in ways))
    for game, players in TABLES:
        print(f"{game:10} {players:3}", *(f"{speed(way(game, players)):17,.0f}" for way in ways), flush=True)
