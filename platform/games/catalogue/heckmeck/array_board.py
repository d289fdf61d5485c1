"""The table of Heckmeck on a row of integers; ``board`` has the same rules for a single game.

Each specialist is at a seat, on a tile (numbered from ``ON_TILES``), or out of the game.
"""

from collections.abc import Mapping
from typing import Any, Final

from games import chance
from games.catalogue.grill.arrays import (
    ASIDE,
    FACEDOWN,
    GRILL,
    HEIGHTS,
    LOW,
    OWN,
    SEAT,
    STACKS,
    TILES,
    TOTAL,
    WORM,
    grill_array_highest,
    grill_array_on_grill,
    grill_array_pop,
)
from games.catalogue.heckmeck.rules import (
    CANNED_POINTS,
    HEN,
    NOBODY,
    OUT,
    RAVEN,
    TURN_CAP,
    WEASEL,
)
from games.in_numbers import SETTINGS, IntegerRow

MANDATORY, FAILING, ALWAYS, ASKED_CANNED, IGNORING, ONE_LOW, DRAWN = range(SETTINGS, SETTINGS + 7)
SIDE: Final = DRAWN + 1  # six integers: the faces of the golden die
# The face that the golden die shows, and the roll that the weasel threw again, are stored plus 1.
SUPPLY, SHOWN, RETHROWN, OFFER = range(OWN, OWN + 4)
BRATWORMS_OF: Final = OFFER + 1  # by seat
PLACES: Final = BRATWORMS_OF + 7  # by specialist

# The indexes of HeckmeckPhase.
STARTING, USING, ROLLING, CHOOSING, DOUBLING, DECIDING, CANNING, STEALING, RAVENING, KEEPING, OVER = range(11)
# Numbers of actions. 0 to 5 take a face, 7 stops, 9 declines. An odd number declines what the number before it uses.
ROLL_ON, STEAL_IT, USE_GOLDEN, USE_WEASEL, LEAVE_WEASEL, USE_CANNED, KEEP, GIVE = 6, 8, 10, 12, 13, 14, 16, 21
SPECIALISTS: Final = 6
ON_TILES: Final = 8
CAP: Final = TURN_CAP
ALL_TILES: Final = (1 << TILES) - 1
BOTH_LOW: Final = (1 << LOW) - 1


def heckmeck_array_board_settings(options: Mapping[str, Any]) -> tuple[int, ...]:
    return (
        int(options["steal"] == "mandatory"),
        int(options["steal"] == "optional_or_fail"),
        int(options["golden_die_use"] == "always"),
        int(options["canned"] == "choice"),
        int(options["end_ignores_11_13"]),
        int(options["low_tiles_one_per_player"]),
        int(options["start"] == "random"),
        *(chance.FACES.index(face) for face in options["golden_die_faces"]),
    )


def heckmeck_array_board_has(row: IntegerRow, specialist: int) -> bool:
    return bool(row[PLACES + specialist] == row[SEAT])


def heckmeck_array_board_at_place(row: IntegerRow, place: int) -> int:
    """Return the specialist at this place, like ``HeckmeckBoard.at``."""
    for specialist in range(SPECIALISTS):
        if row[PLACES + specialist] == place:
            return specialist
    return NOBODY


def heckmeck_array_board_weasel_ready(row: IntegerRow) -> bool:
    return heckmeck_array_board_has(row, WEASEL) and row[RETHROWN] == 0


def heckmeck_array_board_may_give(row: IntegerRow, seat: int) -> bool:
    """Tell whether the seat may give a bratworm, see ``HeckmeckBoard.bratworm_givers``."""
    return bool(row[BRATWORMS_OF + seat] and seat != row[SEAT] and seat != row[PLACES + HEN])


def heckmeck_array_board_give_bratworm(row: IntegerRow, giver: int) -> None:
    row[BRATWORMS_OF + row[SEAT]] += 1
    row[SUPPLY if giver == NOBODY else BRATWORMS_OF + giver] -= 1


def heckmeck_array_board_worth(row: IntegerRow) -> int:
    """Return the total of the turn, like ``position.heckmeck_position_total_of``."""
    total: int = row[TOTAL] if row[ASIDE + WORM] else row[TOTAL] + CANNED_POINTS
    return total


def heckmeck_array_board_may_take(row: IntegerRow, tile: int) -> bool:
    """Tell whether the seat may take the tile, like ``HeckmeckBoard.may_take``."""
    if not grill_array_on_grill(row, tile):
        return False
    if tile < LOW and row[ONE_LOW]:
        first = STACKS + TILES * row[SEAT]
        for place in range(first, first + row[HEIGHTS + row[SEAT]]):
            if row[place] < LOW:
                return False
    return True


def heckmeck_array_board_keep_action(specialist: int) -> int:
    """Return the action that keeps this specialist. The raven has none."""
    return KEEP + specialist - (1 if specialist > RAVEN else 0)


def heckmeck_array_board_put(row: IntegerRow, specialist: int) -> None:
    """Put the specialist on the grill, like ``HeckmeckBoard.place``."""
    free = row[GRILL]
    for other in range(SPECIALISTS):
        if row[PLACES + other] >= ON_TILES:
            free &= ~(1 << row[PLACES + other] - ON_TILES)
    row[PLACES + specialist] = OUT
    for tile in range(TILES):
        if free >> tile & 1:
            row[PLACES + specialist] = ON_TILES + tile
            return


def heckmeck_array_board_put_back(row: IntegerRow) -> None:
    """Put back what a failed turn costs, like ``HeckmeckBoard.bust``."""
    seat = row[SEAT]
    own, stack, displaced = heckmeck_array_board_at_place(row, seat), row[HEIGHTS + seat] > 0, NOBODY
    if own == HEN:
        if stack:
            heckmeck_array_board_put(row, HEN)
        return
    if stack:
        returned = grill_array_pop(row, seat)
        row[GRILL] |= 1 << returned
        flipped = grill_array_highest(row[GRILL])
        if flipped != returned:
            displaced = heckmeck_array_board_at_place(row, ON_TILES + flipped)
            row[GRILL] ^= 1 << flipped
            row[FACEDOWN] |= 1 << flipped
    if own != NOBODY:
        heckmeck_array_board_put(row, own)
    if displaced != NOBODY:
        heckmeck_array_board_put(row, displaced)
