"""What the views of the games at the grill share, for their JSON schemas."""

from typing import Any

from games.chance import FACES
from games.schema import COUNT, distinct, for_each_seat, number, or_null, record, seat

WHY = ("", "no_face", "no_worm", "no_tile")  # what was missing in a turn that failed


def on_the_table(tile: dict[str, Any], seats: range) -> dict[str, Any]:
    """See ``view.on_the_table``."""
    tiles = distinct(tile)
    return {"turn": COUNT, "grill": tiles, "facedown": tiles, "stacks": for_each_seat(tiles, seats)}


def in_hand(dice: int) -> dict[str, Any]:
    """See ``view.in_hand``."""
    return {"aside": aside(dice), "sum": number(0, 5 * dice), "dice_left": number(0, dice)}


def ending(
    tile: dict[str, Any], dice: int, seats: range, why: tuple[str, ...] = WHY, **properties: dict[str, Any]
) -> dict[str, Any]:
    """See ``view.ending``."""
    return record(
        **{
            "event": {"enum": ["take", "steal", "bust"]},
            "why": {"enum": list(why)},
            "seat": seat(seats),
            "aside": aside(dice),
            "rolled": rolled(dice),
            "total": number(0, 5 * dice),
            "tile": or_null(tile),
            "from": or_null(seat(seats)),
            "returned": or_null(tile),
        },
        **properties,
    )


def aside(dice: int) -> dict[str, Any]:
    return record(**{face: number(0, dice) for face in FACES})


def rolled(dice: int) -> dict[str, Any]:
    return {"type": "array", "items": {"enum": list(FACES)}, "maxItems": dice}
