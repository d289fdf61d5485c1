"""Places within categories of entrants, from ranks of the whole: nothing is computed a second time."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from typing import NamedTuple


class CategoryPlace(NamedTuple):
    """An entrant's ``rank`` among those of its ``category``, from 1; ``is_shared`` with others of it."""

    category: str
    rank: int
    is_shared: bool


def category_places(ranks: Iterable[tuple[int, int]], categories: Mapping[int, str]) -> dict[int, CategoryPlace]:
    """Return the place of each entrant that has one of the ``categories``. ``ranks``: entrants with their ranks in the
    whole, the best first; who shares a rank there shares it here.

    >>> found = category_places([(7, 1), (8, 2), (9, 2), (5, 4)], {7: "old", 8: "young", 9: "young", 5: "young"})
    >>> [(entrant, place.rank, place.is_shared) for entrant, place in found.items()]
    [(7, 1, False), (8, 1, True), (9, 1, True), (5, 3, False)]
    """
    met: dict[str, list[tuple[int, int]]] = {}  # of each category: the entrants with their ranks in the whole
    for entrant, rank in ranks:
        if category := categories.get(entrant):
            met.setdefault(category, []).append((entrant, rank))
    places: dict[int, CategoryPlace] = {}
    for category, members in met.items():
        known = [rank for _entrant, rank in members]
        for entrant, rank in members:
            before, through = bisect_left(known, rank), bisect_right(known, rank)
            places[entrant] = CategoryPlace(category, before + 1, through - before > 1)
    return places
