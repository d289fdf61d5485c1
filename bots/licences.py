"""What the source of a version says of its licence, as a line to show: what is not said is not guessed."""

import re
from collections.abc import Mapping
from typing import Final

from bots.archive import ENTRY

READ_MOST: Final = 4096  # bytes of a file
LINE_MOST: Final = 100  # characters
_NAMED: Final = re.compile(r"SPDX-License-Identifier:[ \t]*([\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+){0,4})", re.ASCII)
_FILES: Final = re.compile(r"(?:LICEN[CS]E|COPYING)(?:\.(?:txt|md))?", re.IGNORECASE)


def licence_line(files: Mapping[str, bytes]) -> str:
    """Return the SPDX expression that ``bot.py``, or else another file, names at its beginning; without one the first
    line of a file that is called as those with a licence are; "" if there is neither.

    >>> licence_line({"bot.py": b"# SPDX-License-Identifier: MIT OR Apache-2.0"})
    'MIT OR Apache-2.0'
    """
    for path in sorted(files, key=lambda path: (path != ENTRY, path)):
        if found := _NAMED.search(_beginning(files[path])):
            return found[1][:LINE_MOST]
    for path in sorted(files):
        lines = _beginning(files[path]).split("\n") if _FILES.fullmatch(path) else []
        if line := next((line.strip() for line in lines if line.strip()), ""):
            return line[:LINE_MOST] if line.isprintable() else ""
    return ""


def _beginning(content: bytes) -> str:
    return content[:READ_MOST].decode("utf-8-sig", "replace")
