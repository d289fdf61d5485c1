"""What is seen of the games at the grill on rows of integers: see ``observation`` and ``tiles.places_by_tiles``."""

from typing import Any

from games.catalogue.grill.arrays import (
    ASIDE,
    FACEDOWN,
    FACES,
    GRILL,
    HEIGHTS,
    LEFT,
    PHASE,
    ROLLED,
    STACKS,
    TILES,
    TOTAL,
    TURN,
)
from games.in_numbers import ACTOR, SEATS, IntegerRow, numbers_place_by


def grill_array_allow_faces(row: IntegerRow, mask: Any) -> None:
    for face in range(FACES):
        mask[face] = row[ROLLED + face] > 0 and row[ASIDE + face] == 0


def grill_array_tell_table(row: IntegerRow, seat: int, phases: int, cap: int, lowest: int, floats: Any) -> int:
    """Tell all from the phase to the stacks, of the tiles from ``lowest`` on. Return the place after them.

    ``cap``: turns that a seat has.
    """
    players, at, tiles = row[SEATS], phases, TILES - lowest
    floats[:] = 0
    floats[row[PHASE]] = 1
    if row[ACTOR] >= 0:
        floats[at + (row[ACTOR] - seat) % players] = 1
    at += players
    floats[at] = row[TURN] / (cap * players)
    at += 1
    for tile in range(tiles):
        floats[at + tile] = row[GRILL] >> lowest + tile & 1
        floats[at + tiles + tile] = row[FACEDOWN] >> lowest + tile & 1
    at += 2 * tiles
    for place in range(players):
        other = (seat + place) % players
        height = row[HEIGHTS + other]
        for depth in range(1, height + 1):
            floats[at + row[STACKS + TILES * other + height - depth] - lowest] = 1 / depth
        at += tiles
    return int(at)


def grill_array_tell_dice(row: IntegerRow, dice: int, most: int, floats: Any, at: int) -> None:
    """Tell what is aside of so many dice, and what of the roll as a part of the ``most`` that there are."""
    for face in range(FACES):
        floats[at + face] = row[ASIDE + face] / dice
        floats[at + FACES + 2 + face] = row[ROLLED + face] / most
    floats[at + FACES] = row[LEFT] / dice
    floats[at + FACES + 1] = row[TOTAL] / (5 * dice)


def grill_array_rank_by_tiles(row: IntegerRow, points: Any, places: Any) -> None:
    for seat in range(row[SEATS]):
        best = 0
        for height in range(row[HEIGHTS + seat]):
            best = max(best, 1 + row[STACKS + TILES * seat + height])
        places[seat] = points[seat] * 32 + best
    numbers_place_by(places.copy(), places)
