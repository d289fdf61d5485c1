"""Run bots in their own processes at home: ``HomeCage`` starts bots, ``HomeBox`` is a bot in one game."""

import os
import signal
import subprocess
import threading
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from dataclasses import asdict
from time import monotonic
from types import TracebackType
from typing import Any, BinaryIO, Final, NamedTuple, Self, cast

from games.explanation import MoveExplanation, explanation_parted
from games.protocol import BotFault, Limits, PlatformFault, Verdict
from peck.bots import HomeBot
from peck.processes import (
    ENVIRONMENT,
    peck_process_module_command,
    peck_process_on_one_core,
    peck_process_receive,
    peck_process_send,
)
from sandbox.overtime import overtime_add_place, overtime_fault

FORKS: Final = hasattr(os, "fork")
# The clock in the bot's process ends it when a limit is exceeded; it does not count time without a core. The judge's
# limit is ``_PATIENCE`` times longer plus ``_GRACE``: it ends a process that this clock cannot interrupt.
_PATIENCE: Final = 4
_GRACE: Final = 3.0  # seconds
_LOOK: Final = 0.25


class HomeReply(NamedTuple):
    """A bot's answer, the bot's output since its last answer, the seconds that this answer took, and its
    explanation.
    """

    action: str
    output: str
    cpu: float
    wall: float
    explanation: MoveExplanation | None = None


class Launcher:
    """The process in which a bot plays its games. The judge ends it if it still waits at ``deadline``."""

    def __init__(self, bot: HomeBot, start_method: str) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            peck_process_module_command("child", start_method, str(bot.folder), bot.file, *bot.preload),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | ENVIRONMENT,
            start_new_session=FORKS,  # only the judge handles Ctrl-C, and it kills the process with its forks
            bufsize=0,
        )
        self.deadline: float | None = None
        self.overdue = False

    def request(self, seconds: float, *message: Any) -> Any:
        """Send a message and return the answer, or None if the process has ended or was ended after ``seconds``."""
        self.deadline = monotonic() + seconds
        try:
            peck_process_send(cast("BinaryIO", self._process.stdin), *message)
            return self.listen()
        except OSError:
            return None
        finally:
            self.deadline = None

    def listen(self) -> Any:
        """Return the next message, or None if the process has ended."""
        return peck_process_receive(cast("BinaryIO", self._process.stdout))

    def end(self) -> int:
        """Kill the process and all that it has started; return its exit code. Idempotent."""
        if FORKS:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("BinaryIO", pipe).close()
        return self._process.wait()


