"""What is seen of Pickomino on a row of integers: see ``observation`` and ``grill.tiles.places_by_tiles``."""

from typing import Any, Final

from games.catalogue.grill.array_view import (
    grill_array_allow_faces,
    grill_array_rank_by_tiles,
    grill_array_tell_dice,
    grill_array_tell_table,
)
from games.catalogue.grill.arrays import (
    DICE,
    LOW,
    PHASE,
    TILES,
    TOTAL,
    WORMS,
    grill_array_key,
    grill_array_lower_tiles,
    grill_array_width,
)
from games.catalogue.pickomino.arrays import (
    CAP,
    CHOOSING,
    DECIDING,
    FIRST_TILE,
    LOWERING,
    ROLL_ON,
    STEAL_IT,
    STEALING,
    pickomino_array_begin,
    pickomino_array_deal,
    pickomino_array_play,
    pickomino_array_settings,
)
from games.in_numbers import SEATS, ArrayRules, IntegerRow

PHASES: Final = 7
ALL_WORMS: Final = 40


def pickomino_array_allow(row: IntegerRow, mask: Any) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        grill_array_allow_faces(row, mask)
    elif phase == DECIDING:
        mask[ROLL_ON] = mask[ROLL_ON + 1] = 1
    elif phase == STEALING:
        mask[STEAL_IT] = mask[STEAL_IT + 1] = 1
    elif phase == LOWERING:
        lower = grill_array_lower_tiles(row, row[TOTAL])
        for tile in range(LOW, TILES):
            mask[FIRST_TILE + tile - LOW] = lower >> tile & 1


def pickomino_array_observe(row: IntegerRow, seat: int, floats: Any) -> None:
    players = row[SEATS]
    at = grill_array_tell_table(row, seat, PHASES, CAP, LOW, floats)
    for place in range(players):
        floats[at + place] = row[WORMS + (seat + place) % players] / ALL_WORMS
    grill_array_tell_dice(row, DICE, DICE, floats, at + players)


def pickomino_array_rank(row: IntegerRow, points: Any, places: Any) -> None:
    points[:] = row[WORMS : WORMS + row[SEATS]]
    grill_array_rank_by_tiles(row, points, places)


ARRAY_RULES: Final = ArrayRules(
    grill_array_width,
    pickomino_array_settings,
    grill_array_key,
    pickomino_array_begin,
    pickomino_array_play,
    pickomino_array_deal,
    pickomino_array_observe,
    pickomino_array_allow,
    pickomino_array_rank,
)
