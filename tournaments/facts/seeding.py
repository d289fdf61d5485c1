"""The order of those with whom a tournament begins."""

from collections.abc import Iterable, Mapping
from math import inf

from games.lots import lots_drawn


def first_seeds(luck: bytes, entries: Iterable[int], places: Mapping[int, int | None]) -> list[int]:
    """Return the ``entries``, the best seed first: by the ``places`` that they came with from a ladder, those without
    one after them, and equals by lot.

    >>> first_seeds(b"secret", [1, 2, 3], {}), first_seeds(b"secret", [1, 2, 3], {2: 1})
    ([3, 1, 2], [2, 3, 1])
    """
    return sorted(lots_drawn(luck, "seeding", entries), key=lambda entry: places.get(entry) or inf)
