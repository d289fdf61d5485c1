"""What the keys of Pickomino's views mean."""

from collections.abc import Mapping
from typing import Final

from games.catalogue.grill.meanings import MEANINGS as OF_THE_GRILL

MEANINGS: Final[Mapping[str, str]] = {
    **OF_THE_GRILL,
    "phase": "choose a face, decide between rolling on and stopping, steal or not, lower: which tile to take",
    "last.flipped": "tiles that were turned over for good",
}
