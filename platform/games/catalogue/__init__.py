"""Every installed game (``GAMES``), and how to find a ruleset by its id. To add a game, see docs/how-to/add-a-game.md.

A ruleset's id names the game and the version of its rules: ``pickomino/1``. A package keeps every version that was ever
played, so that its records, matches and proofs can be replayed. New contests use the current version only.
"""

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from games.catalogue.discovery import catalogue_games_found
from games.game import CatalogueGame
from games.ruleset import Ruleset
from games.state import View

_FOUND: Final = catalogue_games_found()
GAMES: Final[Mapping[str, CatalogueGame]] = _FOUND.games
# For each game that is left out, what is wrong with it, by name. If two packages use the same name, this name is in
# both mappings.
BROKEN: Final[Mapping[str, str]] = _FOUND.broken
# The distribution and version of each game from another package, by the game's name
PACKAGES: Final[Mapping[str, tuple[str, str]]] = _FOUND.packages
FIRST: Final = next(iter(GAMES), "")  # the game offered by default


class UnknownRuleset(LookupError):
    """There is no such game, or no such version of it. ``requested`` is a game's name or a ruleset's id."""

    def __init__(self, requested: str) -> None:
        self.requested = requested[:80]
        name = requested.partition("/")[0]
        game = GAMES.get(name)
        if game is None and name in BROKEN:
            super().__init__(f"ruleset {self.requested!r}: its package is broken: {BROKEN[name]}")
        elif game is None:
            close = "".join(f": did you mean {one}?" for one in get_close_matches(name, GAMES, 1)) or ";"
            super().__init__(f"ruleset {self.requested!r} is unknown{close} known: {', '.join(GAMES)}")
        else:
            super().__init__(f"ruleset {self.requested!r}: this platform plays {', '.join(map(str, game.versions))}")


def find(ruleset_id: str) -> Ruleset:
    """Return the ruleset with the id ``ruleset_id``, such as ``pickomino/1``, current or superseded.

    Raises:
        UnknownRuleset: there is no such game or version, or ``ruleset_id`` has no version.
    """
    game = GAMES.get(ruleset_id.partition("/")[0])
    for ruleset in game.versions if game else ():
        if ruleset.id == ruleset_id:
            return ruleset
    raise UnknownRuleset(ruleset_id)


def catalogue_has_ruleset(ruleset_id: str) -> bool:
    """Tell whether there is a ruleset with the id ``ruleset_id``. An id in the database has none if the package of its
    game was removed or replaced.
    """
    game = GAMES.get(ruleset_id.partition("/")[0])
    return game is not None and any(ruleset.id == ruleset_id for ruleset in game.versions)


def current(name: str) -> Ruleset:
    """Return the current version of the game ``name``, such as ``pickomino``.

    Raises:
        UnknownRuleset: there is no such game.
    """
    if name not in GAMES:
        raise UnknownRuleset(name)
    return GAMES[name].current


def ruleset_find_or_current(name_or_id: str) -> Ruleset:
    """Return the ruleset with this id, or the current ruleset of the game with this name.

    Raises:
        UnknownRuleset: there is no such game or version.
    """
    return find(name_or_id) if "/" in name_or_id else current(name_or_id)


def catalogue_game_folders(name: str) -> list[Path]:
    """Return the folders called ``name``, such as ``locale``, from the packages of all games, without duplicates."""
    brought = [game.file(name) for game in GAMES.values()]
    return list(dict.fromkeys(one for one in brought if isinstance(one, Path) and one.is_dir()))


def catalogue_stand_in(game: str) -> Callable[[View], str]:
    """Return the house bot of this game that replaces a failed bot. The house bot runs in this process. It always
    answers the same view with the same action.

    Raises:
        KeyError: there is no such game.
    """
    return GAMES[game].stand_in.act()
