"""Bots in the judge's own interpreter, for where there are no processes: a page of a browser.

Each bot has its own modules, files and random numbers; these are put in place when it is asked, and taken away after.
It cannot be interrupted from here: whoever runs the judge ends both, and may play the game once more, with the question
that got no answer watched, which says where the bot is then. What it changes in the standard library stays.
"""

import io
import json
import os
import random
import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from time import perf_counter
from types import ModuleType, TracebackType
from typing import Any, Final, NamedTuple

from games.protocol import BotFault, Limits, PlatformFault, Verdict
from peck.watched import Watch
from sandbox.inside import entry, failure
from sandbox.inside.stdout_capture import Printed
from sandbox.overtime import Frame, add_place, overtime

# The package that all of this lies in, or the rooms themselves.
_OURS: Final = frozenset(
    ("bots", "games", "leagues", "luck", "matches", "peck", "pecking", "ratings", "sandbox", "tournaments", "web")
)
_HIDDEN: Final = frozenset(("_pyodide", "_pyodide_core", "js", "pyodide", "pyodide_js"))  # of a browser: not the site's


class InlineReply(NamedTuple):
    """What a bot answered, what it printed since its last answer, and the seconds that it took."""

    action: str
    output: str
    cpu: float
    wall: float


class InlineCage:
    """Starts bots; see ``sandbox.Cage``. ``asks`` is called before a bot runs with the table position that it sits at.
    ``times`` are the seconds of every action, by position. The question with the number ``watched``, counted from 1
    since ``count`` was 0, may take so many ``seconds``; then ``late`` is told where the bot is, and what it printed.

    ``folder`` is where the files of the bots go; nothing else may be in it.
    """

    def __init__(
        self,
        folder: Path,
        asks: Callable[[int], None] = lambda position: None,
        late: Callable[[BotFault], None] = lambda fault: None,
        seconds: float = 0.0,
    ) -> None:
        self._folder = folder
        self._folders: dict[str, str] = {}
        self._asks = asks
        self._late = late
        self._seconds = seconds
        self.times: dict[int, list[float]] = {}
        self.count = 0
        self.watched = 0

    def ask(self, box: "InlineBox") -> "Watch | nullcontext[None]":
        """Say who is asked; return what watches the question, if it is to be."""
        self._asks(box.position)
        self.count += 1
        if self.count != self.watched:
            return nullcontext()
        return Watch(box.folder, self._seconds, lambda used, frames: self._late(box.overtime(used, frames)))

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> "InlineBox":
        """Start the bot whose files these are.

        Raises:
            BotFault: it did not start.
        """
        box = InlineBox(self, self._written(files), int(table["seat"]), limits)
        box.start(table, seed)
        return box

    def _written(self, files: Mapping[str, bytes]) -> str:
        """Return the folder that the files are in."""
        key = repr(sorted(files.items()))
        if key not in self._folders:
            folder = self._folder / str(len(self._folders))
            for name, data in files.items():
                path = folder / name
                if not path.resolve().is_relative_to(folder.resolve()):
                    raise PlatformFault(f"{name} is no file of a bot")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            self._folders[key] = str(folder.resolve())
        return self._folders[key]


