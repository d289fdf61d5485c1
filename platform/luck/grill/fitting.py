"""Fit the weights of a value to games between two house bots.

The start of every turn is an observation. Its outcome is whether the seat at position 0 beats the other one in the end.
The model is a logistic regression (Newton's method with a ridge) on the differences of the two seats' features.

The fit may be repeated with another outcome: the value of the turn, solved with the weights of the previous fit. Then
the value of a board agrees with the values within the turn that starts there (fitted value iteration).
"""

import random
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalogue import find
from games.dealer import block_seed
from games.explanation import explained_action
from games.record import Record
from games.table import Table
from luck.grill.board_value import WEIGHT_UNIT
from luck.shares import UNIT, shares_of

RIDGE: Final = 1e-3
ROUNDS: Final = 30
PLAYERS: Final = 2
SOLVED: Final = 8
FULL: Final = 17  # about the number of tiles; the fitted weight compensates for the unit
Numbers = Callable[[Any, int], Sequence[int]]
Solving = Callable[[tuple[int, ...], Any], float]
Fields = Sequence[tuple[tuple[str, str], int]]  # two bots and the number of their games


def grill_luck_fit(
    ruleset: str, numbers: Numbers, fields: Fields, rounds: Sequence[Solving] = (), *, better: bool = False
) -> None:
    """Play all games, and print the number of turn starts and the weights, in millionths.

    With ``better``, the difference in strength between the two bots is fitted too, so that the weights describe boards
    between equals. This difference is not printed.

    Then the weights are fitted again, once for each function in ``rounds``. The function takes weights in millionths
    and the board at the start of a turn. It solves the turn and returns the share of the seat to move. It is called for
    every ``SOLVED``-th turn start.
    """
    boards: list[Any] = []
    beaten: list[float] = []
    sides: list[int] = []
    games = [(bots, number) for bots, count in fields for number in range(count)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        played = processes.map(partial(_game, ruleset), games, chunksize=20)
        for game, (found, share) in zip(games, played, strict=True):
            boards += found
            beaten += [share] * len(found)
            sides += [_side(game)] * len(found)
        rows = _rows(numbers, boards)
        if better:
            rows = np.hstack([rows, _betters(boards, sides)])
        weights = _fitted(rows, np.array(beaten))
        for turn, solved in enumerate(rounds):
            some = boards[turn % SOLVED :: SOLVED]
            shares = list(processes.map(partial(solved, _whole(weights)), some, chunksize=50))
            own = [share if board.seat == 0 else 1 - share for board, share in zip(some, shares, strict=True)]
            weights = _fitted(_rows(numbers, some), np.array(own))
    sys.stdout.write(f"{len(boards)} turn starts, weights {list(_whole(weights[: len(numbers(boards[0], 0))]))}\n")


def _whole(weights: NDArray[np.float64]) -> tuple[int, ...]:
    return tuple(round(WEIGHT_UNIT * float(weight)) for weight in weights)


def _game(ruleset: str, game: tuple[tuple[str, str], int]) -> tuple[list[Any], float]:
    """Return the boards at the start of each turn, and the share that position 0 won."""
    bots, number = game
    rules = find(ruleset)
    seed = block_seed(b"train", *bots, number)
    seated = [bots[(position + number) % PLAYERS] for position in range(PLAYERS)]
    acts = [import_module(f"games.catalogue.{rules.name}.bots.{bot}").act for bot in seated]
    luck = [random.Random(block_seed(seed, "bot", position)) for position in range(PLAYERS)]
    table = Table(rules, PLAYERS, {}, seed)
    while not table.over:
        own = luck[table.actor]
        random.setstate(own.getstate())
        action = explained_action(acts[table.actor](table.view(table.actor)))
        own.setstate(random.getstate())
        table.play(action)
    record = table.record()
    return list(_turn_starts(record)), shares_of(record.verify().places)[0] / UNIT


def _turn_starts(record: Record) -> Iterator[Any]:
    turn = 0
    for step in record.replay():
        if step.before.turn > turn:
            turn = step.before.turn
            yield step.before.board._replace(last=None)  # type: ignore[attr-defined]


def _side(game: tuple[tuple[str, str], int]) -> int:
    """Return 1 if the first of two different bots is at position 0, -1 if the other one is; 0 for two equal bots."""
    (first, other), number = game
    return 0 if first == other else 1 - 2 * (number % PLAYERS)


def _betters(boards: Sequence[Any], sides: Sequence[int]) -> NDArray[np.float64]:
    """Return regressors for the difference in strength between the bots. They depend on the number of tiles left."""
    left = np.array([board.grill.bit_count() for board in boards])
    phi = 1 / (left + 1)
    return np.asarray(np.array([np.ones_like(phi), phi**0.5, phi, left / FULL]).T * np.array(sides)[:, None])


def _rows(numbers: Numbers, boards: Sequence[Any]) -> NDArray[np.float64]:
    """Return the differences of the two seats' features."""
    pairs = (zip(numbers(board, 0), numbers(board, 1), strict=True) for board in boards)
    return np.array([[(own - other) / (10 * PLAYERS * UNIT) for own, other in pair] for pair in pairs])


def _fitted(rows: NDArray[np.float64], beaten: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.zeros(rows.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - beaten) / len(beaten) + RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows / len(beaten) + ridge
        weights -= np.linalg.solve(curve, slope)
    return weights
