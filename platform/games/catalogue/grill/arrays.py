"""Pickomino and Heckmeck on rows of integers: the parts of rules and observations that both games share."""

from typing import Any, Final

from games.catalogue.grill.tiles import HIGHEST, LOWEST, SPECIAL
from games.in_numbers import ACTOR, SEATS, SETTINGS, WANTED, IntegerRow, numbers_lot, numbers_place_by

# A game has at most 16 settings.
SEAT, TURN, GRILL, FACEDOWN, PHASE, ROLLS, LEFT, TOTAL = range(SETTINGS + 16, SETTINGS + 24)
ROLL, HELD, DIE, KIND, ATTEMPT, GOLDEN = range(TOTAL + 1, TOTAL + 7)  # HELD: 1 + the page in BLOCK
ASIDE: Final = GOLDEN + 1  # six, by face
ROLLED: Final = ASIDE + 6  # six, by face
BLOCK: Final = ROLLED + 6  # the bytes for four rolls
HEIGHTS: Final = BLOCK + 64  # by seat
WORMS: Final = HEIGHTS + 7  # by seat, worms on tiles
OWN: Final = WORMS + 7  # 20 integers for the game's own use
STACKS: Final = OWN + 20  # by seat, from bottom to top

LOW: Final = len(SPECIAL)
TILES: Final = LOW + HIGHEST - LOWEST + 1
FIRST: Final = LOWEST
FIRST_LOW, SECOND_LOW = SPECIAL
DICE: Final = 8
FACES: Final = 6
WORM: Final = 5  # the face
LEFT_GOLDEN: Final = 7  # value of GOLDEN: the die is not yet set aside. 0: there is none. Otherwise 1 + its face
EVEN: Final = 252
TURNS: Final = 128  # more turns than a seat has; used in the codes of keys
DICE_KEY, GOLDEN_KEY, START_KEY = range(3)


def grill_array_width(players: int) -> int:
    return STACKS + TILES * players


def grill_array_key(code: int) -> str:
    rest, seat = divmod(code - 1, 8)
    rest, turn = divmod(rest, TURNS)
    rest, kind = divmod(rest, 3)
    attempt, number = divmod(rest, 16)
    if kind == START_KEY:
        return f"pick/start/{attempt}"
    return f"{'golden' if kind == GOLDEN_KEY else 'dice'}/{seat}/{turn}/{number}/{attempt}"


def grill_array_want(row: IntegerRow, kind: int, attempt: int) -> None:
    """Request the block for the start player, for this roll's dice or for its golden die."""
    turn = max(row[TURN] - 1, 0) // row[SEATS]
    number = row[ROLL] // 4 if kind == DICE_KEY else row[ROLL]
    row[KIND] = kind
    row[ATTEMPT] = attempt
    row[WANTED] = 1 + (((attempt * 16 + number) * 3 + kind) * TURNS + turn) * 8 + row[SEAT]


def grill_array_start_drawn(row: IntegerRow, block: Any) -> bool:
    """Draw the start player from the block; return False if another block is needed."""
    seat = numbers_lot(block[0], row[SEATS])
    if seat < 0:
        grill_array_want(row, START_KEY, row[ATTEMPT] + 1)
        return False
    row[WANTED] = 0
    row[SEAT] = seat
    row[TURN] = 1
    return True


def grill_array_clear_hand(row: IntegerRow) -> None:
    row[ROLLS] = 0
    row[LEFT] = DICE
    row[TOTAL] = 0
    row[ROLL] = 0
    row[HELD] = 0
    row[GOLDEN] = 0
    row[ASIDE:BLOCK] = 0


def grill_array_roll(row: IntegerRow) -> bool:
    """Roll the remaining white dice, see ``games.chance.Dice``. Return False if a block is needed first."""
    row[ROLLED:BLOCK] = 0
    row[DIE] = 0
    if row[HELD] == 1 + row[ROLL] // 4:
        return grill_array_throw(row)
    grill_array_want(row, DICE_KEY, 0)
    return False


def grill_array_dice_dealt(row: IntegerRow, block: Any) -> bool:
    """Continue a roll with the requested block; see ``grill_array_roll``."""
    if row[ATTEMPT] == 0:
        row[BLOCK:HEIGHTS] = block
        row[HELD] = 1 + row[ROLL] // 4
        return grill_array_throw(row)
    byte = block[16 * (row[ROLL] % 4) + row[DIE]]
    if byte >= EVEN:
        grill_array_want(row, DICE_KEY, row[ATTEMPT] + 1)
        return False
    row[ROLLED + byte % FACES] += 1
    row[DIE] += 1
    return grill_array_throw(row)