class HomeBox:
    """A bot in one game; see ``sandbox.Box``."""

    def __init__(self, cage: "HomeCage", bot: HomeBot, launcher: Launcher, limits: Limits) -> None:
        self._cage = cage
        self._bot = bot
        self._launcher = launcher
        self._limits = limits
        self._bank = min(limits.game_cpu, limits.game_wall)
        self._spent = 0.0  # seconds of ``_bank`` that are used up
        self._alive = True
        self.cpu = 0.0
        self.slept = 0.0
        self.imported: list[str] = []
        self.is_act_idle = False

    def start(self, table: Mapping[str, Any], seed: int) -> None:
        """Wait until the bot is ready.

        Raises:
            BotFault: the bot did not start.
        """
        limits = self._limits
        message = self._launcher.request(
            _PATIENCE * limits.start_wall + _GRACE, dict(table), seed, asdict(limits), self._cage.strict
        )
        if message is None or message[0] != "ready":
            raise self._fault(message, "at the start")
        _, self.cpu, self.imported, self.is_act_idle = message

    def act(self, view: Mapping[str, Any]) -> HomeReply:
        """Return the bot's answer to this view.

        Raises:
            BotFault: the bot failed. The box is closed.
        """
        left = self._bank - self._spent
        reply = self._turn("view", view, min(self._limits.act_cpu, left), min(self._limits.act_wall, left + 1.0))
        self._cage.times[self._bot.name].append(reply.cpu)
        return reply

    def finish(self, result: Mapping[str, Any]) -> str:
        """Tell the bot how the game ended. Return what it printed."""
        try:
            return self._turn("over", result, self._limits.act_cpu, self._limits.act_wall).output
        except BotFault as fault:
            return fault.output

    def close(self) -> None:
        """End the bot's game. Idempotent; never raises."""
        if not self._alive:
            return
        self._alive = False
        if (
            self._cage.start_method == "fork"
            and (ended := self._launcher.request(_GRACE, "end"))
            and ended[0] == "ended"
        ):
            self._cage.release(self._bot, self._launcher)
        else:
            self._cage.discard(self._launcher)

    def _turn(self, kind: str, content: Mapping[str, Any], cpu: float, wall: float) -> HomeReply:
        if not self._alive:
            raise PlatformFault("the box is closed")
        message = self._launcher.request(_PATIENCE * wall + _GRACE, kind, content, cpu, wall)
        if message is None or message[0] != "answer":
            raise self._fault(message, "for one action")
        _, answer, output, spent, took = message
        action, explanation = explanation_parted(answer)
        reply = HomeReply(action, output, spent, took, explanation)
        self.cpu += reply.cpu
        self._spent += reply.cpu
        return reply

    def _fault(self, message: Any, span: str) -> BotFault:
        """Return the fault that the last message reports, and close the box."""
        self._alive = False
        if message is None:
            self._cage.discard(self._launcher)
            if self._launcher.overdue:
                return BotFault(Verdict.WALL_TIME, f"no answer {span}, and it could not be interrupted")
            return BotFault(Verdict.EXITED, "the bot's process ended itself")
        kind, *content = message
        if (
            kind != "ended" and self._cage.start_method == "fork" and self._launcher.listen() is not None
        ) or kind == "ended":
            self._cage.release(self._bot, self._launcher)
        else:
            self._cage.discard(self._launcher)
        if kind == "failure":
            verdict, name, line, detail, output, cpu, wall = content
            return BotFault(Verdict(verdict), detail, line=line, exception=name, cpu=cpu, wall=wall, output=output)
        if kind == "overtime":
            verdict, used, allowed, frames, output, cpu, wall = content
            fault = overtime_fault(self._limits, Verdict(verdict), used, allowed, span, 0.0)
            overtime_add_place(fault, frames)
            fault.output, fault.cpu, fault.wall = output, cpu, wall
            return fault
        (code,) = content
        if code < 0:
            return BotFault(Verdict.KILLED, f"the bot's process crashed: {signal.strsignal(-code)} (signal {-code})")
        return BotFault(Verdict.EXITED, f"the bot's process ended itself with code {code}")


class HomeCage:
    """Starts bots at home; see ``sandbox.Cage``. Use it in a ``with``. ``times`` has the CPU seconds of each action by
    the bot's name.

    ``start_method`` is "fork", or "spawn" on systems without fork: a new process for each game. With ``strict``, bots
    run under the rules of the site's cage, see ``peck.child_limits``.
    """

    def __init__(self, start_method: str = "fork" if FORKS else "spawn", *, strict: bool = False) -> None:
        self.start_method = start_method
        self.strict = strict
        self.times: dict[str, list[float]] = defaultdict(list)
        self.imported: dict[str, list[str]] = {}
        self._idle: dict[str, list[Launcher]] = defaultdict(list)
        self._all: list[Launcher] = []
        self._closed = threading.Event()
        self._core = ExitStack()
        threading.Thread(target=self._watch, daemon=True).start()

    def __enter__(self) -> Self:
        self._core.enter_context(peck_process_on_one_core())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closed.set()
        for launcher in list(self._all):
            self.discard(launcher)
        self._core.close()

    def start(self, files: Mapping[str, bytes], table: Mapping[str, Any], seed: int, limits: Limits) -> HomeBox:
        """Start a bot, which is a ``HomeBot``.

        Raises:
            BotFault: the bot did not start.
        """
        bot = cast("HomeBot", files)
        idle = self._idle[self._key(bot)]
        launcher = idle.pop() if idle else self._launch(bot)
        box = HomeBox(self, bot, launcher, limits)
        box.start(table, seed)
        self.imported[bot.name] = box.imported
        return box

    def release(self, bot: HomeBot, launcher: Launcher) -> None:
        """Make the process available for the bot's next game."""
        self._idle[self._key(bot)].append(launcher)

    def discard(self, launcher: Launcher) -> None:
        """End the process."""
        launcher.end()
        with suppress(ValueError):
            self._all.remove(launcher)

    def _launch(self, bot: HomeBot) -> Launcher:
        launcher = Launcher(bot, self.start_method)
        self._all.append(launcher)
        return launcher

    def _key(self, bot: HomeBot) -> str:
        return str(bot.folder / bot.file)

    def _watch(self) -> None:
        """End processes that do not answer, because a bot's own clock cannot interrupt everything."""
        while not self._closed.wait(_LOOK):
            now = monotonic()
            for launcher in list(self._all):
                if (deadline := launcher.deadline) is not None and now > deadline:
                    launcher.overdue = True
                    launcher.end()
