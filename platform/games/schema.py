"""Build JSON schemas of views, and describe the keys of views. ``ViewRules`` is what the views of all games need.

A meaning is one English sentence, stored in the schema as a description. Keys are paths: ``last.seat`` is the key
``seat`` of the object ``last``, ``menu[].tag`` the key ``tag`` of each object in the list ``menu``. If the keys of an
object are data, such as the faces of dice, ``*`` stands for all of them.
"""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, Protocol

from games.ruleset import Option
from games.state import State

OF_ALL_GAMES: Final[Mapping[str, str]] = {
    "game": "the game and the version of its rules",
    "options": "how the game is played, by the names of its options",
    "you": "your seat, from 0; null for spectators",
    "players": "how many seats there are",
    "actor": "the seat whose turn it is; -1 for chance, and after the end",
    "actions": "what you may answer now, exactly as it stands here; empty when it is not your turn",
}


def schema_with_meanings(schema: Mapping[str, Any], meanings: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """Return the schema with the meaning of each key as its description, for the keys in ``meanings``."""
    described = dict(schema)
    if "anyOf" in described:
        described["anyOf"] = [schema_with_meanings(one, meanings, path) for one in described["anyOf"]]
    if "items" in described:
        described["items"] = schema_with_meanings(described["items"], meanings, f"{path}[]")
    if "properties" in described:
        described["properties"] = {
            key: _described(one, meanings, f"{path}.{key}".lstrip("."), f"{path}.*".lstrip("."))
            for key, one in described["properties"].items()
        }
    return described


def schema_keys(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the path of every key of a schema with the key's meaning, "" if it has none. Keys inside ``options`` are
    left out, because options are described elsewhere. Keys that are data are left out too.
    """
    for one in schema.get("anyOf", ()):
        yield from schema_keys(one, path)
    if "items" in schema:
        yield from schema_keys(schema["items"], f"{path}[]")
    for key, one in schema.get("properties", {}).items():
        inner = f"{path}.{key}".lstrip(".")
        yield inner, one.get("description", "")
        if inner != "options":
            yield from schema_keys(one, inner)


def _described(schema: Mapping[str, Any], meanings: Mapping[str, str], path: str, any_: str) -> dict[str, Any]:
    described = schema_with_meanings(schema, meanings, path)
    meaning = meanings.get(path) or meanings.get(any_)
    return described | {"description": meaning} if meaning else described


def described(schema: Mapping[str, Any], meaning: str) -> dict[str, Any]:
    """Return the schema with this description."""
    return {**schema, "description": meaning}


def view_schema(
    title: str,
    game: str,
    options: Mapping[str, Option],
    seats: range,
    meanings: Mapping[str, str] = MappingProxyType({}),
    **properties: dict[str, Any],
) -> dict[str, Any]:
    """Return the schema of every view of ``game``, a ruleset's id: the keys of all views, and ``properties``.
    ``meanings`` describes the game's own keys, see ``schema_with_meanings``.
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
    described = schema_with_meanings(whole, {**OF_ALL_GAMES, **meanings})
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"{title}, one view"} | described


def record(**properties: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with exactly these keys."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema that also allows null."""
    return {"anyOf": [schema, {"type": "null"}]}


def number(least: int, most: int | None = None) -> dict[str, Any]:
    """Return the schema of an integer within these bounds."""
    bounds = {"minimum": least} if most is None else {"minimum": least, "maximum": most}
    return {"type": "integer", **bounds}


def seat(seats: range) -> dict[str, Any]:
    """Return the schema of a seat, for any number of players in ``seats``."""
    return number(0, seats[-1] - 1)


def listed(items: dict[str, Any], least: int = 0, most: int | None = None) -> dict[str, Any]:
    """Return the schema of an array with ``least`` to ``most`` items."""
    return {"type": "array", "items": items, "minItems": least} | ({} if most is None else {"maxItems": most})


def for_each_seat(items: dict[str, Any], seats: range) -> dict[str, Any]:
    """Return the schema of an array with one item for each seat."""
    return listed(items, seats[0], seats[-1])


def distinct(items: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an array of distinct items."""
    return {"type": "array", "items": items, "uniqueItems": True}


COUNT: Final = number(0)


class ViewRules(Protocol):
    """The players and options of a table."""

    @property
    def players(self) -> int: ...
    def options(self) -> Mapping[str, Any]: ...


def whole(game: str, state: State, rules: ViewRules, seat: int | None, **facts: Any) -> dict[str, Any]:
    """Return the view of ``seat`` with the game's own ``facts``. The actor -1 is chance, or nobody once the game is
    over.
    """
    actor = state.actor
    return {
        "game": game,
        "options": rules.options(),
        "you": seat,
        "players": rules.players,
        "actor": actor,
        **facts,
        "actions": list(state.actions()) if seat == actor else [],
    }
