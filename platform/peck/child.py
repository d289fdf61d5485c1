"""The bot's process at home. It plays one game after another, each in a fork where the system supports it."""

import gc
import io
import os
import sys
from contextlib import suppress
from traceback import StackSummary
from typing import Any, BinaryIO, Final, NoReturn
from warnings import catch_warnings, simplefilter

from peck.child_limits import Clock, child_limits_apply
from peck.processes import OURS, peck_process_receive, peck_process_send
from sandbox.inside import entry, failure
from sandbox.inside.entry import entry_answer_read, entry_verdict_of, entry_verdict_of_start
from sandbox.inside.stdout_capture import Printed

COMPILED_MOST: Final = 64 * 1024  # bytes; compiling takes a few hundredths of a second


def main(start_method: str, folder: str, file: str, *preload: str) -> NoReturn:
    """Play the games that the judge orders on standard input, until it is closed. The method is "fork" or "spawn"."""
    orders, answers = _channels()
    for name in preload:
        with suppress(ImportError):  # the module may not be installed; the bot reports that if it needs the module
            __import__(name)
    _prepare_process(folder)
    if start_method == "fork":
        _compile_once(os.path.join(folder, file))  # noqa: PTH118 - the path under which the games load it
        gc.freeze()  # a garbage collection must not copy the memory that all games share
    known = frozenset(sys.modules)
    while (order := peck_process_receive(orders)) is not None:
        if start_method == "spawn":
            ChildGame(folder, file, known, orders, answers).play(*order)
        pid = os.fork()
        if not pid:
            ChildGame(folder, file, known, orders, answers).play(*order)
        peck_process_send(answers, "ended", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    os._exit(0)


class ChildGame:
    """One game of the bot ``file`` in ``folder``. ``known`` are the modules that were loaded before it."""

    def __init__(self, folder: str, file: str, known: frozenset[str], orders: BinaryIO, answers: BinaryIO) -> None:
        self._known = known
        self._folder = folder
        self._file = file
        self._orders = orders
        self._answers = answers
        self._clock = Clock(self._too_slow)
        self._printed = Printed(0)

    def play(self, table: dict[str, Any], seed: int, limits: dict[str, Any], strict: bool) -> NoReturn:
        """Load the bot, report that it is ready, and answer until the judge ends the game. ``strict`` applies the
        cage's rules.
        """
        self._printed = Printed(limits["output"])
        sys.stdout = sys.stderr = self._printed
        entry.seed_randomness(seed)
        if strict:
            child_limits_apply(limits["memory"])
        self._clock.begin(limits["start_cpu"], limits["start_wall"])
        try:
            act, game_over, is_act_idle = entry.load(self._folder, table, self._file)
        except BaseException as error:
            self._fail(error, entry_verdict_of_start(error))
        with self._clock.lock:
            cpu, _ = self._clock.end()
            self._send("ready", cpu, self._imported(), is_act_idle)
        longest = limits["action_bytes"]
        while (message := peck_process_receive(self._orders)) is not None and message[0] != "end":
            what, content, cpu, wall = message
            self._clock.begin(cpu, wall)
            try:
                if what == "view":
                    answer = entry_answer_read(act(content), longest)
                    # The site sends an answer as UTF-8, so an answer that cannot be encoded is not text.
                    (answer if type(answer) is str else answer[0]).encode()
                else:
                    answer = ""
                    if game_over is not None:
                        game_over(content)
            except BaseException as error:
                self._fail(error, entry_verdict_of(error))
            with self._clock.lock:
                self._send("answer", answer, self._printed.drain(), *self._clock.end())
        os._exit(0)

    def _imported(self) -> list[str]:
        """Return the files beside the bot's file that it has imported."""
        fresh = sys.modules.keys() - self._known - {"bot"}
        found = {str(getattr(sys.modules.get(name), "__file__", None)) for name in fresh}
        inside = [os.path.relpath(path, self._folder) for path in found if path.startswith(self._prefix)]
        return sorted(name for name in inside if "site-packages" not in name)

    @property
    def _prefix(self) -> str:
        return os.path.join(self._folder, "")  # noqa: PTH118 - ends with the separator

    def _fail(self, error: BaseException, verdict: str) -> NoReturn:
        with self._clock.lock:
            cpu, wall = self._clock.end()
            if entry.is_a(error, entry.ContractError):
                name, line, detail = "", None, str(error)
            else:
                name, line, detail = failure.describe(error, self._folder)
            self._send("failure", verdict, name, line, detail, self._printed.drain(), cpu, wall)
        os._exit(1)

    def _too_slow(self, verdict: str, used: float, allowed: float, where: StackSummary) -> None:
        """End the process of a bot that is too slow. The clock calls it in its thread, with its lock held."""
        own = [
            (os.path.relpath(frame.filename, self._folder), frame.lineno, frame.name, frame.line or "")
            for frame in where
            if frame.filename.startswith(self._prefix)
        ]
        self._send("overtime", verdict, used, allowed, own, self._printed.drain(), *self._clock.end())
        os._exit(1)

    def _send(self, *message: Any) -> None:
        try:
            peck_process_send(self._answers, *message)
        except OSError:  # the judge has ended
            os._exit(1)


def _compile_once(path: str) -> None:
    """Compile a bot once for all its games.

    Three kinds of bots are compiled in each game instead: a long bot, because the time of compiling counts on the site,
    too; a bot with errors; and a bot with warnings, because they are part of the game's output.
    """
    with suppress(Exception), catch_warnings():
        simplefilter("error")
        if os.stat(path).st_size <= COMPILED_MOST:  # noqa: PTH116
            entry.compiled(path)


def _channels() -> tuple[BinaryIO, BinaryIO]:
    """Move the judge's pipes away from standard input and output. What a bot itself reads from or writes to these then
    has no effect.
    """
    orders, answers = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (orders, answers):
            msvcrt.setmode(descriptor, os.O_BINARY)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    # Unbuffered, because the next game must read what this one has not read.
    return open(orders, "rb", buffering=0), open(answers, "wb", buffering=0)  # noqa: PTH123


def _prepare_process(folder: str) -> None:
    """Set up what every bot finds: its own files first on the path, no environment variables, no input, none of our
    modules.
    """
    for name in list(sys.modules):
        if name.partition(".")[0] in OURS:
            del sys.modules[name]
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    sys.argv[:] = [f"{folder}/bot.py"]
    os.environ.clear()
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    os.chdir(folder)
