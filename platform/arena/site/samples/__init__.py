"""The bots and the script printed in the pages for authors: whole files, played and run by the tests."""

from importlib.resources import files
from typing import Final

from games.catalogue import GAMES

# The game that the pages teach with: the first that brings a bot to begin with.
TAUGHT: Final = next(game for game in GAMES.values() if game.first_bot())
FIRST_BOT: Final = TAUGHT.first_bot()
CLASS_BOT: Final = files(__name__).joinpath("class_bot.txt").read_text()
BY_HTTP: Final = files(__name__).joinpath("by_http.txt").read_text()
