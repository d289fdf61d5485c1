"""Run bots in the judge's own process, without limits: fast, for an author's own bots (``--in-process``).

A bot is loaded again for each game, so records are the same as with separate processes. The bots share the interpreter:
while a bot runs, its own module, output and random state are installed. For a bot of several files, its helper modules
are installed too, which takes a millisecond for each call.
"""

import random
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import thread_time
from types import ModuleType, TracebackType
from typing import Any, Final, cast

from games.explanation import Answer, explanation_parted
from games.protocol import BotFault, Limits, PlatformFault
from games.state import View
from peck.bots import HomeBot, peck_bots_as_uploaded
from peck.inline import InlineReply, inline_fault
from peck.interpreter import BotEnvironment
from sandbox.inside import entry
from sandbox.inside.entry import entry_answer_read, entry_verdict_of, entry_verdict_of_start
from sandbox.inside.stdout_capture import Printed


class InProcessCage:
    """Starts ``HomeBot``s, with the interface of ``HomeCage``. ``times`` has the CPU seconds of each action, by the
    name of the bot.
    """

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = defaultdict(list)
        self.imported: dict[str, list[str]] = {}
        self._facts: dict[Path, tuple[bool, Sequence[str]]] = {}

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> "InProcessBox":
        """Start a bot.

        Raises:
            BotFault: the bot did not start.
            PlatformFault: the bot would replace a module of the caller.
        """
        if "bot" in sys.modules:
            raise PlatformFault("a module is called bot: bots cannot be played in this process")
        bot = cast("HomeBot", files)
        path = bot.folder / bot.file
        if path not in self._facts:
            self._facts[path] = _facts(bot)
        has_one_file, uses = self._facts[path]
        box = InProcessBox(str(bot.folder), self.times[bot.name], limits, uses, has_one_file=has_one_file)
        box.start(bot.file, dict(table), seed)
        return box

    def close(self) -> None:
        """Do nothing: there are no processes."""


class InProcessBox:
    """A bot in one game; see ``sandbox.Box``."""

    slept = 0.0

    def __init__(
        self, folder: str, times: list[float], limits: Limits, uses: Sequence[str], *, has_one_file: bool
    ) -> None:
        self._folder, self._times, self._limits, self._uses = folder, times, limits, uses
        self._environment = _OneFile(limits.output, _Luck(uses)) if has_one_file else _ManyFiles(folder, limits.output)
        self.cpu = 0.0

    def start(self, file: str, table: dict[str, Any], seed: int) -> None:
        """Load the bot.

        Raises:
            BotFault: the bot did not start.
        """

        def load() -> str:
            # A bot that uses no generator is not seeded: this would overwrite the state of the bot that played before.
            if self._uses:
                entry.seed_randomness(seed)
            self._act, self._game_over, self.is_act_idle = entry.load(self._folder, table, file)
            return ""

        self._call(load, entry_verdict_of_start)

    def act(self, view: View) -> InlineReply:
        """Return the bot's answer to this view.

        Raises:
            BotFault: the bot failed.
        """
        reply = self._call(lambda: entry_answer_read(self._act(view), self._limits.action_bytes), entry_verdict_of)
        self._times.append(reply.cpu)
        return reply

    def finish(self, result: Mapping[str, Any]) -> str:
        """Tell the bot how the game ended. Return what it printed."""
        if (game_over := self._game_over) is None:
            return ""
        try:
            return self._call(lambda: str(game_over(dict(result)) and ""), entry_verdict_of).output
        except BotFault as fault:
            return fault.output

    def close(self) -> None:
        """Remove the modules that the bot has loaded."""
        self._environment.forget()

    def _call(self, run: Callable[[], Answer], verdict_of: Callable[[BaseException], str]) -> InlineReply:
        found: Answer = ""
        before, fault = thread_time(), None
        with self._environment as printed:
            try:
                found = run()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                fault = inline_fault(error, verdict_of(error), self._folder)
        spent = thread_time() - before
        self.cpu += spent
        output = printed.drain()
        if fault is not None:
            fault.cpu = fault.wall = spent
            fault.output = output
            raise fault
        action, explanation = explanation_parted(found)
        return InlineReply(action, output, spent, spent, explanation)


class _OneFile:
    """The environment of a bot with one file; see ``BotEnvironment``."""

    def __init__(self, cap: int, luck: "_Luck") -> None:
        self._printed = Printed(cap)
        self._luck = luck
        self._module: ModuleType | None = None
        self._saved: tuple[Any, ...] = ()

    def __enter__(self) -> Printed:
        self._saved = sys.stdout, sys.stderr
        sys.stdout = sys.stderr = self._printed
        if self._module is not None:
            sys.modules["bot"] = self._module
        self._luck.take_over()
        return self._printed

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._module = sys.modules.pop("bot", None)
        sys.stdout, sys.stderr = self._saved

    def forget(self) -> None:
        self._module = None


class _ManyFiles(BotEnvironment):
    """The environment of a bot with several files. It stores its own random states."""

    def __enter__(self) -> Printed:
        _Luck.put_down()
        return super().__enter__()


class _Luck:
    """The states of the random generators that a bot ``uses``. The states are exchanged only when another bot that uses
    a generator takes over, because the exchange takes longer than most decisions.
    """

    holder: "_Luck | None" = None

    def __init__(self, uses: Sequence[str]) -> None:
        self._uses = uses
        self._states: list[Any] = []

    def take_over(self) -> None:
        if not self._uses or _Luck.holder is self:
            return
        self.put_down()
        # There are no states before the bot's first turn.
        for name, state in zip(self._uses, self._states, strict=False):
            STATES[name][1](state)
        _Luck.holder = self

    @staticmethod
    def put_down() -> None:
        """Store the states of the bot that played last."""
        if (last := _Luck.holder) is not None:
            last._states = [STATES[name][0]() for name in last._uses]
            _Luck.holder = None


def _facts(bot: HomeBot) -> tuple[bool, Sequence[str]]:
    """Return whether the bot is a single file, and which random generators it uses."""
    sources = [one.read_bytes() for one in bot.sources()]
    uses = [name for name in STATES if any(name.encode() in source for source in sources) and find_spec(name)]
    if "numpy" in uses:
        __import__("numpy")  # imported before the bot, so that its randomness is seeded
    return len(peck_bots_as_uploaded(bot)) == 1, uses


STATES: Final[Mapping[str, tuple[Callable[[], Any], Callable[[Any], None]]]] = {
    "random": (random.getstate, random.setstate),
    "numpy": (
        lambda: sys.modules["numpy"].random.get_state(),
        lambda state: sys.modules["numpy"].random.set_state(state),
    ),
}
