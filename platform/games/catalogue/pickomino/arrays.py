"""Pickomino on a row of integers: the same rules as ``position`` and ``board`` for many games at once (sheet 004).

Tiles are counted from 0, the 21; faces as in ``games.chance.FACES``. See ``games.arrays`` for what is in every row.
"""

from collections.abc import Mapping
from typing import Any, Final

from games.arrays import ACTOR, SEATS, SETTINGS, WANTED, IntegerRow, lot
from games.catalogue.grill.tiles import LOWEST
from games.catalogue.pickomino.rules import LOWER_TILE, SHORT, STEAL, TURN_CAP

MANDATORY, ANY_LOWER, FLIP, SHORTER, DRAWN = range(SETTINGS, SETTINGS + 5)
SEAT, TURN, GRILL, FACEDOWN, PHASE, ROLLS, LEFT, TOTAL, DIE, ATTEMPT = range(DRAWN + 1, DRAWN + 11)
ASIDE: Final = ATTEMPT + 1  # six, by face
ROLLED: Final = ASIDE + 6  # six, by face
BLOCK: Final = ROLLED + 6  # the bytes of four rolls
HEIGHTS: Final = BLOCK + 64  # by seat
WORMS: Final = HEIGHTS + 7  # by seat
STACKS: Final = WORMS + 7  # by seat, from bottom to top

# The places of PickominoPhase.
STARTING, ROLLING, CHOOSING, DECIDING, STEALING, LOWERING, OVER = range(7)
TILES: Final = 16
DICE: Final = 8
FACES: Final = 6
WORM: Final = 5  # the face
ROLL, STEAL_IT, FIRST_TILE = 6, 8, 10  # numbers of actions; 0 to 5 take a face, 7 stops, 9 declines
FIRST: Final = LOWEST
CAP: Final = TURN_CAP
EVEN: Final = 252
TURNS: Final = 128  # more than a seat has: for codes of keys


def width(players: int) -> int:
    return STACKS + TILES * players


def settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    return (
        STEAL.index(options["steal"]),
        LOWER_TILE.index(options["lower_tile"]),
        int(options["flip_without_return"]),
        SHORT.index(options["short_variant"]),
        int(options["start"] == "random"),
    )


def key(code: int) -> str:
    if code < 0:
        return f"pick/start/{-code - 1}"
    rest, seat = divmod(code - 1, 8)
    rest, turn = divmod(rest, TURNS)
    attempt, page = divmod(rest, 2)
    return f"dice/{seat}/{turn}/{page}/{attempt}"


def begin(row: IntegerRow) -> None:
    row[GRILL] = (1 << TILES) - 1
    if row[DRAWN]:
        row[PHASE] = STARTING
        row[WANTED] = -1
    else:
        row[TURN] = 1
        start_turn(row)


def start_turn(row: IntegerRow) -> None:
    """Begin a turn before its first roll."""
    clear_hand(row)
    row[PHASE] = ROLLING
    want_dice(row, 0)


def clear_hand(row: IntegerRow) -> None:
    row[ASIDE:BLOCK] = 0
    row[ROLLS] = 0
    row[TOTAL] = 0
    row[DIE] = 0
    row[LEFT] = DICE


