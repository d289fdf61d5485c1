"""Run bots in the judge's own interpreter, where there are no processes: in a browser.

Each bot has its own modules, files and random numbers; they are installed while it runs and removed afterwards. What a
bot changes in the standard library stays changed.

This module cannot interrupt a bot: the page ends the judge and the bot together. To find the line where the bot hangs,
the page can play the game again and let the cage watch the request that got no answer.
"""

import json
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from games.explanation import Answer, MoveExplanation, explanation_parted
from games.protocol import BotFault, Limits, PlatformFault, Verdict
from peck.interpreter import BotEnvironment, PrintedAt, Watch
from sandbox.inside import entry, failure
from sandbox.inside.entry import entry_answer_read, entry_verdict_of, entry_verdict_of_start
from sandbox.overtime import Frame, overtime_add_place, overtime_fault


class InlineReply(NamedTuple):
    """An action, what the bot printed since its last action, the seconds that the action took, and its explanation."""

    action: str
    output: str
    cpu: float
    wall: float
    explanation: MoveExplanation | None = None


class InlineCage:
    """Starts bots; see ``sandbox.Cage``. ``folder`` is for the files of the bots only.

    ``on_request`` is called with a bot's table position before the bot runs. By position, ``times`` has the seconds of
    each action, and ``printed_at`` the output of each line of the bot. ``count`` is the number of requests to bots
    since the last message of the page. If request number ``watched`` takes longer than ``seconds``, ``on_late`` is
    called with a fault that says where the bot is and what it printed.
    """

    def __init__(
        self,
        folder: Path,
        on_request: Callable[[int], None] = lambda position: None,
        on_late: Callable[[BotFault], None] = lambda fault: None,
        seconds: float = 0.0,
    ) -> None:
        self._folder = folder
        self._folders: dict[str, str] = {}
        self._on_request = on_request
        self._on_late = on_late
        self._seconds = seconds
        self.times: dict[int, list[float]] = {}
        self.printed_at: dict[int, PrintedAt] = {}
        self.count = 0
        self.watched = 0

    def watch(self, box: "InlineBox") -> "Watch | nullcontext[None]":
        """Count a request to ``box``. Return its watch, or a context that does nothing."""
        self._on_request(box.position)
        self.count += 1
        if self.count != self.watched:
            return nullcontext()
        return Watch(box.folder, self._seconds, lambda used, frames: self._on_late(box.overtime(used, frames)))

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> "InlineBox":
        """Start the bot with these files.

        Raises:
            BotFault: the bot did not start.
        """
        box = InlineBox(self, self._folder_of(files), int(table["seat"]), limits)
        box.start(table, seed)
        return box

    def _folder_of(self, files: Mapping[str, bytes]) -> str:
        """Return the folder of these files. They are written on the first call."""
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
        self.environment = BotEnvironment(folder, limits.output)
        cage.printed_at[position] = self.environment.printed.at
        self._act: entry.Act | None = None
        self._game_over: entry.GameOver | None = None
        self.cpu = 0.0
        self.slept = 0.0
        self.is_act_idle = False

    def overtime(self, used: float, frames: list[Frame]) -> BotFault:
        """Return the fault of a request that has taken ``used`` CPU seconds and is now at ``frames``."""
        limits = self.limits
        span, allowed = ("for one action", limits.act_cpu) if self._act else ("at the start", limits.start_cpu)
        fault = overtime_fault(limits, Verdict.CPU_TIME, used, allowed, span, 0.0)
        overtime_add_place(fault, frames)
        fault.output = self.environment.printed.drain()
        return fault

    def start(self, table: Mapping[str, Any], seed: int) -> None:
        """Load the bot.

        Raises:
            BotFault: the bot did not start.
        """
        copied = json.loads(json.dumps(table))

        def load() -> str:
            entry.seed_randomness(seed)
            self._act, self._game_over, self.is_act_idle = entry.load(self.folder, copied)
            return ""

        self._call(load, entry_verdict_of_start)

    def act(self, view: Mapping[str, Any]) -> InlineReply:
        """Return the bot's answer to this view.

        Raises:
            BotFault: the bot failed. The box is closed.
        """
        if (act := self._act) is None:
            raise PlatformFault("the box is closed")
        copied = json.loads(json.dumps(view))  # a copy with lists instead of tuples, as another process would get

        def answer() -> Answer:
            found = entry_answer_read(act(copied), self.limits.action_bytes)
            explanation_parted(found)[0].encode()
            return found

        reply = self._call(answer, entry_verdict_of)
        self._cage.times.setdefault(self.position, []).append(reply.wall)
        return reply

    def finish(self, result: Mapping[str, Any]) -> str:
        """Tell the bot how the game ended. Return what it printed."""
        if (game_over := self._game_over) is None:
            return ""
        copied = json.loads(json.dumps(result))

        def over() -> str:
            game_over(copied)
            return ""

        try:
            return self._call(over, entry_verdict_of).output
        except BotFault as fault:
            return fault.output

    def close(self) -> None:
        """End the bot's game. Idempotent; never raises."""
        self._act = self._game_over = None
        self.environment.forget()

    def _call(self, run: Callable[[], Answer], verdict_of: Callable[[BaseException], str]) -> InlineReply:
        watch = self._cage.watch(self)
        before = perf_counter()
        found: Answer = ""
        fault = None
        with self.environment as printed:
            try:
                with watch:
                    found = run()
            except BaseException as error:
                fault = inline_fault(error, verdict_of(error), self.folder)
        spent = perf_counter() - before
        self.cpu += spent
        output = printed.drain()
        if fault is not None:
            fault.cpu = fault.wall = spent
            fault.output = output
            self.close()
            raise fault
        action, explanation = explanation_parted(found)
        return InlineReply(action, output, spent, spent, explanation)


def inline_fault(error: BaseException, verdict: str, folder: str) -> BotFault:
    """Return the fault of a bot in ``folder`` that raised ``error``."""
    if entry.is_a(error, entry.ContractError):
        return BotFault(Verdict(verdict), str(error))
    name, line, detail = failure.describe(error, folder)
    return BotFault(Verdict(verdict), detail, line=line, exception=name)
