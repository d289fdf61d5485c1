"""Run a command of ``peck`` for a tool of ``peck mcp``, in a process with limited time and output."""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from peck import SITE, USAGE, text_counted

HEAD: Final = 4_000  # bytes from the beginning of the output that are always returned
TAIL: Final = 14_000  # bytes from the end of the output that are always returned
GRACE: Final = 5.0  # seconds between the interruption and the kill
TOKEN: Final = "PECK_TOKEN"  # noqa: S105 - the name of a variable
ALONE: Final = os.name == "posix"


class CommandFailed(Exception):
    """The call was wrong, or the site refused. The message is the command's output."""


@dataclass(frozen=True, slots=True)
class CommandRunner:
    """Runs commands in ``folder``, one at a time, because judge and bots need all cores."""

    folder: Path
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    running: set[asyncio.subprocess.Process] = field(default_factory=set)

    async def run(self, words: Sequence[str], seconds: float, *, with_token: bool = False) -> str:
        """Return the output of the command ``words``. After ``seconds`` the command is interrupted; the command of a
        series then prints its results so far. Without ``with_token``, the token is removed from the environment, so
        that bots at home cannot read it.

        Raises:
            CommandFailed: the call is wrong, or the site refuses.
        """
        async with self.turn:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-P", "-m", __package__, *words),
                cwd=self.folder,
                env=_environment(with_token=with_token),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=ALONE,
            )
            self.running.add(process)
            try:
                text, late = await _output(process, seconds)
            finally:
                self.end()
                code = await process.wait()
        if late:
            text += f"\n[interrupted after {seconds:g} s: allow more seconds, or ask for less]"
        if code in (USAGE, SITE):
            raise CommandFailed(text or f"peck {words[0]} failed (exit code {code})")
        return f"{text}\n[exit code {code}]" if code and not late else text

    def end(self) -> None:
        """End the running command and all processes that it has started."""
        while self.running:
            _end(self.running.pop())


async def _output(process: asyncio.subprocess.Process, seconds: float) -> tuple[str, bool]:
    """Return the shortened output, and whether the process had to be interrupted."""
    found = _Bounded()
    reading = asyncio.ensure_future(_read(process, found))
    try:
        done, _ = await asyncio.wait([reading], timeout=seconds)
        if not done:
            with suppress(ProcessLookupError, ValueError):  # Windows has no such signal
                process.send_signal(signal.SIGINT)
            await asyncio.wait([reading], timeout=GRACE)
        return found.text(), not done
    finally:
        reading.cancel()


async def _read(process: asyncio.subprocess.Process, found: "_Bounded") -> None:
    assert process.stdout is not None  # noqa: S101
    while data := await process.stdout.read(8192):
        found.add(data)


class _Bounded:
    """Collects the beginning and the end of an output of any length."""

    def __init__(self) -> None:
        self._head = b""
        self._tail: deque[int] = deque(maxlen=TAIL)
        self._length = 0

    def add(self, data: bytes) -> None:
        self._length += len(data)
        room = HEAD - len(self._head)
        self._head += data[:room]
        self._tail.extend(data[max(0, room) :])

    def text(self) -> str:
        left_out = self._length - len(self._head) - len(self._tail)
        middle = f"\n[{text_counted(left_out, 'byte')} left out]\n".encode() if left_out else b""
        return (self._head + middle + bytes(self._tail)).decode("utf-8", "replace").strip()


def _end(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError, PermissionError):
        if ALONE:
            os.killpg(process.pid, signal.SIGKILL)
        elif process.returncode is None:
            process.terminate()


def _environment(*, with_token: bool) -> dict[str, str]:
    whole = {name: value for name, value in os.environ.items() if with_token or name != TOKEN}
    first = sys.path[0] if sys.path else ""
    # The path of peck.pyz, which a fresh interpreter would not find.
    packed = {"PYTHONPATH": first} if first and Path(first).is_file() else {}
    return whole | packed
