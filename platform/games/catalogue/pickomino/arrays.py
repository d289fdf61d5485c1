"""Pickomino on a row of integers: the same rules as ``position`` for many games at once, and observations."""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.grill.arrays import (
    ASIDE,
    DICE,
    FACEDOWN,
    GRILL,
    HEIGHTS,
    LOW,
    PHASE,
    SEAT,
    START_KEY,
    TILES,
    TOTAL,
    TURN,
    WORM,
    WORMS,
    grill_array_allow_faces,
    grill_array_clear_hand,
    grill_array_dice_dealt,
    grill_array_full,
    grill_array_highest,
    grill_array_key,
    grill_array_lower_tiles,
    grill_array_on_grill,
    grill_array_pop,
    grill_array_push,
    grill_array_rank_by_tiles,
    grill_array_rival_with,
    grill_array_roll,
    grill_array_set_aside,
    grill_array_set_phase,
    grill_array_shows_new,
    grill_array_start_drawn,
    grill_array_tile_of,
    grill_array_want,
    grill_array_width,
    grill_array_write_dice,
    grill_array_write_table,
)
from games.catalogue.pickomino.rules import LOWER_TILE, SHORT, STEAL, TURN_CAP
from games.in_numbers import ACTOR, SEATS, SETTINGS, ArrayRules, IntegerRow

MANDATORY, ANY_LOWER, FLIP, SHORTER, DRAWN = range(SETTINGS, SETTINGS + 5)

# The indexes of PickominoPhase.
STARTING, ROLLING, CHOOSING, DECIDING, STEALING, LOWERING, OVER = range(7)
ROLL_ON, STEAL_IT, FIRST_TILE = 6, 8, 10  # numbers of actions; 0 to 5 take a face, 7 stops, 9 declines
CAP: Final = TURN_CAP


def pickomino_array_settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    return (
        STEAL.index(options["steal"]),
        LOWER_TILE.index(options["lower_tile"]),
        int(options["flip_without_return"]),
        SHORT.index(options["short_variant"]),
        int(options["start"] == "random"),
    )


def pickomino_array_begin(row: IntegerRow) -> None:
    row[GRILL] = ((1 << TILES) - 1) >> LOW << LOW
    if row[DRAWN]:
        row[PHASE] = STARTING
        grill_array_want(row, START_KEY, 0)
    else:
        row[TURN] = 1
        pickomino_array_start_turn(row)


def pickomino_array_start_turn(row: IntegerRow) -> None:
    """Begin a turn with its first roll, for which the game always waits for a block."""
    grill_array_clear_hand(row)
    row[PHASE] = ROLLING
    grill_array_roll(row)


def pickomino_array_roll_dice(row: IntegerRow) -> None:
    row[PHASE] = ROLLING
    if grill_array_roll(row):
        pickomino_array_choose(row)


def pickomino_array_deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == STARTING:
        if grill_array_start_drawn(row, block):
            pickomino_array_start_turn(row)
    elif grill_array_dice_dealt(row, block):
        pickomino_array_choose(row)


def pickomino_array_choose(row: IntegerRow) -> None:
    """Let the player choose from a roll, or fail the turn."""
    if grill_array_shows_new(row):
        grill_array_set_phase(row, CHOOSING)
    else:
        pickomino_array_bust(row)


def pickomino_array_play(row: IntegerRow, action: int) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        grill_array_set_aside(row, action)
        if grill_array_full(row):
            pickomino_array_resolve(row)
        else:
            row[PHASE] = DECIDING
    elif phase == DECIDING:
        if action == ROLL_ON:
            pickomino_array_roll_dice(row)
        else:
            pickomino_array_resolve(row)
    elif phase == STEALING:
        if action == STEAL_IT:
            pickomino_array_steal(row)
        else:
            pickomino_array_settle(row)
    else:
        pickomino_array_take_tile(row, action - FIRST_TILE + LOW)


def pickomino_array_resolve(row: IntegerRow) -> None:
    """Resolve the turn, like ``pickomino_position_resolve``."""
    tile = grill_array_tile_of(row[TOTAL])
    if not row[ASIDE + WORM]:
        pickomino_array_bust(row)
    elif grill_array_on_grill(row, tile):
        pickomino_array_take_tile(row, tile)
    elif grill_array_rival_with(row, tile) < 0:
        pickomino_array_settle(row)
    elif row[MANDATORY]:
        pickomino_array_steal(row)
    else:
        grill_array_set_phase(row, STEALING)


def pickomino_array_settle(row: IntegerRow) -> None:
    """Settle the turn, like ``pickomino_position_settle``."""
    lower = grill_array_lower_tiles(row, row[TOTAL])
    if not lower:
        pickomino_array_bust(row)
    elif row[ANY_LOWER] and lower & (lower - 1):
        grill_array_set_phase(row, LOWERING)
    else:
        pickomino_array_take_tile(row, grill_array_highest(lower))


def pickomino_array_take_tile(row: IntegerRow, tile: int) -> None:
    row[GRILL] ^= 1 << tile
    grill_array_push(row, tile)
    pickomino_array_end_turn(row)


def pickomino_array_steal(row: IntegerRow) -> None:
    grill_array_push(row, grill_array_pop(row, grill_array_rival_with(row, grill_array_tile_of(row[TOTAL]))))
    pickomino_array_end_turn(row)


def pickomino_array_bust(row: IntegerRow) -> None:
    """Fail the turn, like ``PickominoBoard.bust``."""
    seat = row[SEAT]
    flipped = 0
    if row[HEIGHTS + seat]:
        returned = grill_array_pop(row, seat)
        row[GRILL] |= 1 << returned
        flipped = pickomino_array_flipped_with(row, returned)
    elif row[FLIP]:
        flipped = 1 << grill_array_highest(row[GRILL])
    row[GRILL] &= ~flipped
    row[FACEDOWN] |= flipped
    pickomino_array_end_turn(row)


def pickomino_array_flipped_with(row: IntegerRow, returned: int) -> int:
    """Return the tiles that are turned over once ``returned`` is back on the grill, see ``SHORT``."""
    grill = row[GRILL]
    back, top = 1 << returned, 1 << grill_array_highest(grill)
    if row[SHORTER] == 0:
        return top & ~back
    if row[SHORTER] == 1:
        return top
    if row[SHORTER] == 3:
        return back
    other = grill_array_highest(grill & ~back)
    return back | (1 << other) if other >= 0 else back


def pickomino_array_end_turn(row: IntegerRow) -> None:
    """Go to the next seat's turn, or end the game."""
    if row[GRILL] and row[TURN] < CAP * row[SEATS]:
        row[SEAT] = (row[SEAT] + 1) % row[SEATS]
        row[TURN] += 1
        pickomino_array_start_turn(row)
    else:
        grill_array_clear_hand(row)
        row[PHASE] = OVER
        row[ACTOR] = -1


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
    at = grill_array_write_table(row, seat, PHASES, CAP, LOW, floats)
    for place in range(players):
        floats[at + place] = row[WORMS + (seat + place) % players] / ALL_WORMS
    grill_array_write_dice(row, DICE, DICE, floats, at + players)


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
