"""A question to a bot that is watched line by line: where is it, and what has it printed, when its time is over?"""

import sys
from collections.abc import Callable
from linecache import getline
from time import perf_counter
from types import FrameType
from typing import Any

from sandbox.overtime import Frame


class Watch:
    """Looks at the clock at each line that a bot runs, and tells ``late`` once, when more than ``seconds`` are over:
    how many were used, and where the bot, whose files are in ``folder``, is.
    """

    def __init__(self, folder: str, seconds: float, late: Callable[[float, list[Frame]], None]) -> None:
        self._folder = folder
        self._seconds = seconds
        self._late = late
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = perf_counter()
        sys.settrace(self._look)

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def _look(self, frame: FrameType, _event: str, _arg: object) -> "Callable[..., Any] | None":
        used = perf_counter() - self._began
        if used < self._seconds:
            return self._look
        sys.settrace(None)
        self._late(used, self._own_frames(frame))
        return None

    def _own_frames(self, frame: FrameType | None) -> list[Frame]:
        found: list[Frame] = []
        while frame is not None:
            path, line = frame.f_code.co_filename, frame.f_lineno
            if path.startswith(f"{self._folder}/"):
                name = path.removeprefix(f"{self._folder}/")
                found.append((name, line, frame.f_code.co_name, getline(path, line).strip()))
            frame = frame.f_back
        return found[::-1]
