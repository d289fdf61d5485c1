"""What the keys mean that the views of the games at the grill share."""

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    "turn": "turns played so far, this one included",
    "grill": "tiles lying face up, the lowest first",
    "facedown": "tiles turned over for good",
    "stacks": "the tiles of each seat, the top one last: only that one can be stolen",
    "worms": "the worms of each seat, as they count at the end",
    "aside": "dice set aside in this turn",
    "aside.*": "how many dice with this face; W is the worm, worth 5",
    "sum": "what the dice set aside are worth together",
    "dice_left": "dice that are still to be thrown",
    "rolled": "the dice just thrown; empty when there is nothing to choose from",
    "last": "how the turn before ended; null in the first",
    "last.event": "take a tile from the grill, steal one, or bust",
    "last.why": "what a failed turn lacked: a new face, a worm or a tile; empty if it did not fail",
    "last.seat": "whose turn it was",
    "last.aside": "the dice that were set aside",
    "last.aside.*": "how many dice with this face",
    "last.rolled": "the roll without a new face, where that was why",
    "last.total": "what the dice set aside were worth",
    "last.tile": "the tile that was taken or stolen; null after a bust",
    "last.from": "the seat it was stolen from, or null",
    "last.returned": "the tile that went back to the grill, or null",
}
