"""Every game that the platform plays: see ``finding``. To add one, see docs/how-to/add-a-game.md.

A ruleset's id names the game and the version of its rules: ``pickomino/1``. A version that was ever played stays in its
package for ever, so that its records, matches and proofs replay; only the current one is offered for anything new.
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
# By the name of a game that is left out, what is wrong with it. A name that two packages want is in both.
BROKEN: Final[Mapping[str, str]] = _FOUND.broken
# Of the games that are not ours: the distribution that has them, and its version.
PACKAGES: Final[Mapping[str, tuple[str, str]]] = _FOUND.packages
FIRST: Final = next(iter(GAMES), "")  # of what is offered, where nobody has chosen


class UnknownRuleset(LookupError):
    """No game of that name, or no such version of it. ``asked`` is a game's name or a ruleset's id."""

    def __init__(self, asked: str) -> None:
        self.asked = asked[:80]
        name = asked.partition("/")[0]
        game = GAMES.get(name)
        if game is None and name in BROKEN:
            super().__init__(f"ruleset {self.asked!r}: its package is broken: {BROKEN[name]}")
        elif game is None:
            close = "".join(f": did you mean {one}?" for one in get_close_matches(name, GAMES, 1)) or ";"
            super().__init__(f"ruleset {self.asked!r} is unknown{close} known: {', '.join(GAMES)}")
        else:
            super().__init__(f"ruleset {self.asked!r}: this platform plays {', '.join(map(str, game.versions))}")


def find(ruleset_id: str) -> Ruleset:
    """Return the ruleset with the id ``ruleset_id``, such as ``pickomino/1``, current or superseded.

    Raises:
        UnknownRuleset: no such game or version; a name without a version is no id.
    """
    game = GAMES.get(ruleset_id.partition("/")[0])
    for ruleset in game.versions if game else ():
        if ruleset.id == ruleset_id:
            return ruleset
    raise UnknownRuleset(ruleset_id)


def catalogue_has_ruleset(ruleset_id: str) -> bool:
    """Tell whether there is a ruleset with the id ``ruleset_id``: its package may be gone, or of another version."""
    game = GAMES.get(ruleset_id.partition("/")[0])
    return game is not None and any(ruleset.id == ruleset_id for ruleset in game.versions)


def current(name: str) -> Ruleset:
    """Return the newest version of the game ``name``, such as ``pickomino``.

    Raises:
        UnknownRuleset: no such game.
    """
    if name not in GAMES:
        raise UnknownRuleset(name)
    return GAMES[name].current


def ruleset_find_or_current(name_or_id: str) -> Ruleset:
    """Return the ruleset that a person or a vector names: by its id, or the current one of a game by the game's name.

    Raises:
        UnknownRuleset: no such game or version.
    """
    return find(name_or_id) if "/" in name_or_id else current(name_or_id)


def catalogue_game_folders(name: str) -> list[Path]:
    """Return the folders called ``name`` that games bring, such as ``locale``, each once."""
    brought = [game.file(name) for game in GAMES.values()]
    return list(dict.fromkeys(one for one in brought if isinstance(one, Path) and one.is_dir()))


def catalogue_stand_in(game: str) -> Callable[[View], str]:
    """Return the bot that plays on for a seat whose bot has failed: in process, and the same action for the same view.

    Raises:
        KeyError: no such game.
    """
    return GAMES[game].stand_in.act()
