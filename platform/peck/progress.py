"""How far a run is: a bar on a terminal, and nothing where standard error is none."""

import sys
from time import monotonic
from typing import Final

WIDTH: Final = 24
_CLEAR: Final = "\r\x1b[K"


class ProgressBar:
    """A bar of ``of`` blocks. Standard output and the bar may share a terminal: ``close`` before a line is printed."""

    def __init__(self, of: int) -> None:
        self._of = of
        self._began = monotonic()
        self._at_first: int | None = None
        self._is_shown = False
        self._is_terminal = sys.stderr.isatty()

    def show(self, done: int) -> None:
        """Draw the bar for ``done`` blocks."""
        if not self._is_terminal:
            return
        if self._at_first is None:
            self._at_first, self._began = done, monotonic()
        filled = WIDTH * done // max(1, self._of)
        bar = "#" * filled + "." * (WIDTH - filled)
        self._write(f"{_CLEAR}[{bar}] {done} of {self._of} blocks{self._left(done, self._at_first)}")
        self._is_shown = True

    def close(self) -> None:
        """Take the bar away."""
        if self._is_shown:
            self._write(_CLEAR)
            self._is_shown = False

    def _left(self, done: int, first: int) -> str:
        if done <= first or done >= self._of:
            return ""
        seconds = round((monotonic() - self._began) / (done - first) * (self._of - done))
        return f", {seconds // 60}:{seconds % 60:02d} left"

    def _write(self, text: str) -> None:
        print(text, end="", file=sys.stderr, flush=True)
