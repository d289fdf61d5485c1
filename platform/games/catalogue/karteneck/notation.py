"""What a player may do, in words.

- ``play 2x3`` lays down two of the number 3.
- Worms have tags, so every choice of them is a different one. It is made worm by worm, by rising tag: ``play W7``, then
  ``also W9``, ``also W20``, and at last ``done``. Each set of worms can be said in exactly one way, and as ``done`` is
  always said, nothing tells the others whether more could have been played.
- ``pass``; and ``steal``, which is to pass and take the portion that equals the total.
"""

from functools import lru_cache
from typing import Final

from games.catalogue.karteneck.cards import CARDS_EACH, NUMBERS, ONE, TAGS, Pile, many, tags

PASS, STEAL, DONE = "pass", "steal", "done"
PLAYED: Final[dict[str, Pile]] = {
    f"play {count}x{face}": count * ONE[face] for face in NUMBERS for count in range(1, CARDS_EACH + 1)
} | {f"{verb} W{tag}": ONE[f"W{tag}"] for verb in ("play", "also") for tag in TAGS}  # what goes to the display
_COUNTED: Final = {face: [f"play {count}x{face}" for count in range(1, CARDS_EACH + 1)] for face in NUMBERS}
VOCABULARY: Final = (PASS, STEAL, *(one for one in PLAYED if one != f"also W{TAGS[0]}"), DONE)


@lru_cache(maxsize=1 << 12)  # the player, the table and the view call it with the same arguments
def plays(hand: Pile, display: Pile) -> tuple[str, ...]:
    """Return every play of one or more cards of a type that is not on the display; of worms the first one."""
    found: list[str] = []
    for face in NUMBERS:
        if not many(display, face):
            found += _COUNTED[face][: many(hand, face)]
    if not many(display, "W"):
        found += [f"play W{tag}" for tag in tags(hand)]
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def more_worms(hand: Pile, tag: int) -> tuple[str, ...]:
    """Return how a play of worms goes on after the one with ``tag``."""
    return (*[f"also W{one}" for one in tags(hand) if one > tag], DONE)