class InlineBox:
    """A bot in one game; see ``sandbox.Box``."""

    def __init__(self, cage: InlineCage, folder: str, position: int, limits: Limits) -> None:
        self._cage = cage
        self.position = position
        self.limits = limits
        self.folder = folder
        self.place = _Surroundings(folder, limits.output)
        self._act: entry.Act | None = None
        self._game_over: entry.GameOver | None = None
        self.cpu = 0.0
        self.slept = 0.0
        self.is_act_idle = False

    def overtime(self, used: float, frames: list[Frame]) -> BotFault:
        """Return the fault of a question that took ``used`` seconds of processor time and is at ``frames`` now."""
        limits = self.limits
        span, allowed = ("for one action", limits.act_cpu) if self._act else ("at the start", limits.start_cpu)
        fault = overtime(limits, Verdict.CPU_TIME, used, allowed, span, 0.0)
        add_place(fault, frames)
        fault.output = self.place.printed.drain()
        return fault

    def start(self, table: Mapping[str, Any], seed: int) -> None:
        """Load the bot.

        Raises:
            BotFault: it did not start.
        """
        copied = json.loads(json.dumps(table))

        def load() -> str:
            entry.seed_randomness(seed)
            self._act, self._game_over, self.is_act_idle = entry.load(self.folder, copied)
            return ""

        self._asked(load, entry.verdict_of_start)

    def act(self, view: Mapping[str, Any]) -> InlineReply:
        """Return the bot's answer to this view.

        Raises:
            BotFault: it gave none. The box is closed.
        """
        if (act := self._act) is None:
            raise PlatformFault("the box is closed")
        copied = json.loads(json.dumps(view))  # as it crosses to a bot elsewhere: a copy, without tuples

        def answer() -> str:
            text = entry.checked(act(copied), self.limits.action_bytes)
            text.encode()
            return text

        reply = self._asked(answer, entry.verdict_of)
        self._cage.times.setdefault(self.position, []).append(reply.wall)
        return reply

    def finish(self, result: Mapping[str, Any]) -> str:
        """Tell the bot how the game ended; what it printed."""
        if (game_over := self._game_over) is None:
            return ""
        copied = json.loads(json.dumps(result))

        def over() -> str:
            game_over(copied)
            return ""

        try:
            return self._asked(over, entry.verdict_of).output
        except BotFault as fault:
            return fault.output

    def close(self) -> None:
        """End the bot's game. Idempotent, never raises."""
        self._act = self._game_over = None
        self.place.forget()

    def _asked(self, run: Callable[[], str], verdict_of: Callable[[BaseException], str]) -> InlineReply:
        watch = self._cage.ask(self)
        before = perf_counter()
        text, fault = "", None
        with self.place as printed:
            try:
                with watch:
                    text = run()
            except BaseException as error:
                fault = self._fault(error, verdict_of(error))
        spent = perf_counter() - before
        self.cpu += spent
        output = printed.drain()
        if fault is not None:
            fault.cpu = fault.wall = spent
            fault.output = output
            self.close()
            raise fault
        return InlineReply(text, output, spent, spent)

    def _fault(self, error: BaseException, verdict: str) -> BotFault:
        if entry.is_a(error, entry.ContractError):
            return BotFault(Verdict(verdict), str(error))
        name, line, detail = failure.describe(error, self.folder)
        return BotFault(Verdict(verdict), detail, line=line, exception=name)


class _Judge:
    """What is the judge's among the modules, and what is everyone's; looked for again when there are others."""

    def __init__(self) -> None:
        self._count = 0
        self.ours: dict[str, ModuleType] = {}
        self.everyones: frozenset[str] = frozenset()

    def look(self) -> None:
        if len(sys.modules) == self._count:
            return
        self._count = len(sys.modules)
        self.ours = {name: one for name, one in sys.modules.items() if name.partition(".")[0] in _OURS | _HIDDEN}
        self.everyones = frozenset((sys.modules.keys() - self.ours.keys()) | _HIDDEN)


_judge: Final = _Judge()


class _Surroundings:
    """What a bot finds around it while it runs, and finds again when it runs next."""

    def __init__(self, folder: str, cap: int) -> None:
        self._folder = folder
        self.printed = Printed(cap)
        self._own: dict[str, ModuleType] = {}
        self._random: Any = None
        self._numpy: Any = None
        self._kept: tuple[Any, ...] = ()

    def __enter__(self) -> Printed:
        _judge.look()
        modules = sys.modules
        self._kept = (
            (sys.stdout, sys.stderr, sys.stdin),
            sys.path[:],
            Path.cwd(),
            sys.getrecursionlimit(),
            random.getstate(),
        )
        for name in _judge.ours:
            del modules[name]
        modules.update(dict.fromkeys(_HIDDEN))  # type: ignore[arg-type]  # None: it cannot be imported
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
        fresh = [name for name in modules if name not in _judge.everyones]
        self._own = {name: modules[name] for name in fresh if name in self._own or self._is_own(modules[name])}
        for name in (*self._own, *_HIDDEN):
            modules.pop(name, None)
        modules.update(_judge.ours)
        (sys.stdout, sys.stderr, sys.stdin), sys.path[:], folder, deepest, chance = self._kept
        os.chdir(folder)
        sys.setrecursionlimit(deepest)
        random.setstate(chance)

    def forget(self) -> None:
        """Drop what the bot has loaded."""
        self._own = {}

    def _is_own(self, module: Any) -> bool:
        """Tell whether the module is the bot's: of a file in its folder, or made by it out of nothing."""
        if isinstance(name := getattr(module, "__file__", None), str):
            return name.startswith(f"{self._folder}/")
        return getattr(module, "__spec__", None) is None


@cache
def _is_ours(place: str) -> bool:
    return __file__.startswith(f"{place}/") or any(Path(place, name).is_dir() for name in ("pecking", "games"))
