"""Downloads for authors: the house bots, and the kit as one file and as a package for pip.

The kit is the engine and the command ``peck``, without any framework. All its modules are in one package, ``pecking``,
so that they hide no other package called ``games`` or ``bots``. The imports in these modules are renamed when the kit
is packed. ``package_index`` serves the package to pip.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, Final

from arena.site.game_packages import Wheel, game_package_zip_of, game_packages_browser_files
from arena.site.markdown_text import markdown_text_of_rules
from bots.lookalikes import TABLE as LOOKALIKES
from games.catalogue import GAMES
from games.catalogue.discovery import GROUP, OWN
from games.version import VERSION
from matches.replay.one_file import replay_empty_file

HEAD: Final = '''"""The views of every game as types. Import them under TYPE_CHECKING: on the site there is no pecking.

    if TYPE_CHECKING:
        from pecking.views import PickominoView
"""

from typing import Any, Literal, TypedDict
'''
_PLAIN: Final = {"integer": "int", "number": "float", "string": "str", "boolean": "bool", "null": "None"}


def kit_typed_views() -> str:
    """Return the source of the module ``pecking.views``, which has the types of every game's views."""
    parts = [HEAD]
    for name, game in GAMES.items():
        title = name.title()
        classes: dict[str, list[str]] = {}
        _type(game.current.view_schema, f"{title}View", classes)
        parts += ["\n".join(lines) for lines in classes.values()]
    return "\n\n".join(parts) + "\n"


def _type(schema: Mapping[str, Any], name: str, classes: dict[str, list[str]]) -> str:
    """Return the Python type of a schema, after adding the classes that it needs to ``classes``. ``name`` is the name
    of the class if the schema is an object.
    """
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


NAME: Final = "pecking"
PYTHONS: Final = ">=3.11"
# Folders ("" for all of them) and single files of each room.
PACKED: Final = {
    "games": ("",),
    "luck": ("",),
    "peck": ("",),
    "ratings": ("",),
    "research": ("",),
    "matches": ("proof", "referee"),
    "tournaments": ("formats", "proof", "standings"),
    "bots": (),
    "leagues": (),
    "sandbox": (),
    "web": (),
}
BOTS: Final = ("lookalikes", "parse_child", "source_check", "translation", "upload_errors", "uploads", "verdicts")
INSIDE: Final = ("__init__", "entry", "failure", "rules", "stdout_capture")
SINGLE: Final = {
    "bots": (*(f"{name}.py" for name in BOTS),),
    "leagues": ("proof.py",),
    "matches": ("replay/__init__.py", "replay/frame_encoding.py", "replay/seat_decisions.py"),
    "sandbox": ("overtime.py", *(f"inside/{name}.py" for name in INSIDE)),
    "tournaments": ("facts.py", "play_off.py", "trf.py"),
    "web": ("errors.py",),
}
NOT_IN_BROWSERS: Final = ("bots", "leagues", "research", "tournaments")
# The package has no dependencies. An extra brings those of one module: pip install "pecking[pettingzoo] @ ..."
EXTRAS: Final = {
    "batch": ("numba>=0.61", "numpy>=1.26"),
    "gymnasium": ("gymnasium>=1.0", "numpy>=1.26"),
    "mcp": ("mcp>=2,<3",),
    "openspiel": ("open_spiel>=1.6", "numpy>=1.26"),
    "pettingzoo": ("pettingzoo>=1.25", "numpy>=1.26"),
    "testing": ("pytest>=8", "jsonschema-rs>=0.30"),
}
# Remove this after one release: during an upgrade, pages, the worker and this file may come from web processes of two
# releases.
_DESK_BEFORE: Final = [
    (f"{NAME}/matches/home/__init__.py", b""),
    (f"{NAME}/matches/home/browser.py", f"from {NAME}.peck.browser import opened as opened\n".encode()),
]
SHIPPED: Final = (".py", ".json", ".txt")
_IMPORT: Final = re.compile(rf"^(\s*(?:from|import) )(?=(?:{'|'.join(PACKED)})[. ])", re.MULTILINE)
INIT: Final = f'''"""Bots that play each other at home as they do on the site: ``peck`` on the command line."""

__version__ = "{VERSION}"
'''
RUN: Final = f'''"""``python -m {NAME}`` is ``peck``."""

import sys

if sys.version_info < (3, 11):
    sys.exit("peck needs Python 3.11 or later")

from {NAME}.peck.__main__ import main

if __name__ == "__main__":
    sys.exit(main())
'''
METADATA: Final = f"""Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Bots that play each other at home as they do on the site: the engine of Pecking Order and its command
Requires-Python: {PYTHONS}
Classifier: Operating System :: OS Independent
Classifier: Typing :: Typed
""" + "".join(
    f"Provides-Extra: {extra}\n" + "".join(f'Requires-Dist: {one}; extra == "{extra}"\n' for one in needed)
    for extra, needed in EXTRAS.items()
)
ENTRY_POINTS: Final = f"""[console_scripts]
peck = {NAME}.peck.__main__:main

[{GROUP}]
""" + "".join(f"{name} = {NAME}.games.catalogue.{name}:GAME\n" for name in OWN)


