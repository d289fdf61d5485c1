"""Share one interpreter between judge and bots: each bot's environment, its output by line, and a watch on its time."""

import io
import os
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from linecache import getline
from pathlib import Path
from time import perf_counter
from types import FrameType, ModuleType, TracebackType
from typing import Any, Final, TypeAlias

from games.catalogue import GAMES
from sandbox.inside.stdout_capture import Printed
from sandbox.overtime import Frame

PLACES_MOST: Final = 64  # lines with output that are recorded
LINE_MOST: Final = 120  # characters of the last output

# The package that contains these modules; in a checkout, the packages.
_OURS: Final = frozenset(
    ("bots", "games", "leagues", "luck", "matches", "peck", "pecking", "ratings", "sandbox", "tournaments", "web")
)
# Modules of a browser, which the site does not have
_HIDDEN: Final = frozenset(("_pyodide", "_pyodide_core", "js", "pyodide", "pyodide_js"))


class Watch:
    """Checks the time at each line that a bot runs. Once ``seconds`` have passed, it calls ``on_late`` with the elapsed
    seconds and the frames of the bot, whose files are in ``folder``.
    """

    def __init__(self, folder: str, seconds: float, on_late: Callable[[float, list[Frame]], None]) -> None:
        self._folder = folder
        self._seconds = seconds
        self._on_late = on_late
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
        self._on_late(used, self._own_frames(frame))
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


@cache
def _packages_of_games() -> frozenset[str]:
    folders = [folder for game in GAMES.values() for folder in (game.folder, *game.shares)]
    return frozenset(folder.partition(".")[0] for folder in folders)


class _LoadedModules:
    """The judge's modules, and those that the judge shares with bots. Both are computed again when the number of loaded
    modules changes.
    """

    def __init__(self) -> None:
        self._count = 0
        self.ours: dict[str, ModuleType] = {}
        self.shared: frozenset[str] = frozenset()

    def refresh(self) -> None:
        if len(sys.modules) == self._count:
            return
        self._count = len(sys.modules)
        hidden = _OURS | _HIDDEN | _packages_of_games()
        self.ours = {name: one for name, one in sys.modules.items() if name.partition(".")[0] in hidden}
        self.shared = frozenset((sys.modules.keys() - self.ours.keys()) | _HIDDEN)


_loaded: Final = _LoadedModules()


@dataclass(slots=True)
class LineOutput:
    """The output of one line of a bot's code: how often the line printed, and the beginning of what it printed last."""

    count: int = 0
    text: str = ""
    is_open: bool = False  # whether the next piece belongs to the same output, because no newline ended it

    def add(self, text: str) -> None:
        """Add a piece of output."""
        self.text = (self.text + text if self.is_open else text)[:LINE_MOST]
        self.count += not self.is_open
        self.is_open = not text.endswith("\n")


PrintedAt: TypeAlias = dict[tuple[str, int], LineOutput]  # by file and line


class PrintedByLine(Printed):
    """The output of a bot whose files are in ``folder``. ``at`` has the output by line."""

    def __init__(self, folder: str, cap: int) -> None:
        super().__init__(cap)
        self._prefix = f"{folder}/"
        self.at: PrintedAt = {}

    def write(self, text: str, /) -> int:
        """Write text and record its line; see ``io.TextIOWrapper.write``."""
        size = super().write(text)
        if (place := self._place()) and (place in self.at or len(self.at) < PLACES_MOST):
            self.at.setdefault(place, LineOutput()).add(text)
        return size

    def _place(self) -> tuple[str, int] | None:
        """Return the file and line of the bot that prints."""
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and not frame.f_code.co_filename.startswith(self._prefix):
            frame = frame.f_back
        return frame and (frame.f_code.co_filename.removeprefix(self._prefix), frame.f_lineno)


class BotEnvironment:
    """A bot's modules, path, output and random state. They are installed while the bot runs, and stored in between."""

    def __init__(self, folder: str, cap: int) -> None:
        self._folder = folder
        self.printed = PrintedByLine(folder, cap)
        self._own: dict[str, ModuleType] = {}
        self._random: Any = None
        self._numpy: Any = None
        self._saved: tuple[Any, ...] = ()

    def __enter__(self) -> Printed:
        _loaded.refresh()
        modules = sys.modules
        self._saved = (
            (sys.stdout, sys.stderr, sys.stdin),
            sys.path[:],
            Path.cwd(),
            sys.getrecursionlimit(),
            random.getstate(),
        )
        for name in _loaded.ours:
            del modules[name]
        modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]  # None makes the import fail
        modules.update(self._own)
        sys.path[:] = [self._folder, *(place for place in sys.path if not _is_ours(place))]
        os.chdir(self._folder)
        sys.stdout = sys.stderr = self.printed
        sys.stdin = io.TextIOWrapper(io.BytesIO())
        if self._random is not None:
            random.setstate(self._random)
        if self._numpy is not None:
            modules["numpy"].random.set_state(self._numpy)
        return self.printed

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        modules = sys.modules
        self._random = random.getstate()
        if (numpy := modules.get("numpy")) is not None:
            self._numpy = numpy.random.get_state()
        fresh = [name for name in modules if name not in _loaded.shared]
        self._own = {name: modules[name] for name in fresh if name in self._own or self._is_own(modules[name])}
        for name in (*self._own, *_HIDDEN):
            modules.pop(name, None)
        modules.update(_loaded.ours)
        (sys.stdout, sys.stderr, sys.stdin), sys.path[:], folder, deepest, chance = self._saved
        os.chdir(folder)
        sys.setrecursionlimit(deepest)
        random.setstate(chance)

    def forget(self) -> None:
        """Remove the modules that the bot has loaded."""
        self._own = {}

    def _is_own(self, module: Any) -> bool:
        """Return whether the module belongs to the bot: it is a file in its folder, or was created by its code."""
        if isinstance(name := getattr(module, "__file__", None), str):
            return name.startswith(f"{self._folder}/")
        return getattr(module, "__spec__", None) is None


@cache
def _is_ours(place: str) -> bool:
    return __file__.startswith(f"{place}/") or any(Path(place, name).is_dir() for name in ("pecking", "games"))
