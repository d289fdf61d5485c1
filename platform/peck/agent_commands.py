"""Run a command of ``peck`` for a tool of ``peck mcp``: in a process, bounded in time and output."""

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

HEAD: Final = 4_000  # bytes of output that are always handed on
TAIL: Final = 14_000  # and of its end
GRACE: Final = 5.0  # seconds between the request to end and the end
TOKEN: Final = "PECK_TOKEN"  # noqa: S105 - the name of a variable
ALONE: Final = os.name == "posix"


class CommandFailed(Exception):
    """A wrong call, or a refusal of the site; the text is what the command says of it."""


@dataclass(frozen=True, slots=True)
class CommandRunner:
    """Runs commands in ``folder``, one at a time: judge and bots need the cores for themselves."""

    folder: Path
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    running: set[asyncio.subprocess.Process] = field(default_factory=set)

    async def run(self, words: Sequence[str], seconds: float, *, with_token: bool = False) -> str:
        """Return what the command ``words`` prints. After ``seconds`` it is interrupted, which makes series say what is
        known so far. Bots that play at home do not find the token in their environment.

        Raises:
            CommandFailed: it ends as a wrong call, or the site refuses.
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
        """End the command that runs, and what it has started."""
        while self.running:
            _end(self.running.pop())


async def _output(process: asyncio.subprocess.Process, seconds: float) -> tuple[str, bool]:
    """Return the bounded output, and whether the process had to be interrupted."""
    found = _Bounded()
    reading = asyncio.ensure_future(_read(process, found))
    try:
        done, _ = await asyncio.wait([reading], timeout=seconds)
        if not done:
            with suppress(ProcessLookupError, ValueError):  # of Windows, which has no such signal
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
    """The head and the tail of an output, however long it is."""

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
    packed = {"PYTHONPATH": first} if first and Path(first).is_file() else {}  # peck.pyz, which no interpreter finds
    return whole | packed
