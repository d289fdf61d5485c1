"""The version of the site to which this kit belongs. ``pyproject.toml`` has the same."""

from typing import Final

VERSION: Final = "0.2.0"
