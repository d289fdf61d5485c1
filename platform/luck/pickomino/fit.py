"""How the weights of ``pickomino/1-v1`` were fitted: ``python -m luck.pickomino.fit`` plays and fits again.

At the start of every turn of games between two house bots: does the seat at position 0 beat the other? A logistic
regression (Newton's method, with a ridge) on the differences of the two seats' nine numbers. Another value is another
file with another id: what was frozen stays.
"""

import random
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from games.catalogue import find
from games.catalogue.pickomino.position import PickominoPosition
from games.dealer import block_seed
from games.table import Table
from luck.pickomino.value import WEIGHT_UNIT, numbers
from luck.shares import UNIT, shares_of

GAMES: Final = (
    (("greedy", "cautious"), 700),
    (("greedy", "greedy"), 300),
    (("cautious", "cautious"), 300),
    (("sage", "greedy"), 120),
    (("sage", "sage"), 100),
    (("sage", "cautious"), 120),
)
RIDGE: Final = 1e-3
ROUNDS: Final = 30
PLAYERS: Final = 2


def main() -> None:
    """Print the number of turn starts and the weights, in millionths."""
    rows: list[list[float]] = []
    beaten: list[float] = []
    for bots, games in GAMES:
        for number in range(games):
            turns, share = _game(bots, number)
            rows += turns
            beaten += [share] * len(turns)
    weights = _fitted(np.array(rows), np.array(beaten))
    sys.stdout.write(f"{len(rows)} turn starts, weights {[round(WEIGHT_UNIT * weight) for weight in weights]}\n")


def _game(bots: tuple[str, str], number: int) -> tuple[list[list[float]], float]:
    """The differences at the start of each turn, and what position 0 beat at the end."""
    seed = block_seed(b"train", *bots, number)
    seated = [bots[(position + number) % PLAYERS] for position in range(PLAYERS)]
    acts = [import_module(f"games.catalogue.pickomino.bots.{bot}").act for bot in seated]
    luck = [random.Random(block_seed(seed, "bot", position)) for position in range(PLAYERS)]
    table = Table(find("pickomino/1"), PLAYERS, {}, seed)
    while not table.over:
        own = luck[table.actor]
        random.setstate(own.getstate())
        action = acts[table.actor](table.view(table.actor))
        own.setstate(random.getstate())
        table.play(action)
    record = table.record()
    return list(_turn_starts(record)), shares_of(record.verify().places)[0] / UNIT


def _turn_starts(record: Any) -> Iterator[list[float]]:
    board = None
    for step in record.replay():
        position = step.before
        if isinstance(position, PickominoPosition) and position.board is not board:
            board = position.board
            pairs = zip(numbers(board, 0), numbers(board, 1), strict=True)
            yield [(own - other) / (10 * PLAYERS * UNIT) for own, other in pairs]


def _fitted(rows: NDArray[np.float64], beaten: NDArray[np.float64]) -> NDArray[np.float64]:
    weights = np.zeros(rows.shape[1])
    ridge = RIDGE * np.eye(len(weights))
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chance - beaten) / len(beaten) + RIDGE * weights
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows / len(beaten) + ridge
        weights -= np.linalg.solve(curve, slope)
    return weights


if __name__ == "__main__":
    main()
