"""The sample bots and the script printed on docs pages: whole files, which the tests run."""

from importlib.resources import files
from typing import Final

from games.catalogue import GAMES

# The game of the docs pages: the first with a sample bot.
TAUGHT: Final = next(game for game in GAMES.values() if game.first_bot())
FIRST_BOT: Final = TAUGHT.first_bot()
CLASS_BOT: Final = files(__name__).joinpath("class_bot.txt").read_text()
BY_HTTP: Final = files(__name__).joinpath("by_http.txt").read_text()
