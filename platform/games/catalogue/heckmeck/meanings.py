"""What the keys of Heckmeck's views mean."""

from collections.abc import Mapping
from typing import Final

from games.catalogue.grill.meanings import MEANINGS as OF_THE_GRILL

MEANINGS: Final[Mapping[str, str]] = {
    **OF_THE_GRILL,
    "phase": "what is to be done now, such as choose a face, or decide between rolling on and stopping",
    "specialists": "where each specialist is",
    "specialists.*": "on a tile of the grill, with a seat, or out of the game",
    "supply": "bratworms that nobody has yet",
    "bratworms": "the bratworms of each seat",
    "golden_die": "the face of the golden die in this turn, left if it is still to be thrown, or null without it",
    "weasel_ready": "whether the player to act has the weasel and may still throw a roll again in this turn",
    "last": "the last take, theft or bust: of the turn before, or of this one while the phase is keep or raven",
    "last.why": "what a failed turn lacked: a new face, a worm or a tile; declined, if it was the will to steal",
    "last.golden_die": "the golden die of that turn, or null",
    "last.flipped": "the tile that was turned over for good, or null",
    "last.moved": "specialists that moved",
    "last.moved[].specialist": "which one",
    "last.moved[].from": "where it was",
    "last.moved[].to": "where it is now",
}
