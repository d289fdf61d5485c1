"""The bots printed in the pages for authors: whole files, played by the tests."""

from importlib.resources import files
from typing import Final

FIRST_BOT: Final = files(__name__).joinpath("first_bot.txt").read_text()
CLASS_BOT: Final = files(__name__).joinpath("class_bot.txt").read_text()
