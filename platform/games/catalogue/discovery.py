"""Finds the games that are installed: ours, and those of packages that name theirs in ``pecking_order.games``.

A package is code that is trusted, like any Django app, and may be broken all the same: what is wrong with it is noted
by the name of its game, and the others are found.
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
# In the order of pages. Where there is no metadata, as in peck.pyz and in a browser, these are the games there are.
OWN: Final = ("pickomino", "heckmeck", "laghetti", "karteneck")
ENGINES: Final = ("pecking-order", "pecking")  # the distributions that have these games: the site's, and authors'
NAME: Final = re.compile(r"[a-z][a-z0-9_]{0,23}")  # a ruleset's id has 30 characters at most
TYPES: Final = ("array", "boolean", "integer", "null", "number", "object", "string")  # of JSON schema
_HERE: Final = __name__.rpartition(".")[0]


@dataclass(frozen=True, slots=True)
class FoundGames:
    """The games by their names, and by the name of each that is broken what is wrong with it; ``packages``: of those
    that are not ours, the distribution and its version."""

    games: dict[str, CatalogueGame] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)
    packages: dict[str, tuple[str, str]] = field(default_factory=dict)


class BrokenGame(ValueError):
    """What is registered is no game that can be played here."""


def catalogue_games_found(registered: Iterable[EntryPoint] | None = None) -> FoundGames:
    """Load every game that is ``registered``, by default those of the environment as it is now; ours come first."""
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
        except (Exception, SystemExit) as error:  # whatever its modules do when they are imported
            about = str(error) if isinstance(error, BrokenGame) else f"{type(error).__name__}: {error}"
            result.broken[name] = f"{about} ({entry.value}, {_package(entry)})"[:500]
        else:
            result.games[name] = game
            if entry.dist is not None:
                result.packages[name] = entry.dist.name, entry.dist.version
            titles |= {bot.title for bot in game.house_bots}
    return result


def _of_others(registered: Iterable[EntryPoint]) -> Iterator[EntryPoint]:
    """Yield what packages registered, by name. An author's kit beside the site, or the site beside it, has these games
    once more, of an engine that is not this one."""
    for entry in sorted(registered, key=lambda one: (one.name, one.value)):
        if entry.dist is None or entry.dist.name not in ENGINES:
            yield entry


def _package(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else _HERE


def catalogue_game_check(name: str, game: object) -> None:
    """Check what was registered as ``name``: that every page and every table can do with it.

    Raises:
        BrokenGame: they cannot; says why.
    """
    if not isinstance(game, CatalogueGame):
        raise BrokenGame(f"a {type(game).__name__} is registered, and no CatalogueGame of this engine")
    if not NAME.fullmatch(name) or name != game.name:
        raise BrokenGame(f"it is registered as {name!r}, and its rules are of {game.name!r}")
    if not game.house_bots or game.plays_on not in {bot.name for bot in game.house_bots}:
        raise BrokenGame(f"none of its house bots is {game.plays_on!r}, which would play on for one that failed")
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
    """Check that a package has what pages need beside the rules; boards of the engine's own games lie elsewhere.

    Raises:
        BrokenGame: a file is missing.
    """
    for path in (("rules.html",), ("board", "index.js")):
        if not game.file(*path).is_file():
            raise BrokenGame(f"there is no {'/'.join(path)} in its folder")


def _check_schema(schema: object, path: str = "the view") -> None:
    """Check the shape of what pages, types and the API read of a JSON schema.

    Raises:
        BrokenGame: a part is none.
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
