"""Text that a bot has had a hand in, made safe to keep and to print. Pages still escape it for their own language."""

import re
from typing import Final

# Terminal escapes, what turns the reading direction and what some programs take for the end of a line: C0 without tab
# and newline, C1, bidirectional controls, line and paragraph separators.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def clean(text: str, cap: int) -> str:
    """The text without control characters, each shown as U+FFFD, cut to ``cap`` bytes as it came."""
    if len(text) * 4 > cap:
        text = text.encode()[:cap].decode("utf-8", "ignore")
    return _CONTROL.sub("\ufffd", text)
