"""The values ``heckmeck/2-v1`` and ``heckmeck/2-v2``: the share of opponents that a seat will beat, from the board.

v1 uses thirty-four features of each seat. v2 adds features about who is ahead when one, two or three tiles are left. A
formula of worms alone does not show whether the next tile decides the game. The weights are fitted to games of house
bots (``fit``, ``fit_v2``). Both values are frozen.
"""

from functools import lru_cache
from math import isqrt
from typing import Final

from games.catalogue.grill.tiles import HIGHEST, LOWEST, tile_worms, tiles_listed
from games.catalogue.heckmeck.board import HeckmeckBoard, heckmeck_board_standing, heckmeck_board_worms_of
from games.catalogue.heckmeck.rules import APPLE, APPLE_WORMS, CANNED_WORM, GOLDEN_DIE, HEN, LOW_TILES, WEASEL
from luck.grill.board_value import board_value_frozen
from luck.shares import UNIT

KEPT: Final = (CANNED_WORM, HEN, WEASEL, GOLDEN_DIE, APPLE)  # the raven is not kept


def heckmeck_value_v1_features(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    """Return the features for the strength of ``seat``, each multiplied by ``10 * players * UNIT``.

    phi is 1 / (tiles on the grill + 1). The worms of a seat are those of its tiles, its bratworms and the apple. If the
    seat has the hen, the worms on its top tile count as 0. The features are, in this order:

    - worms; worms * sqrt(phi); worms * phi
    - worms on the top tile; the same * phi
    - (highest tile - 28) / 10 * phi; a seat without tiles counts as one with tile 20
    - 1 if the seat is to move; the same * phi
    - the number of turns since the seat's last turn began, divided by the number of players, * sqrt(phi); 0 if the seat
      is to move
    - for each specialist in ``KEPT``, 1 if the seat has it; then, for each, the same * phi
    - the seat's bratworms if others may get them: the supply is empty, and the seat does not have the hen
    - if the top tile may be stolen, its worms, times ``HIGHEST`` minus the tile, divided by ``HIGHEST - LOWEST``
    - for the seat to move, else 0: the bratworms of the supply * phi; sqrt(phi); the mean worms of the tiles on the
      grill
    - for the seat to move, else 0: for each specialist in ``KEPT``, sqrt(phi) if it lies on the grill
    - for the seat to move, else 0: for each specialist in ``KEPT``, 1 if the seat has it
    """
    stack, players = board.stacks[seat], len(board.stacks)
    left = board.grill.bit_count() + 1
    phi, root = UNIT // left, isqrt(UNIT * UNIT // left)
    bratworms, guarded = board.bratworms[seat], board.places[HEN] == seat
    own = sum(map(tile_worms, stack)) + bratworms + APPLE_WORMS * (board.places[APPLE] == seat)
    top = tile_worms(stack[-1]) if stack and not guarded else 0
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
    """Return the mean number of worms of the tiles on the grill, multiplied by UNIT."""
    return UNIT * sum(map(tile_worms, tiles_listed(grill))) // max(1, grill.bit_count())


HECKMECK_V1: Final = board_value_frozen(__package__, "v1.json", heckmeck_value_v1_features, heckmeck_board_standing)


LAST: Final = 3  # with more tiles on the grill, the features that v2 adds are 0
WORM: Final = 64  # what a worm adds to the merit of a seat; more than any tile, because tiles only break ties
HIGH_TILE: Final = 31
LEAD_MOST: Final = 8  # worms


def heckmeck_value_v2_features(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    """Return the features for the strength of ``seat``, each multiplied by ``10 * players * UNIT``.

    The first features are those of v1. Then follow six features for one tile on the grill, six for two, and six for
    three. They are 0 if another number of tiles is on the grill. The six are, in this order:

    - 1 if the seat is ahead of all others, 0 if it is level with the best of them, -1 if it is behind
    - the same, as it would be after the seat to move has won the highest tile on the grill
    - the first, if the lowest tile on the grill is below 21, else 0
    - the second, if the lowest tile on the grill is below 21, else 0
    - the first, if the highest tile on the grill is 31 or more, else 0
    - the number of worms by which the seat leads, from -8 to 8
    """
    whole = 10 * len(board.stacks) * UNIT
    return (*heckmeck_value_v1_features(board, seat), *(whole * one for one in _endings(board, seat)))


def _endings(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    on_grill = tiles_listed(board.grill)
    if not 1 <= len(on_grill) <= LAST:
        return (0,) * 6 * LAST
    known = zip(heckmeck_board_worms_of(board), board.stacks, strict=True)
    merits = [WORM * own + max(stack, default=0) for own, stack in known]
    now, then = _lead(merits, seat), _lead(_with(merits, board.seat, WORM * tile_worms(on_grill[-1])), seat)
    low, ahead, after = on_grill[0] < LOWEST, _sign(now), _sign(then)
    leads = max(-LEAD_MOST, min(LEAD_MOST, now // WORM))
    parts = (ahead, after, ahead * low, after * low, ahead * (on_grill[-1] >= HIGH_TILE), leads)
    return tuple(one for left in range(1, LAST + 1) for one in (parts if left == len(on_grill) else (0,) * 6))


def _with(merits: list[int], seat: int, more: int) -> list[int]:
    return [merit + more * (at == seat) for at, merit in enumerate(merits)]


def _lead(merits: list[int], seat: int) -> int:
    return merits[seat] - max(merit for at, merit in enumerate(merits) if at != seat)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


HECKMECK_V2: Final = board_value_frozen(__package__, "v2.json", heckmeck_value_v2_features, heckmeck_board_standing)
