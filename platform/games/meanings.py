"""What the keys of views mean: one sentence each, in English, put into the JSON schemas as descriptions.

Keys are paths: ``last.seat`` is the key ``seat`` of the object ``last``, ``menu[].tag`` that of each object of the list
``menu``. Where the keys of an object are data, such as the faces of dice, ``*`` stands for them all.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

OF_ALL_GAMES: Final[Mapping[str, str]] = {
    "game": "the game and the version of its rules",
    "options": "how the game is played, by the names of its options",
    "you": "your seat, from 0; null for spectators",
    "players": "how many seats there are",
    "actor": "the seat that is to act; -1 for chance, and after the end",
    "actions": "what you may answer now, exactly as it stands here; empty when it is not your turn",
}


def with_meanings(schema: Mapping[str, Any], meanings: Mapping[str, str], path: str = "") -> dict[str, Any]:
    """Return the schema with the meaning of each key as its description, as far as ``meanings`` has it."""
    described = dict(schema)
    if "anyOf" in described:
        described["anyOf"] = [with_meanings(one, meanings, path) for one in described["anyOf"]]
    if "items" in described:
        described["items"] = with_meanings(described["items"], meanings, f"{path}[]")
    if "properties" in described:
        described["properties"] = {
            key: _described(one, meanings, f"{path}.{key}".lstrip("."), f"{path}.*".lstrip("."))
            for key, one in described["properties"].items()
        }
    return described


def keys_of(schema: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    """Yield every key of a schema by its path, with its meaning, "" where it has none; those inside ``options`` are
    explained with the options, and of keys that are data the object is enough.
    """
    for one in schema.get("anyOf", ()):
        yield from keys_of(one, path)
    if "items" in schema:
        yield from keys_of(schema["items"], f"{path}[]")
    for key, one in schema.get("properties", {}).items():
        inner = f"{path}.{key}".lstrip(".")
        yield inner, one.get("description", "")
        if inner != "options":
            yield from keys_of(one, inner)


def _described(schema: Mapping[str, Any], meanings: Mapping[str, str], path: str, any_: str) -> dict[str, Any]:
    described = with_meanings(schema, meanings, path)
    meaning = meanings.get(path) or meanings.get(any_)
    return described | {"description": meaning} if meaning else described
