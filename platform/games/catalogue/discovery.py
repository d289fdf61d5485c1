"""Find the installed games: the engine's own, and those of packages with an entry point in ``pecking_order.games``.

A package is trusted code, like any Django app, but it may be broken. A broken game is left out with an error message,
and all others are still found.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from games.game import CatalogueGame
from games.schema import OF_ALL_GAMES

GROUP: Final = "pecking_order.games"
# In the order of pages. Without package metadata, as in peck.pyz and in a browser, these are all games.
OWN: Final = ("pickomino", "heckmeck", "laghetti", "karteneck")
# The distributions that contain the own games: the site's, and the kit for authors
ENGINES: Final = ("pecking-order", "pecking")
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")  # a ruleset's id has 30 characters at most
TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")  # the types of JSON schema
_HERE: Final = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class FoundGames:
    """The games by name, and the error message of each broken game, by name. ``packages`` has the distribution and
    version of each game from another package.
    """

    games: dict[str, CatalogueGame] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    packages: dict[str, tuple[str, str]] = field(default_factory=dict)


class BrokenGame(ValueError):
    """A registered object is not a game that can be played here."""


def catalogue_games_found(registered: Iterable[EntryPoint] | None = None) -> FoundGames:
    """Load every game that is ``registered``, by default those of the current environment. Own games come first."""
    own = [EntryPoint(name, f"{_HERE}.{name}:GAME", GROUP) for name in OWN]
    result, titles = FoundGames(), set[str]()
    for entry in (*own, *_of_others(entry_points(group=GROUP) if registered is None else registered)):
        name = entry.name
        try:
            if name in result.games:
                raise BrokenGame(f"its name is taken: {_package(entry)} registers it too")
            game = entry.load()
            catalogue_game_check(name, game)
            if entry.dist is not None:
                _check_files(game)
            if taken := {bot.title for bot in game.house_bots} & titles:
                raise BrokenGame(f"another game has a house bot called {min(taken)!r}")
        except (Exception, SystemExit) as error:  # importing a package may raise anything
            about = str(error) if isinstance(error, BrokenGame) else f"{type(error).__name__}: {error}"
            result.broken[name] = f"{about} ({entry.value}, {_package(entry)})"[:500]
        else:
            result.games[name] = game
            if entry.dist is not None:
                result.packages[name] = entry.dist.name, entry.dist.version
            titles |= {bot.title for bot in game.house_bots}
    return result


def _of_others(registered: Iterable[EntryPoint]) -> Iterator[EntryPoint]:
    """Yield the entry points of packages that are not the engine's, sorted by name. The engine has two distributions,
    which register the same games: both are skipped.
    """
    for entry in sorted(registered, key=lambda one: (one.name, one.value)):
        if entry.dist is None or entry.dist.name not in ENGINES:
            yield entry


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else _HERE


def catalogue_game_check(name: str, game: object) -> None:
    """Check that the object registered as ``name`` is a game with all that pages and tables need.

    Raises:
        BrokenGame: it is not; the message says why.
    """
    if not isinstance(game, CatalogueGame):
        raise BrokenGame(f"a {type(game).__name__} is registered, and no CatalogueGame of this engine")
    if not NAME.fullmatch(name) or name != game.name:
        raise BrokenGame(f"it is registered as {name!r}, and its rules are of {game.name!r}")
    if not game.house_bots or game.plays_on not in {bot.name for bot in game.house_bots}:
        raise BrokenGame(f"none of its house bots is {game.plays_on!r}, which is to replace a bot that failed")
    for bot in game.house_bots:
        bot.source()
    for ruleset in game.versions:
        _check_schema(ruleset.view_schema)
        if type(ruleset.version) is not int or ruleset.version < 1 or not len(ruleset.seats):
            raise BrokenGame(f"{ruleset}: a version is a number from 1 on, for some number of players")
    least = game.current.seats[0]
    state = game.current.start(least, {})
    if set(OF_ALL_GAMES) - set(state.view(None)):
        raise BrokenGame(f"its view lacks {', '.join(sorted(set(OF_ALL_GAMES) - set(state.view(None))))}")
    json.dumps([state.view(None), state.facts()])


def _check_files(game: CatalogueGame) -> None:
    """Check that a package contains the files for pages. Boards of the engine's own games are stored elsewhere.

    Raises:
        BrokenGame: a file is missing.
    """
    for path in (("rules.html",), ("board", "index.js")):
        if not game.file(*path).is_file():
            raise BrokenGame(f"there is no {'/'.join(path)} in its folder")


def _check_schema(schema: object, path: str = "the view") -> None:
    """Check the parts of a JSON schema that pages, types and the API read.

    Raises:
        BrokenGame: a part is not a valid schema.
    """
    if not isinstance(schema, Mapping):
        raise BrokenGame(f"view_schema, {path}: a schema is an object, not {type(schema).__name__}")
    if path == "the view" and not isinstance(schema.get("properties"), Mapping):
        raise BrokenGame("view_schema: the view is an object with properties")
    json.dumps(schema)
    if schema.get("type", "null") not in TYPES or not isinstance(schema.get("enum", []), list):
        raise BrokenGame(f"view_schema, {path}: type is one of {', '.join(TYPES)}, enum a list")
    for one in schema.get("anyOf", ()):
        _check_schema(one, path)
    if "items" in schema:
        _check_schema(schema["items"], f"{path}[]")
    for key, one in schema.get("properties", {}).items():
        _check_schema(one, f"{path}, {key}")
