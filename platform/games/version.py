"""The version of the site to which this kit belongs. ``pyproject.toml`` must have the same version."""

from typing import Final

VERSION: Final = "0.2.0"
