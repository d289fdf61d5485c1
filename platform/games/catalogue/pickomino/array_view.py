"""What is seen of Pickomino on a row of integers: see ``observation`` and ``grill.tiles.ranked``."""

from typing import Any, Final

from games.arrays import ACTOR, SEATS, ArrayRules, IntegerRow, place_by
from games.catalogue.pickomino.arrays import (
    ASIDE,
    CAP,
    CHOOSING,
    DECIDING,
    DICE,
    FACEDOWN,
    FACES,
    FIRST_TILE,
    GRILL,
    HEIGHTS,
    LEFT,
    LOWERING,
    PHASE,
    ROLL,
    ROLLED,
    STACKS,
    STEAL_IT,
    STEALING,
    TILES,
    TOTAL,
    TURN,
    WORMS,
    begin,
    deal,
    key,
    lower_tiles,
    play,
    settings,
    width,
)

PHASES: Final = 7
ALL_WORMS: Final = 40


def allow(row: IntegerRow, mask: Any) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        for face in range(FACES):
            mask[face] = row[ROLLED + face] > 0 and row[ASIDE + face] == 0
    elif phase == DECIDING:
        mask[ROLL] = mask[ROLL + 1] = 1
    elif phase == STEALING:
        mask[STEAL_IT] = mask[STEAL_IT + 1] = 1
    elif phase == LOWERING:
        lower = lower_tiles(row)
        for tile in range(TILES):
            mask[FIRST_TILE + tile] = lower >> tile & 1


def observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players, at = row[SEATS], PHASES
    floats[:] = 0
    floats[row[PHASE]] = 1
    if row[ACTOR] >= 0:
        floats[at + (row[ACTOR] - seat) % players] = 1
    at += players
    floats[at] = row[TURN] / (CAP * players)
    at += 1
    for tile in range(TILES):
        floats[at + tile] = row[GRILL] >> tile & 1
        floats[at + TILES + tile] = row[FACEDOWN] >> tile & 1
    at += 2 * TILES
    worms = at + TILES * players
    for place in range(players):
        other = (seat + place) % players
        height = row[HEIGHTS + other]
        for depth in range(1, height + 1):
            floats[at + row[STACKS + TILES * other + height - depth]] = 1 / depth
        floats[worms + place] = row[WORMS + other] / ALL_WORMS
        at += TILES
    at = worms + players
    for face in range(FACES):
        floats[at + face] = row[ASIDE + face] / DICE
        floats[at + 8 + face] = row[ROLLED + face] / DICE
    floats[at + 6] = row[LEFT] / DICE
    floats[at + 7] = row[TOTAL] / (5 * DICE)


def rank(row: IntegerRow, points: Any, places: Any) -> None:
    """See ``grill.tiles.ranked``."""
    players = row[SEATS]
    for seat in range(players):
        best = 0
        for height in range(row[HEIGHTS + seat]):
            best = max(best, 1 + row[STACKS + TILES * seat + height])
        points[seat] = row[WORMS + seat]
        places[seat] = points[seat] * 32 + best
    place_by(places.copy(), places)


ARRAY_RULES: Final = ArrayRules(width, settings, key, begin, play, deal, observe, allow, rank)
