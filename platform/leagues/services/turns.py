"""Ladders take turns to be fitted, so that a large one delays neither the others nor the books for long."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.core.cache import caches

LARGE: Final = 1000  # entries, replaced versions included: a fit of more takes many seconds
LEAST: Final = 20.0  # seconds after which the turn of a process that was killed is another's
FOR_AN_ENTRY: Final = 0.05  # and so many more for each entry


@contextmanager
def turn_to_fit(*, season_id: int, entries: int) -> Iterator[bool]:
    """Yield whether this process may fit the ladder of so many ``entries`` now: no other one fits it, and no other
    large one if it is large. A fit that takes longer than its turn may be done twice: of two, one is written.
    """
    key = f"ladder-turn/{'large' if entries > LARGE else season_id}"
    mine = caches["optional"].add(key, 1, LEAST + FOR_AN_ENTRY * entries)
    try:
        yield mine
    finally:
        if mine:
            caches["optional"].delete(key)
