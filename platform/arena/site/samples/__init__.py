"""The bots and the script printed in the pages for authors: whole files, played and run by the tests."""

from importlib.resources import files
from typing import Final

FIRST_BOT: Final = files(__name__).joinpath("first_bot.txt").read_text()
CLASS_BOT: Final = files(__name__).joinpath("class_bot.txt").read_text()
BY_HTTP: Final = files(__name__).joinpath("by_http.txt").read_text()