class UnknownHouseBot(LookupError):
    """No house bot of ``game`` has the file name ``file``."""

    def __init__(self, game: str, file: str) -> None:
        super().__init__(f"{game} has no house bot {file!r}")
        self.game = game
        self.file = file


@cache
def kit_peck_file() -> bytes:
    """Return the kit as a Python zip application, with the same bytes each time. It needs only Python. Two functions
    need more: py4swiss draws rounds by FIDE's rules, and numpy computes rating performances.
    """
    return game_package_zip_of([*_modules(), ("__main__.py", RUN.encode())])


@cache
def kit_wheel() -> Wheel:
    """Return the kit as a package for pip."""
    about = (("METADATA", METADATA.encode()), ("entry_points.txt", ENTRY_POINTS.encode()))
    return Wheel(NAME, VERSION, PYTHONS, tuple(_modules()), about)


@cache
def kit_browser_file() -> bytes:
    """Return the kit for browsers as a zip, with the same bytes each time. It lacks the parts for sites and proofs, and
    includes the packages of games that browsers can play.
    """
    modules = [one for one in _modules(players=False) if one[0].split("/")[1] not in NOT_IN_BROWSERS]
    return game_package_zip_of([*modules, *_DESK_BEFORE, *game_packages_browser_files()])


def kit_house_bot_file(game: str, name: str) -> bytes:
    """Return the file of the house bot of ``game`` that has the file name ``name``.

    Raises:
        UnknownHouseBot: there is no such house bot.
    """
    for bot in GAMES[game].house_bots if game in GAMES else ():
        if bot.file_name == name:
            return bot.source()
    raise UnknownHouseBot(game, name)


@cache
def _modules(*, players: bool = True) -> list[tuple[str, bytes]]:
    """Return every file of the package with its path. With ``players``, include the replay players for ``peck watch``
    and the rules for ``peck rules``."""
    made = {"__init__.py": INIT, "__main__.py": RUN, "py.typed": "", "views.py": kit_typed_views()}
    own = files("pecking")
    made |= {name: _renamed(name, own.joinpath(name).read_bytes()).decode() for name in ("game.py", "simulate.py")}
    made[f"bots/{LOOKALIKES}"] = files("bots").joinpath(LOOKALIKES).read_text(encoding="utf-8")
    found = [(f"{NAME}/{name}", text.encode()) for name, text in made.items()]
    for package, folders in PACKED.items():
        root = files(package)
        singles = () if folders == ("",) else ("__init__.py", *SINGLE.get(package, ()))
        found += [(f"{NAME}/{package}/{one}", _renamed(one, root.joinpath(one).read_bytes())) for one in singles]
        for folder in folders:
            path = f"{package}/{folder}".rstrip("/")
            found += _folder(f"{NAME}/{path}", root.joinpath(folder) if folder else root)
    found += _folder(f"{NAME}/testing", own.joinpath("testing"))
    if players:
        pages = ((name, replay_empty_file(game.current.id)) for name, game in GAMES.items())
        found += [(f"{NAME}/peck/players/{name}.html", page.encode()) for name, page in pages]
        texts = ((name, markdown_text_of_rules(game.current)) for name, game in GAMES.items())
        found += [(f"{NAME}/peck/texts/{name}.md", text.encode()) for name, text in texts]
    return found


def _folder(name: str, folder: Traversable) -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda one: one.name):
        if item.name.removesuffix(".py") == "pages":  # pages of a format need Django
            continue
        if item.is_dir():
            yield from _folder(f"{name}/{item.name}", item)
        elif item.name.endswith(SHIPPED):
            yield f"{name}/{item.name}", _renamed(item.name, item.read_bytes())


def _renamed(name: str, data: bytes) -> bytes:
    """Return a module with its imports renamed to the one package. House bots import none of our modules."""
    return _IMPORT.sub(rf"\g<1>{NAME}.", data.decode()).encode() if name.endswith(".py") else data
