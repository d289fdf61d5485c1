"""How the weights of ``heckmeck/2-v1`` were fitted: ``python -m luck.heckmeck.fit`` plays and fits again.

Another value is another file with another id: what was frozen stays.
"""

from dataclasses import replace
from typing import Final

from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.position import next_turn
from luck.grill.fitting import fit
from luck.heckmeck.turns import HeckmeckTurn
from luck.heckmeck.value import HECKMECK_V1, heckmeck_v1_features
from luck.shares import UNIT

GAMES: Final = (
    (("sage", "cautious"), 300),
    (("cautious", "cautious"), 700),
    (("sage", "sage"), 200),
    (("cautious", "random"), 100),
)
ROUNDS: Final = 3


def solved(weights: tuple[int, ...], board: HeckmeckBoard) -> float:
    """Return the share of the seat to move, its turn being solved upon these weights."""
    turn = HeckmeckTurn(board, replace(HECKMECK_V1, weights=weights), double=False)
    return turn.worth(next_turn(board)) / UNIT


if __name__ == "__main__":
    fit("heckmeck/2", heckmeck_v1_features, GAMES, [solved] * ROUNDS)
