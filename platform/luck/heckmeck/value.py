"""The values ``heckmeck/2-v1`` and ``heckmeck/2-v2``: the share of its opponents that a seat will beat, by what lies on
the table.

v1: thirty-four numbers of each seat. v2: the same, and who is ahead when one, two or three tiles are left, where a
formula of worms alone does not see whether the next tile decides the game. The weights are fitted on games of house
bots (``fit``, ``fit_v2``). Both values are frozen.
"""

from functools import lru_cache
from math import isqrt
from typing import Final

from games.catalogue.grill.tiles import HIGHEST, LOWEST, tiles, worms
from games.catalogue.heckmeck.board import HeckmeckBoard, standing, worms_of
from games.catalogue.heckmeck.rules import APPLE, APPLE_WORMS, CANNED_WORM, GOLDEN_DIE, HEN, LOW_TILES, WEASEL
from luck.grill.value import frozen
from luck.shares import UNIT

KEPT: Final = (CANNED_WORM, HEN, WEASEL, GOLDEN_DIE, APPLE)  # the raven is nobody's


def heckmeck_v1_features(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
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


HECKMECK_V1: Final = frozen(__package__, "v1.json", heckmeck_v1_features, standing)


LAST: Final = 3  # tiles on the grill from which on there are such numbers
WORM: Final = 64  # a worm in merits: more than any tile, which decides between equals
HIGH_TILE: Final = 31
LEAD_MOST: Final = 8  # worms


def heckmeck_v2_features(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    """Return the numbers that the strength of ``seat`` is made of, each times ``10 * players * UNIT``.

    First those of v1. Then six for each number of tiles from one to three, all 0 unless so many are on the grill:
    whether the seat is ahead of all others, level with the best or behind (1, 0, -1); the same once the seat to move
    has won the highest tile; both again where the lowest tile is below 21; the first where the highest is 31 or more;
    and by how many worms it leads, from -8 to 8.
    """
    whole = 10 * len(board.stacks) * UNIT
    return (*heckmeck_v1_features(board, seat), *(whole * one for one in _endings(board, seat)))


def _endings(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    on_grill = tiles(board.grill)
    if not 1 <= len(on_grill) <= LAST:
        return (0,) * 6 * LAST
    known = zip(worms_of(board), board.stacks, strict=True)
    merits = [WORM * own + max(stack, default=0) for own, stack in known]
    now, then = _lead(merits, seat), _lead(_with(merits, board.seat, WORM * worms(on_grill[-1])), seat)
    low, ahead, after = on_grill[0] < LOWEST, _sign(now), _sign(then)
    leads = max(-LEAD_MOST, min(LEAD_MOST, now // WORM))
    told = (ahead, after, ahead * low, after * low, ahead * (on_grill[-1] >= HIGH_TILE), leads)
    return tuple(one for left in range(1, LAST + 1) for one in (told if left == len(on_grill) else (0,) * 6))


def _with(merits: list[int], seat: int, more: int) -> list[int]:
    return [merit + more * (at == seat) for at, merit in enumerate(merits)]


def _lead(merits: list[int], seat: int) -> int:
    return merits[seat] - max(merit for at, merit in enumerate(merits) if at != seat)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


HECKMECK_V2: Final = frozen(__package__, "v2.json", heckmeck_v2_features, standing)
