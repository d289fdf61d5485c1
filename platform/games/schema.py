"""JSON schemas of views, in pieces."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from games.meanings import OF_ALL_GAMES, with_meanings
from games.ruleset import Option


def view_schema(
    title: str,
    game: str,
    options: Mapping[str, Option],
    seats: range,
    meanings: Mapping[str, str] = MappingProxyType({}),
    **properties: dict[str, Any],
) -> dict[str, Any]:
    """Return the schema of every view of ``game``, a ruleset's id: what the views of all games have, and
    ``properties``. ``meanings``: of each key of the game's own, see ``games.meanings``.
    """
    whole = record(
        game={"const": game},
        options=record(**{name: dict(option.schema()) for name, option in options.items()}),
        you=or_null(seat(seats)),
        players=number(seats[0], seats[-1]),
        actor=number(-1, seats[-1] - 1),
        **properties,
        actions=distinct({"type": "string"}),
    )
    described = with_meanings(whole, {**OF_ALL_GAMES, **meanings})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{title}, one view"} | described


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return an object with exactly these keys."""
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


def seat(seats: range) -> dict[str, Any]:
    """Return the schema of a seat at any table, for so many players."""
    return number(0, seats[-1] - 1)


def listed(items: dict[str, Any], least: int = 0, most: int | None = None) -> dict[str, Any]:
    return {"type": "array", "items": items, "minItems": least} | ({} if most is None else {"maxItems": most})


def for_each_seat(items: dict[str, Any], seats: range) -> dict[str, Any]:
    """Return the schema of a list with an entry for each seat."""
    return listed(items, seats[0], seats[-1])


def distinct(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items, "uniqueItems": True}


COUNT: Final = number(0)
