"""What is in the box, and where each fact comes from.

Printed on sheet 001: the numbers of the 18 tiles, eight white dice, seven bratworms worth one worm each, six
specialists with the tiles they start on, an apple worth three worms.

Not printed, taken from the tiles of sheet 004 and its editions: the worms on 21 to 36. From two reviews that agree: one
worm each on 11 and 13; ones and worms only on the golden die. Assumed, no source found: three of each. The option
``golden_die_faces`` sets others.
"""

from typing import Final

from games.catalogue.grill.tiles import HIGHEST, LOWEST, SPECIAL, mask_of

LOW_TILES: Final = SPECIAL  # to be had by their exact total only, and never stolen
TILES: Final = (*LOW_TILES, *range(LOWEST, HIGHEST + 1))
ALL_TILES: Final = mask_of(TILES)
BRATWORMS: Final = 7
APPLE_WORMS: Final = 3
CANNED_POINTS: Final = 5
GOLDEN_FACES: Final = ("1", "1", "1", "W", "W", "W")

SPECIALISTS: Final = ("canned_worm", "hen", "raven", "weasel", "golden_die", "apple")
CANNED_WORM, HEN, RAVEN, WEASEL, GOLDEN_DIE, APPLE = range(6)
SET_UP: Final = (11, 21, 23, 25, 27, 29)  # where each stands at first

# Where a specialist is: a tile's number, the seat that has it (0 to 6), or out of the game.
OUT: Final = -1
NOBODY: Final = -1
