"""The version of the site that this kit is of: ``pyproject.toml`` says the same."""

from typing import Final

VERSION: Final = "0.2.0"
