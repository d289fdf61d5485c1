"""What is seen of Pickomino on a row of integers: see ``observation`` and ``grill.tiles.ranked``."""

from typing import Any, Final

from games.catalogue.grill.array_view import allow_faces, rank_by_tiles, tell_dice, tell_table
from games.catalogue.grill.arrays import DICE, LOW, PHASE, TILES, TOTAL, WORMS, key, lower_tiles, width
from games.catalogue.pickomino.arrays import (
    CAP,
    CHOOSING,
    DECIDING,
    FIRST_TILE,
    LOWERING,
    ROLL_ON,
    STEAL_IT,
    STEALING,
    begin,
    deal,
    play,
    settings,
)
from games.in_numbers import SEATS, ArrayRules, IntegerRow

PHASES: Final = 7
ALL_WORMS: Final = 40


def allow(row: IntegerRow, mask: Any) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        allow_faces(row, mask)
    elif phase == DECIDING:
        mask[ROLL_ON] = mask[ROLL_ON + 1] = 1
    elif phase == STEALING:
        mask[STEAL_IT] = mask[STEAL_IT + 1] = 1
    elif phase == LOWERING:
        lower = lower_tiles(row, row[TOTAL])
        for tile in range(LOW, TILES):
            mask[FIRST_TILE + tile - LOW] = lower >> tile & 1


def observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players = row[SEATS]
    at = tell_table(row, seat, PHASES, CAP, LOW, floats)
    for place in range(players):
        floats[at + place] = row[WORMS + (seat + place) % players] / ALL_WORMS
    tell_dice(row, DICE, DICE, floats, at + players)


def rank(row: IntegerRow, points: Any, places: Any) -> None:
    points[:] = row[WORMS : WORMS + row[SEATS]]
    rank_by_tiles(row, points, places)


ARRAY_RULES: Final = ArrayRules(width, settings, key, begin, play, deal, observe, allow, rank)
