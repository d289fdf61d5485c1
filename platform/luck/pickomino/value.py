"""The value ``pickomino/1-v1``: the share of its opponents that a seat will beat, estimated from the board.

It uses nine features of each seat, with weights fitted to games of house bots (``fit``). It is frozen.
"""

from math import isqrt
from typing import Final

from games.catalogue.grill.tiles import tile_worms
from games.catalogue.pickomino.board import PickominoBoard, pickomino_board_standing
from luck.grill.board_value import board_value_frozen
from luck.shares import UNIT


def pickomino_features(board: PickominoBoard, seat: int) -> tuple[int, ...]:
    """Return the nine features for the strength of ``seat``, each multiplied by ``10 * players * UNIT``.

    phi is 1 / (tiles on the grill + 1). The features are, in this order:

    - worms; worms * sqrt(phi); worms * phi
    - worms on the top tile; the same * phi
    - (highest tile - 28) / 10 * phi; a seat without tiles counts as one with tile 20
    - 1 if the seat is to move; the same * phi
    - the number of turns since the seat's last turn began, divided by the number of players, * sqrt(phi); 0 if the seat
      is to move
    """
    stack, players = board.stacks[seat], len(board.stacks)
    left = board.grill.bit_count() + 1
    phi, root = UNIT // left, isqrt(UNIT * UNIT // left)
    own, top = sum(map(tile_worms, stack)), tile_worms(stack[-1]) if stack else 0
    away = (board.seat - seat) % players
    moves = away == 0
    whole = 10 * players
    return (
        *(whole * own * UNIT, whole * own * root, whole * own * phi, whole * top * UNIT, whole * top * phi),
        players * (max(stack) - 28 if stack else -8) * phi,
        *(whole * moves * UNIT, whole * moves * phi, 10 * away * root),
    )


PICKOMINO_V1: Final = board_value_frozen(__package__, "v1.json", pickomino_features, pickomino_board_standing)
