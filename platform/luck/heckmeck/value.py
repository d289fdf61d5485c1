"""The value ``heckmeck/2-v1``: the share of its opponents that a seat will beat, by what lies on the table.

Thirty-four numbers of each seat, weights fitted on games of house bots (``fit``). It is frozen.
"""

from functools import lru_cache
from math import isqrt
from typing import Final

from games.catalogue.grill.tiles import HIGHEST, LOWEST, tiles, worms
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.components import APPLE, APPLE_WORMS, CANNED_WORM, GOLDEN_DIE, HEN, LOW_TILES, WEASEL
from games.catalogue.heckmeck.score import standing
from luck.grill.value import frozen
from luck.shares import UNIT

KEPT: Final = (CANNED_WORM, HEN, WEASEL, GOLDEN_DIE, APPLE)  # the raven is nobody's


def numbers(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    """Return the numbers that the strength of ``seat`` is made of, each times ``10 * players * UNIT``.

    phi is 1 / (tiles on the grill + 1). As in Pickomino, worms being those of tiles, bratworms and the apple: worms;
    worms * sqrt(phi); worms * phi; worms on the top tile unless a hen guards it; those * phi; the highest tile, from 28
    on in tenths, * phi; to move; to move * phi; distance to the move in players * sqrt(phi). For each specialist that
    may be kept: whether the seat has it; that * phi. The bratworms that others may get: those of a seat without the hen
    once the supply is empty. The worms of a top tile that may be stolen, by how near it is to 21. And what only the
    seat to move has: the bratworms of the supply * phi; sqrt(phi); worms of a tile of the grill on average; of each
    specialist that may be kept, whether it lies on the grill, * sqrt(phi), and whether the seat has it.
    """
    stack, players = board.stacks[seat], len(board.stacks)
    left = board.grill.bit_count() + 1
    phi, root = UNIT // left, isqrt(UNIT * UNIT // left)
    bratworms, guarded = board.bratworms[seat], board.places[HEN] == seat
    own = sum(map(worms, stack)) + bratworms + APPLE_WORMS * (board.places[APPLE] == seat)
    top = worms(stack[-1]) if stack and not guarded else 0
    near = HIGHEST - stack[-1] if top and stack[-1] not in LOW_TILES else 0
    away = (board.seat - seat) % players
    whole = 10 * players
    moves = whole * (away == 0)
    has = [whole * (board.places[specialist] == seat) for specialist in KEPT]
    return (
        *(whole * own * UNIT, whole * own * root, whole * own * phi, whole * top * UNIT, whole * top * phi),
        players * (max(stack) - 28 if stack else -8) * phi,
        *(moves * UNIT, moves * phi, 10 * away * root),
        *(one * UNIT for one in has),
        *(one * phi for one in has),
        whole * (0 if board.supply or guarded else bratworms) * UNIT,
        whole * top * near * UNIT // (HIGHEST - LOWEST),
        *((moves * board.supply * phi, moves * root, moves * _mean(board.grill)) if moves else (0, 0, 0)),
        *(root * moves * (_lies(board, specialist)) for specialist in KEPT),
        *(one * UNIT * (away == 0) for one in has),
    )


def _lies(board: HeckmeckBoard, specialist: int) -> bool:
    place = board.places[specialist]
    return place >= LOW_TILES[0] and bool(board.grill >> place & 1)


@lru_cache(maxsize=1 << 12)
def _mean(grill: int) -> int:
    """Return the worms of a tile of the grill on average, times UNIT."""
    return UNIT * sum(map(worms, tiles(grill))) // max(1, grill.bit_count())


HECKMECK_V1: Final = frozen(__package__, "v1.json", numbers, standing)
