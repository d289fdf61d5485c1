"""What the views of the games at the grill share."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

from games.catalogue.grill.aside import Aside
from games.catalogue.grill.tiles import Stacks, tiles
from games.chance import FACES


class GrillTable(Protocol):
    """What lies on the table, as far as both games know it."""

    @property
    def turn(self) -> int: ...
    @property
    def grill(self) -> int: ...
    @property
    def facedown(self) -> int: ...
    @property
    def stacks(self) -> Stacks: ...


class Ended(Protocol):
    """How a turn ended, as far as both games know it."""

    @property
    def event(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def seat(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def tile(self) -> int: ...
    @property
    def victim(self) -> int: ...
    @property
    def returned(self) -> int: ...


def on_the_table(table: GrillTable) -> dict[str, Any]:
    return {
        "turn": table.turn,
        "grill": tiles(table.grill),
        "facedown": tiles(table.facedown),
        "stacks": [list(stack) for stack in table.stacks],
    }


def in_hand(aside: Aside) -> dict[str, Any]:
    return {"aside": by_face(aside.counts), "sum": aside.total, "dice_left": aside.left}


def ending(ended: Ended, counts: Sequence[int], rolled: list[str]) -> dict[str, Any]:
    """Return the ending as views have it: ``counts`` of the dice set aside; ``rolled`` shows no new face, or is
    empty.
    """
    return {
        "event": ended.event,
        "why": ended.why,
        "seat": ended.seat,
        "aside": by_face(counts),
        "rolled": rolled,
        "total": ended.total,
        "tile": ended.tile or None,
        "from": None if ended.victim < 0 else ended.victim,
        "returned": ended.returned or None,
    }


def by_face(counts: Sequence[int]) -> dict[str, int]:
    """Return how many dice of each face; a dictionary of the caller's own."""
    return {**_by_face(tuple(counts))}


@lru_cache(maxsize=1 << 12)
def _by_face(counts: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(FACES, counts, strict=True))
