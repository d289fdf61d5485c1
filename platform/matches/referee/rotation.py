"""Who sits where: every seed is played once in each rotation of the match's seats, so that luck and order cancel out.

Game ``index`` of a match of k seats belongs to block ``index // k`` and rotation ``index % k``.
"""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def block_of(index: int, seats: int) -> int:
    """Return the block, and so the seed, of game ``index``."""
    return index // seats


def seats_by_position(index: int, seats: int) -> tuple[int, ...]:
    """Return the match seat at each table position of game ``index``: ``(position + rotation) % seats``.

    >>> [seats_by_position(index, seats=3) for index in range(4)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    """
    rotation = index % seats
    return tuple((position + rotation) % seats for position in range(seats))


def by_seat(values: Sequence[T], index: int) -> tuple[T, ...]:
    """Return ``values`` given by table position of game ``index``, in the order of the match's seats.

    >>> by_seat((20, 0, 10), index=1)
    (10, 20, 0)
    """
    seats = len(values)
    return tuple(values[(seat - index % seats) % seats] for seat in range(seats))
