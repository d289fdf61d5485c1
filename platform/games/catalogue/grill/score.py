"""Places and the tie-break: most worms, then the highest single tile."""

from collections.abc import Sequence
from functools import lru_cache

from games.catalogue.grill.tiles import Stacks, worms
from games.state import Outcome


@lru_cache(maxsize=1 << 12)
def stack_worms(stack: tuple[int, ...]) -> int:
    """Return the worms on the tiles of a stack."""
    return sum(map(worms, stack))


def ranked(points: Sequence[int], stacks: Stacks, reason: str) -> Outcome:
    """Return places by worms, here the ``points``; among equals the highest single tile is better, and seats without
    tiles share.
    """
    merits = [(own, max(stack, default=0)) for own, stack in zip(points, stacks, strict=True)]
    places = tuple(1 + sum(other > own for other in merits) for own in merits)
    broken = len(set(merits)) > len(set(points))
    return Outcome(tuple(points), places, reason, "highest_tile" if broken else "")
