"""Pickomino on a row of integers: the same rules as ``position`` and ``board`` for many games at once (sheet 004).

What it shares with the other games at the grill is in ``grill.arrays``.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.catalogue.grill.arrays import (
    ASIDE,
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
    ask,
    clear_hand,
    dice_dealt,
    full,
    highest,
    lower_tiles,
    on_grill,
    pop,
    push,
    rival_with,
    roll,
    set_aside,
    shows_new,
    start_drawn,
    tile_of,
    want,
)
from games.catalogue.pickomino.rules import LOWER_TILE, SHORT, STEAL, TURN_CAP
from games.in_numbers import ACTOR, SEATS, SETTINGS, IntegerRow

MANDATORY, ANY_LOWER, FLIP, SHORTER, DRAWN = range(SETTINGS, SETTINGS + 5)

# The places of PickominoPhase.
STARTING, ROLLING, CHOOSING, DECIDING, STEALING, LOWERING, OVER = range(7)
ROLL_ON, STEAL_IT, FIRST_TILE = 6, 8, 10  # numbers of actions; 0 to 5 take a face, 7 stops, 9 declines
CAP: Final = TURN_CAP


def settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    return (
        STEAL.index(options["steal"]),
        LOWER_TILE.index(options["lower_tile"]),
        int(options["flip_without_return"]),
        SHORT.index(options["short_variant"]),
        int(options["start"] == "random"),
    )


def begin(row: IntegerRow) -> None:
    row[GRILL] = ((1 << TILES) - 1) >> LOW << LOW
    if row[DRAWN]:
        row[PHASE] = STARTING
        want(row, START_KEY, 0)
    else:
        row[TURN] = 1
        start_turn(row)


def start_turn(row: IntegerRow) -> None:
    """Begin a turn with its first roll, which always waits for its block."""
    clear_hand(row)
    row[PHASE] = ROLLING
    roll(row)


def roll_dice(row: IntegerRow) -> None:
    row[PHASE] = ROLLING
    if roll(row):
        choose(row)


def deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == STARTING:
        if start_drawn(row, block):
            start_turn(row)
    elif dice_dealt(row, block):
        choose(row)


def choose(row: IntegerRow) -> None:
    """Have the player choose from a roll, or fail the turn."""
    if shows_new(row):
        ask(row, CHOOSING)
    else:
        bust(row)


def play(row: IntegerRow, action: int) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        set_aside(row, action)
        if full(row):
            resolve(row)
        else:
            row[PHASE] = DECIDING
    elif phase == DECIDING:
        if action == ROLL_ON:
            roll_dice(row)
        else:
            resolve(row)
    elif phase == STEALING:
        if action == STEAL_IT:
            steal(row)
        else:
            settle(row)
    else:
        take_tile(row, action - FIRST_TILE + LOW)


def resolve(row: IntegerRow) -> None:
    """See ``position.resolve``."""
    tile = tile_of(row[TOTAL])
    if not row[ASIDE + WORM]:
        bust(row)
    elif on_grill(row, tile):
        take_tile(row, tile)
    elif rival_with(row, tile) < 0:
        settle(row)
    elif row[MANDATORY]:
        steal(row)
    else:
        ask(row, STEALING)


def settle(row: IntegerRow) -> None:
    """See ``position.settle``."""
    lower = lower_tiles(row, row[TOTAL])
    if not lower:
        bust(row)
    elif row[ANY_LOWER] and lower & (lower - 1):
        ask(row, LOWERING)
    else:
        take_tile(row, highest(lower))


def take_tile(row: IntegerRow, tile: int) -> None:
    row[GRILL] ^= 1 << tile
    push(row, tile)
    end_turn(row)


def steal(row: IntegerRow) -> None:
    push(row, pop(row, rival_with(row, tile_of(row[TOTAL]))))
    end_turn(row)


def bust(row: IntegerRow) -> None:
    """See ``PickominoBoard.bust``."""
    seat = row[SEAT]
    flipped = 0
    if row[HEIGHTS + seat]:
        returned = pop(row, seat)
        row[GRILL] |= 1 << returned
        flipped = flipped_with(row, returned)
    elif row[FLIP]:
        flipped = 1 << highest(row[GRILL])
    row[GRILL] &= ~flipped
    row[FACEDOWN] |= flipped
    end_turn(row)


def flipped_with(row: IntegerRow, returned: int) -> int:
    """Return the tiles turned over once ``returned`` is back on the grill, see ``SHORT``."""
    grill = row[GRILL]
    back, top = 1 << returned, 1 << highest(grill)
    if row[SHORTER] == 0:
        return top & ~back
    if row[SHORTER] == 1:
        return top
    if row[SHORTER] == 3:
        return back
    other = highest(grill & ~back)
    return back | (1 << other) if other >= 0 else back


def end_turn(row: IntegerRow) -> None:
    """Go to the next seat's turn, or end the game."""
    if row[GRILL] and row[TURN] < CAP * row[SEATS]:
        row[SEAT] = (row[SEAT] + 1) % row[SEATS]
        row[TURN] += 1
        start_turn(row)
    else:
        clear_hand(row)
        row[PHASE] = OVER
        row[ACTOR] = -1
