"""What is said of a bot's fault at home."""

import sys
from typing import Any

from games.untrusted import quoted_lines
from matches.referee import SeatFault


def named(fault: SeatFault) -> str:
    """Return the verdict with its line and what happened, in one line."""
    where = f", line {fault.line}" if fault.line else ""
    return f"{fault.verdict.value}{where}: {fault.summary}"


def quote(fault: SeatFault, file: Any = None) -> None:
    """Print the traceback and what the bot printed, each line behind a bar."""
    for text in (fault.detail, fault.output):
        if text.strip() and (text is fault.output or "\n" in text.strip()):
            print("\n".join(quoted_lines(text)), file=file or sys.stdout)
