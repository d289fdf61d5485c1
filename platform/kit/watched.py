"""A question to a bot that is watched line by line: where is it, and what has it printed, when its time is over?"""

import sys
from collections.abc import Callable
from linecache import getline
from time import perf_counter
from types import FrameType
from typing import TYPE_CHECKING, Any

from games.protocol import BotFault, Verdict
from sandbox.overtime import Frame, add_place, overtime

if TYPE_CHECKING:
    from kit.inline import InlineBox


class Watch:
    """Looks at the clock at each line that a bot runs, and tells once where it is when its time is over."""

    def __init__(self, box: "InlineBox", seconds: float, late: Callable[[BotFault], None]) -> None:
        self._box = box
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
        box, limits = self._box, self._box.limits
        span, allowed = ("for one action", limits.act_cpu) if box.is_ready else ("at the start", limits.start_cpu)
        fault = overtime(limits, Verdict.CPU_TIME, used, allowed, span, 0.0)
        add_place(fault, self._own_frames(frame))
        fault.output = box.place.printed.drain()
        self._late(fault)
        return None

    def _own_frames(self, frame: FrameType | None) -> list[Frame]:
        found: list[Frame] = []
        while frame is not None:
            path, line = frame.f_code.co_filename, frame.f_lineno
            if path.startswith(f"{self._box.folder}/"):
                name = path.removeprefix(f"{self._box.folder}/")
                found.append((name, line, frame.f_code.co_name, getline(path, line).strip()))
            frame = frame.f_back
        return found[::-1]
