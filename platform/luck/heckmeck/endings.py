"""The value ``heckmeck/2-v2``: the numbers of v1, and who is ahead when one, two or three tiles are left.

There a formula of worms alone does not see whether the next tile decides the game. Weights fitted on games of house
bots (``fit_v2``). It is frozen.
"""

from typing import Final

from games.catalogue.grill.tiles import LOWEST, tiles, worms
from games.catalogue.heckmeck.board import HeckmeckBoard
from games.catalogue.heckmeck.score import standing, worms_of
from luck.grill.value import frozen
from luck.heckmeck.value import numbers as numbers_of_v1
from luck.shares import UNIT

LAST: Final = 3  # tiles on the grill from which on there are such numbers
WORM: Final = 64  # a worm in merits: more than any tile, which decides between equals
HIGH_TILE: Final = 31
LEAD_MOST: Final = 8  # worms


def numbers(board: HeckmeckBoard, seat: int) -> tuple[int, ...]:
    """Return the numbers that the strength of ``seat`` is made of, each times ``10 * players * UNIT``.

    First those of v1. Then six for each number of tiles from one to three, all 0 unless so many are on the grill:
    whether the seat is ahead of all others, level with the best or behind (1, 0, -1); the same once the seat to move
    has won the highest tile; both again where the lowest tile is below 21; the first where the highest is 31 or more;
    and by how many worms it leads, from -8 to 8.
    """
    whole = 10 * len(board.stacks) * UNIT
    return (*numbers_of_v1(board, seat), *(whole * one for one in _endings(board, seat)))


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


HECKMECK_V2: Final = frozen(__package__, "v2.json", numbers, standing)
