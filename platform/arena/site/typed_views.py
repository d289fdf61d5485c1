"""Python's types of every game's views, written from their JSON schemas: for an author's editor and type checker."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.catalogue import GAMES

HEAD: Final = '''"""The views of every game as types. Import them under TYPE_CHECKING: on the site there is no pecking.

    if TYPE_CHECKING:
        from pecking.views import PickominoView
"""

from typing import Any, Literal, TypedDict
'''
_PLAIN: Final = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}


def typed_views() -> str:
    """Return the source of the module ``pecking.views``."""
    parts = [HEAD]
    for name, game in GAMES.items():
        title = name.title()
        classes: dict[str, list[str]] = {}
        _type(game.current.view_schema, f"{title}View", classes)
        parts += ["\n".join(lines) for lines in classes.values()]
    return "\n\n".join(parts) + "\n"


def _type(schema: Mapping[str, Any], name: str, classes: dict[str, list[str]]) -> str:
    """Return the type that the schema says, after writing the classes that it needs; ``name`` is for its own."""
    if "const" in schema:
        return f"Literal[{schema['const']!r}]"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if "anyOf" in schema:
        of = [_type(one, f"{name}{number or ''}", classes) for number, one in enumerate(schema["anyOf"])]
        return " | ".join(dict.fromkeys(of))
    kind = schema.get("type")
    if kind == "array":
        return f"list[{_type(schema.get('items', {}), name.removesuffix('s') + 'Item', classes)}]"
    if kind == "object" and schema.get("properties"):
        lines = list(_class(schema, name, classes))
        classes[name] = lines
        return name
    return _PLAIN.get(kind or "", "dict[str, Any]" if kind == "object" else "Any")


def _class(schema: Mapping[str, Any], name: str, classes: dict[str, list[str]]) -> Iterator[str]:
    inner = name.removesuffix("View")
    types = {
        key: _type(one, f"{inner}{key.title().replace('_', '')}", classes) for key, one in schema["properties"].items()
    }
    if all(key.isidentifier() and key not in ("from", "class") for key in types):
        yield f"class {name}(TypedDict):"
        for key, kind in types.items():
            meaning = schema["properties"][key].get("description", "")
            yield f"    {key}: {kind}{'  # ' * bool(meaning)}{meaning}"
    else:
        fields = ", ".join(f"{key!r}: {kind}" for key, kind in types.items())
        yield f'{name} = TypedDict("{name}", {{{fields}}})'
