"""Tiles, their worms, and stacks of tiles. A set of tiles is a bit mask: tile t is bit t."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from games.state import Outcome

LOWEST: Final = 21
HIGHEST: Final = 36
SPECIAL: Final = (11, 13)  # the two low tiles of Heckmeck

Stacks: TypeAlias = tuple[tuple[int, ...], ...]  # by seat, from bottom to top


def tile_worms(tile: int) -> int:
    """Return the number of worms on ``tile``: one on 11, 13 and 21 to 24, two on 25 to 28, three on 29 to 32, four on
    33 to 36.
    """
    return 1 if tile < LOWEST else (tile - LOWEST) // 4 + 1


def tiles_listed(mask: int) -> list[int]:
    """Return a new list of the tiles in a set, lowest first."""
    return list(_tiles(mask))


@lru_cache(maxsize=1 << 12)  # a view lists the same tiles at every step of a turn
def _tiles(mask: int) -> tuple[int, ...]:
    return tuple([tile for tile in range(mask.bit_length()) if mask >> tile & 1])


def tiles_mask_of(numbers: Iterable[int]) -> int:
    """Return the bit mask of these tiles."""
    return sum(1 << tile for tile in set(numbers))


def tiles_highest(mask: int) -> int:
    """Return the highest tile of a set that is not empty."""
    return mask.bit_length() - 1


def tiles_top_owner(stacks: Stacks, tile: int) -> int:
    """Return the seat that has this tile on top, or -1."""
    for seat, stack in enumerate(stacks):
        if stack and stack[-1] == tile:
            return seat
    return -1


def tiles_stacks_with(stacks: Stacks, seat: int, stack: tuple[int, ...]) -> Stacks:
    """Return ``stacks`` with ``stack`` for ``seat``."""
    return (*stacks[:seat], stack, *stacks[seat + 1 :])


@lru_cache(maxsize=1 << 12)
def tiles_worms(stack: tuple[int, ...]) -> int:
    """Return the worms on the tiles of a stack."""
    return sum(map(tile_worms, stack))


def places_by_tiles(points: Sequence[int], stacks: Stacks, reason: str) -> Outcome:
    """Return places by worms, which are the ``points``. Seats with equal points are ordered by their highest tile;
    seats without tiles share a place.
    """
    merits = [(own, max(stack, default=0)) for own, stack in zip(points, stacks, strict=True)]
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(points))
    return Outcome(tuple(points), places, reason, "highest_tile" if broken else "")