def want_dice(row: IntegerRow, attempt: int) -> None:
    """Ask for the block of this roll's dice, see ``games.chance.Dice``."""
    turn = (row[TURN] - 1) // row[SEATS]
    row[ATTEMPT] = attempt
    row[WANTED] = 1 + ((attempt * 2 + row[ROLLS] // 4) * TURNS + turn) * 8 + row[SEAT]


def deal(row: IntegerRow, block: Any) -> None:
    if row[PHASE] == STARTING:
        draw_start(row, block)
    elif row[ATTEMPT] == 0:
        row[BLOCK:HEIGHTS] = block
        throw(row)
    else:
        byte = block[16 * (row[ROLLS] % 4) + row[DIE]]
        if byte >= EVEN:
            want_dice(row, row[ATTEMPT] + 1)
        else:
            row[ROLLED + byte % FACES] += 1
            row[DIE] += 1
            throw(row)


def draw_start(row: IntegerRow, block: Any) -> None:
    seat = lot(block[0], row[SEATS])
    if seat < 0:
        row[WANTED] -= 1
    else:
        row[SEAT] = seat
        row[TURN] = 1
        start_turn(row)


def throw(row: IntegerRow) -> None:
    """Throw the dice from the next one on, up to one whose byte is not even."""
    row[WANTED] = 0
    first = BLOCK + 16 * (row[ROLLS] % 4)
    for die in range(row[DIE], row[LEFT]):
        byte = row[first + die]
        if byte >= EVEN:
            row[DIE] = die
            want_dice(row, 1)
            return
        row[ROLLED + byte % FACES] += 1
    row[DIE] = 0
    for face in range(FACES):
        if row[ROLLED + face] and not row[ASIDE + face]:
            ask(row, CHOOSING)
            return
    bust(row)


def ask(row: IntegerRow, phase: int) -> None:
    row[PHASE] = phase
    row[ACTOR] = row[SEAT]


def play(row: IntegerRow, action: int) -> None:
    phase = row[PHASE]
    if phase == CHOOSING:
        take_face(row, action)
    elif phase == DECIDING:
        if action == ROLL:
            roll_on(row)
        else:
            resolve(row)
    elif phase == STEALING:
        if action == STEAL_IT:
            steal(row)
        else:
            settle(row)
    else:
        take_tile(row, action - FIRST_TILE)


def take_face(row: IntegerRow, face: int) -> None:
    """Set aside all dice of a face; the turn ends by itself without dice or faces left."""
    number = row[ROLLED + face]
    row[ASIDE + face] = number
    row[LEFT] -= number
    row[TOTAL] += number * min(face + 1, 5)
    row[ROLLS] += 1
    row[ROLLED:BLOCK] = 0
    if row[LEFT] == 0 or row[ROLLS] == FACES:
        resolve(row)
    else:
        row[PHASE] = DECIDING


def roll_on(row: IntegerRow) -> None:
    row[PHASE] = ROLLING
    if row[ROLLS] % 4:
        row[ATTEMPT] = 0
        throw(row)
    else:
        want_dice(row, 0)


def resolve(row: IntegerRow) -> None:
    """See ``position.resolve``."""
    tile = row[TOTAL] - FIRST
    if not row[ASIDE + WORM]:
        bust(row)
    elif 0 <= tile < TILES and row[GRILL] >> tile & 1:
        take_tile(row, tile)
    elif rival_with(row, tile) < 0:
        settle(row)
    elif row[MANDATORY]:
        steal(row)
    else:
        ask(row, STEALING)


def rival_with(row: IntegerRow, tile: int) -> int:
    """Return the other seat whose top tile this is, or -1."""
    for seat in range(row[SEATS]):
        if seat != row[SEAT] and row[HEIGHTS + seat] and row[STACKS + TILES * seat + row[HEIGHTS + seat] - 1] == tile:
            return seat
    return -1


def settle(row: IntegerRow) -> None:
    """See ``position.settle``."""
    lower = lower_tiles(row)
    if not lower:
        bust(row)
    elif row[ANY_LOWER] and lower & (lower - 1):
        ask(row, LOWERING)
    else:
        take_tile(row, highest(lower))


def lower_tiles(row: IntegerRow) -> int:
    """Return the tiles on the grill below the total, as a bit mask."""
    below = min(max(row[TOTAL] - FIRST, 0), TILES)
    lower: int = row[GRILL] & ((1 << below) - 1)
    return lower


def highest(tiles: int) -> int:
    """Return the highest tile of a set, -1 if it is empty."""
    tile = TILES - 1
    while tile >= 0 and not tiles >> tile & 1:
        tile -= 1
    return tile


def push(row: IntegerRow, tile: int) -> None:
    """Lay a tile on the stack of the seat whose turn it is."""
    seat = row[SEAT]
    row[STACKS + TILES * seat + row[HEIGHTS + seat]] = tile
    row[HEIGHTS + seat] += 1
    row[WORMS + seat] += tile // 4 + 1


def pop(row: IntegerRow, seat: int) -> int:
    """Take the top tile of a stack that is not empty."""
    row[HEIGHTS + seat] -= 1
    tile: int = row[STACKS + TILES * seat + row[HEIGHTS + seat]]
    row[WORMS + seat] -= tile // 4 + 1
    return tile


def take_tile(row: IntegerRow, tile: int) -> None:
    row[GRILL] ^= 1 << tile
    push(row, tile)
    end_turn(row)


def steal(row: IntegerRow) -> None:
    push(row, pop(row, rival_with(row, row[TOTAL] - FIRST)))
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
