"""What a seat sees in Pickomino and Heckmeck, as floats."""

from collections.abc import Sequence
from functools import cache, lru_cache

from games.catalogue.grill.aside import Aside
from games.catalogue.grill.tiles import Stacks
from games.chance import FACES
from games.in_numbers import Row, around, parts_of, places_of, row


@lru_cache(maxsize=1 << 12)
def grill_observation_tiles(tiles: tuple[int, ...], mask: int) -> Row:
    """Return for each of ``tiles`` whether it is in the set ``mask``."""
    return row([mask >> tile & 1 for tile in tiles])


@cache
def grill_observation_hand(aside: Aside) -> Row:
    """Return the dice of each face that are set aside, the dice left, and the sum as a fraction of the maximum."""
    dice = aside.dice
    return parts_of(dice, (*aside.counts, aside.left)) + row([aside.total / (5 * dice)])


@lru_cache(maxsize=1 << 12)
def grill_observation_rolled(dice: int, text: str) -> Row:
    """Return the dice of each face in a roll, as fractions of all dice."""
    return parts_of(dice, tuple(map(text.count, FACES)))


@lru_cache(maxsize=1 << 12)  # stacks change once in a turn
def grill_observation_stacks(seat: int, tiles: tuple[int, ...], stacks: Stacks) -> Row:
    """Return the stacks of all seats, ``seat`` first, encoded by ``places_of``: a top tile is a 1."""
    return b"".join([places_of(tiles, stack) for stack in around(seat, stacks)])


def grill_observation_worms(seat: int, most: int, worms: Sequence[int]) -> Row:
    """Return the worms of all seats, ``seat`` first, as fractions of ``most``."""
    return parts_of(most, around(seat, worms))
