"""Bots in the judge's own interpreter, for where there are no processes: a page of a browser.

Each bot has its own modules, files and random numbers; these are put in place when it is asked, and taken away after.
It cannot be interrupted from here: whoever runs the judge ends both, and may play the game once more, with the question
that got no answer watched, which says where the bot is then. What it changes in the standard library stays.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from games.protocol import BotFault, Limits, PlatformFault, Verdict
from peck.interpreter import Surroundings, Watch
from sandbox.inside import entry, failure
from sandbox.overtime import Frame, add_place, overtime


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
        self.place = Surroundings(folder, limits.output)
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