def grill_array_throw(row: IntegerRow) -> bool:
    """Roll the dice from the next one on. Stop at a die whose byte is rejected, request another block and
    return False.
    """
    row[WANTED] = 0
    first = BLOCK + 16 * (row[ROLL] % 4)
    for die in range(row[DIE], row[LEFT] - (row[GOLDEN] == LEFT_GOLDEN)):
        byte = row[first + die]
        if byte >= EVEN:
            row[DIE] = die
            grill_array_want(row, DICE_KEY, 1)
            return False
        row[ROLLED + byte % FACES] += 1
    return True


def grill_array_shows_new(row: IntegerRow) -> bool:
    """Tell whether the roll shows a face that can be set aside."""
    new = 0
    for face in range(FACES):
        new += row[ROLLED + face] > 0 and row[ASIDE + face] == 0
    return new > 0


def grill_array_set_aside(row: IntegerRow, face: int) -> None:
    """Set aside all dice of a face."""
    number = row[ROLLED + face]
    row[ASIDE + face] = number
    row[LEFT] -= number
    row[TOTAL] += number * min(face + 1, 5)
    row[ROLLS] += 1
    row[ROLL] = row[ROLLS]
    row[ROLLED:BLOCK] = 0


def grill_array_full(row: IntegerRow) -> bool:
    """Tell whether the turn ends by itself because no dice or no faces are left."""
    return bool(row[LEFT] == 0 or row[ROLLS] == FACES)


def grill_array_set_phase(row: IntegerRow, phase: int) -> None:
    row[PHASE] = phase
    row[ACTOR] = row[SEAT]


def grill_array_tile_of(total: int) -> int:
    """Return the index of the tile with this number, -1 if there is none."""
    if total >= FIRST:
        return total - FIRST + LOW if total <= HIGHEST else -1
    if total == FIRST_LOW:
        return 0
    return 1 if total == SECOND_LOW else -1


def grill_array_on_grill(row: IntegerRow, tile: int) -> bool:
    return tile >= 0 and row[GRILL] >> tile & 1 == 1


def grill_array_rival_with(row: IntegerRow, tile: int) -> int:
    """Return the other seat that has this tile on top, or -1."""
    for seat in range(row[SEATS]):
        if seat != row[SEAT] and row[HEIGHTS + seat] and row[STACKS + TILES * seat + row[HEIGHTS + seat] - 1] == tile:
            return seat
    return -1


def grill_array_lower_tiles(row: IntegerRow, total: int) -> int:
    """Return the tiles on the grill below a total, without 11 and 13, as a bit mask."""
    below = min(max(total - FIRST, 0), TILES - LOW)
    lower: int = row[GRILL] & ((1 << below) - 1) << LOW
    return lower


def grill_array_highest(tiles: int) -> int:
    """Return the highest tile of a set, -1 if it is empty."""
    tile = TILES - 1
    while tile >= 0 and not tiles >> tile & 1:
        tile -= 1
    return tile


def grill_array_worms_on(tile: int) -> int:
    return 1 if tile < LOW else (tile - LOW) // 4 + 1


def grill_array_push(row: IntegerRow, tile: int) -> None:
    """Put a tile on the stack of the seat whose turn it is."""
    seat = row[SEAT]
    row[STACKS + TILES * seat + row[HEIGHTS + seat]] = tile
    row[HEIGHTS + seat] += 1
    row[WORMS + seat] += grill_array_worms_on(tile)


def grill_array_pop(row: IntegerRow, seat: int) -> int:
    """Remove and return the top tile of a stack that is not empty."""
    row[HEIGHTS + seat] -= 1
    tile: int = row[STACKS + TILES * seat + row[HEIGHTS + seat]]
    row[WORMS + seat] -= grill_array_worms_on(tile)
    return tile


def grill_array_allow_faces(row: IntegerRow, mask: Any) -> None:
    for face in range(FACES):
        mask[face] = row[ROLLED + face] > 0 and row[ASIDE + face] == 0


def grill_array_write_table(row: IntegerRow, seat: int, phases: int, cap: int, lowest: int, floats: Any) -> int:
    """Write the observation from the phase to the stacks, for the tiles from ``lowest`` on; return the next index.

    ``cap`` is the number of turns that a seat has.
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


def grill_array_write_dice(row: IntegerRow, dice: int, most: int, floats: Any, at: int) -> None:
    """Write the dice set aside as fractions of ``dice``, and those of the roll as fractions of ``most``."""
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
