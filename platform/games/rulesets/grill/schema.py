"""Pieces of the JSON schemas of views."""

from typing import Any, Final

from games.chance import FACES


def record(**properties: Any) -> dict[str, Any]:
    """An object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def number(least: int, most: int | None = None) -> dict[str, Any]:
    bounds = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return {"type": "integer", **bounds}


def tiles(tile: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": tile, "uniqueItems": True}


def rolled(dice: int) -> dict[str, Any]:
    return {"type": "array", "items": {"enum": list(FACES)}, "maxItems": dice}


def aside(dice: int) -> dict[str, Any]:
    return record(**{face: number(0, dice) for face in FACES})


SEAT: Final = number(0, 6)
ACTIONS: Final = {"type": "array", "items": {"type": "string"}, "uniqueItems": True}
