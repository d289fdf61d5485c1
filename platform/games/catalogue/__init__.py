"""Every game that the platform plays. To add one, see docs/how-to/add-a-game.md.

A ruleset's id names the game and the version of its rules: ``pickomino/1``. A version that was ever played stays here
for ever, so that its records, matches and proofs replay; only the current one is offered for anything new.
"""

from collections.abc import Mapping
from typing import Final

from games.catalogue import heckmeck, karteneck, laghetti, pickomino
from games.game import CatalogueGame
from games.ruleset import Ruleset


class UnknownRuleset(LookupError):
    """No game of that name, or no such version of it. ``asked`` is a game's name or a ruleset's id."""

    def __init__(self, asked: str) -> None:
        self.asked = asked[:80]
        game = GAMES.get(asked.partition("/")[0])
        if game is None:
            super().__init__(f"ruleset {self.asked!r} is unknown; known: {', '.join(GAMES)}")
        else:
            super().__init__(f"ruleset {self.asked!r}: this platform plays {', '.join(map(str, game.versions))}")


GAMES: Final[Mapping[str, CatalogueGame]] = {
    game.name: game for game in (pickomino.GAME, heckmeck.GAME, laghetti.GAME, karteneck.GAME)
}


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


def current(name: str) -> Ruleset:
    """Return the newest version of the game ``name``, such as ``pickomino``.

    Raises:
        UnknownRuleset: no such game.
    """
    if name not in GAMES:
        raise UnknownRuleset(name)
    return GAMES[name].current


def find_or_current(name_or_id: str) -> Ruleset:
    """Return the ruleset that a person or a vector names: by its id, or the current one of a game by the game's name.

    Raises:
        UnknownRuleset: no such game or version.
    """
    return find(name_or_id) if "/" in name_or_id else current(name_or_id)
