"""The fit of the weights of ``heckmeck/2-v1``. ``python -m luck.heckmeck.fit`` plays the games and fits them again.

The frozen weights must not change: a new value needs a new file with a new id.
"""

from dataclasses import replace
from typing import Final

from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.position import heckmeck_position_next_turn
from luck.grill.fitting import grill_luck_fit
from luck.heckmeck.turns import HeckmeckTurn
from luck.heckmeck.value import HECKMECK_V1, heckmeck_value_v1_features
from luck.shares import UNIT

GAMES: Final = (
    (("sage", "cautious"), 300),
    (("cautious", "cautious"), 700),
    (("sage", "sage"), 200),
    (("cautious", "random"), 100),
)
ROUNDS: Final = 3


def heckmeck_fit_solved(weights: tuple[int, ...], board: HeckmeckBoard) -> float:
    """Return the share of the seat to move after solving its turn with ``weights``."""
    turn = HeckmeckTurn(board, replace(HECKMECK_V1, weights=weights), double=False)
    return turn.worth(heckmeck_position_next_turn(board)) / UNIT


if __name__ == "__main__":
    grill_luck_fit("heckmeck/2", heckmeck_value_v1_features, GAMES, [heckmeck_fit_solved] * ROUNDS)
