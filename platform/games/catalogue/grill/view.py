"""What a player sees in Pickomino and Heckmeck: parts of the view, their JSON schema, and the meanings of the keys."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

from games.catalogue.grill.aside import Aside
from games.catalogue.grill.tiles import Stacks, tiles_listed
from games.chance import FACES
from games.schema import COUNT, distinct, for_each_seat, number, or_null, record, seat

MEANINGS: Final[Mapping[str, str]] = {
    "turn": "turns played so far, this one included",
    "grill": "tiles lying face up, the lowest first",
    "facedown": "tiles turned face down for the rest of the game",
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


WHY = ("", "no_face", "no_worm", "no_tile")  # what was missing in a failed turn


def grill_view_table_schema(tile: dict[str, Any], seats: range) -> dict[str, Any]:
    """Return the schema of ``grill_view_table``."""
    tiles = distinct(tile)
    return {"turn": COUNT, "grill": tiles, "facedown": tiles, "stacks": for_each_seat(tiles, seats)}


def grill_view_hand_schema(dice: int) -> dict[str, Any]:
    """Return the schema of ``grill_view_hand``."""
    return {"aside": grill_view_aside_schema(dice), "sum": number(0, 5 * dice), "dice_left": number(0, dice)}


def grill_view_ending_schema(
    tile: dict[str, Any], dice: int, seats: range, why: tuple[str, ...] = WHY, **properties: dict[str, Any]
) -> dict[str, Any]:
    """Return the schema of ``grill_view_ending``."""
    return record(
        **{
            "event": {"enum": ["take", "steal", "bust"]},
            "why": {"enum": list(why)},
            "seat": seat(seats),
            "aside": grill_view_aside_schema(dice),
            "rolled": grill_view_rolled_schema(dice),
            "total": number(0, 5 * dice),
            "tile": or_null(tile),
            "from": or_null(seat(seats)),
            "returned": or_null(tile),
        },
        **properties,
    )


def grill_view_aside_schema(dice: int) -> dict[str, Any]:
    return record(**{face: number(0, dice) for face in FACES})


def grill_view_rolled_schema(dice: int) -> dict[str, Any]:
    return {"type": "array", "items": {"enum": list(FACES)}, "maxItems": dice}


class GrillTable(Protocol):
    """The parts of the table that both games have."""

    @property
    def turn(self) -> int: ...
    @property
    def grill(self) -> int: ...
    @property
    def facedown(self) -> int: ...
    @property
    def stacks(self) -> Stacks: ...


class Ended(Protocol):
    """The parts of a turn's ending that both games have."""

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


def grill_view_table(table: GrillTable) -> dict[str, Any]:
    return {
        "turn": table.turn,
        "grill": tiles_listed(table.grill),
        "facedown": tiles_listed(table.facedown),
        "stacks": [list(stack) for stack in table.stacks],
    }


def grill_view_hand(aside: Aside) -> dict[str, Any]:
    return {"aside": grill_view_by_face(aside.counts), "sum": aside.total, "dice_left": aside.left}


def grill_view_ending(ended: Ended, counts: Sequence[int], rolled: list[str]) -> dict[str, Any]:
    """Return the ending of a turn for a view. ``counts`` are the dice set aside. ``rolled`` is the roll without a new
    face, or empty.
    """
    return {
        "event": ended.event,
        "why": ended.why,
        "seat": ended.seat,
        "aside": grill_view_by_face(counts),
        "rolled": rolled,
        "total": ended.total,
        "tile": ended.tile or None,
        "from": None if ended.victim < 0 else ended.victim,
        "returned": ended.returned or None,
    }


def grill_view_by_face(counts: Sequence[int]) -> dict[str, int]:
    """Return the number of dice of each face in a new dictionary."""
    return {**_by_face(tuple(counts))}


@lru_cache(maxsize=1 << 12)
def _by_face(counts: tuple[int, ...]) -> dict[str, int]:
    return dict(zip(FACES, counts, strict=True))
