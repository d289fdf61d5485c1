"""Small pictures as PNG, for the previews that other sites show of a link: few of them read SVG."""

import re
from functools import lru_cache
from typing import Final

from resvg_py import svg_to_bytes

from games.picture import alone

PIXELS: Final = 1200  # wide, as previews want it
_VARIABLE: Final = re.compile(r"var\(--[a-z-]+,([^)]+)\)")


@lru_cache(maxsize=64)  # some 30 kB each
def png(svg: str) -> bytes:
    """Return ``svg`` by day. It needs a font of the system."""
    painted = _VARIABLE.sub(r"\1", re.sub("<style>.*?</style>", "", alone(svg)))
    return bytes(svg_to_bytes(svg_string=painted, width=PIXELS))
