"""Places and the tie-break: most worms, then the highest single tile."""

from collections.abc import Sequence

from games.catalogue.grill.tiles import Stacks
from games.state import Outcome


def ranked(worms: Sequence[int], stacks: Stacks, reason: str) -> Outcome:
    """Return places by worms; among equals the highest single tile is better, and seats without tiles share."""
    merits = [(own, max(stack, default=0)) for own, stack in zip(worms, stacks, strict=True)]
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(worms))
    return Outcome(tuple(worms), places, reason, "highest_tile" if broken else "")
