"""The bots that ship with the site: opponents for every newcomer, and stand-ins for bots that fail."""

from collections.abc import Callable

from games.catalogue import GAMES
from games.state import View


def stand_in(game: str) -> Callable[[View], str]:
    """Return the bot that plays on for a seat whose bot has failed: in process, and the same action for the same view.

    Raises:
        KeyError: no such game.
    """
    return GAMES[game].stand_in.act()
