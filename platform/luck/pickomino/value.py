"""The value ``pickomino/1-v1``: the share of its opponents that a seat will beat, by what lies on the table.

Nine numbers of each seat, weights fitted on games of house bots (``fit``). It is frozen.
"""

from math import isqrt
from typing import Final

from games.catalogue.grill.tiles import worms
from games.catalogue.pickomino.board import PickominoBoard, standing
from luck.grill.value import frozen
from luck.shares import UNIT


def pickomino_features(board: PickominoBoard, seat: int) -> tuple[int, ...]:
    """Return the nine numbers that the strength of ``seat`` is made of, each times ``10 * players * UNIT``.

    phi is 1 / (tiles on the grill + 1): worms; worms * sqrt(phi); worms * phi; worms on the top tile; those * phi; the
    highest tile, from 28 on in tenths, * phi; to move; to move * phi; distance to the move in players * sqrt(phi).
    """
    stack, players = board.stacks[seat], len(board.stacks)
    left = board.grill.bit_count() + 1
    phi, root = UNIT // left, isqrt(UNIT * UNIT // left)
    own, top = sum(map(worms, stack)), worms(stack[-1]) if stack else 0
    away = (board.seat - seat) % players
    moves = away == 0
    whole = 10 * players
    return (
        *(whole * own * UNIT, whole * own * root, whole * own * phi, whole * top * UNIT, whole * top * phi),
        players * (max(stack) - 28 if stack else -8) * phi,
        *(whole * moves * UNIT, whole * moves * phi, 10 * away * root),
    )


PICKOMINO_V1: Final = frozen(__package__, "v1.json", pickomino_features, standing)
