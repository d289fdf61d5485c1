"""Find out where a bot was when its time was up. The answer comes from the bot's process and is not trusted."""

import re
import select
import signal
import socket
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic
from typing import Final

from games.protocol import BotFault, PlatformFault
from games.untrusted import untrusted_text_clean

from .inside import tree
from .overtime import Frame, overtime_add_place
from .process import Process

_CPU: Final = 0.05  # CPU seconds for writing the traceback, which usually takes a millisecond
_WALL: Final = 1.0  # seconds of wall time, in case the bot has to wait for a core
_LOOK: Final = 10  # milliseconds between two looks at the process
_LOOKS: Final = 5  # looks at a silent and idle process after which the search ends
_MOST: Final = 1 << 16  # bytes of a traceback that are read
_FRAME: Final = re.compile(rf'^  File "{tree.BOT_FOLDER}/(.+)", line (\d{{1,7}}) in (.+)$', re.MULTILINE)


def overtime_place_find(fault: BotFault, process: Process, channel: socket.socket, files: Mapping[str, bytes]) -> None:
    """Ask a bot whose time is up where in its code it is. Add the line and the frames of its own files to its fault.

    The interpreter answers in a signal handler written in C. So the line is found even if the bot is in a loop in C.
    """
    with suppress(OSError, PlatformFault):
        overtime_add_place(fault, _frames(_ask(process, channel).decode("ascii", "replace"), files))


def _ask(process: Process, channel: socket.socket) -> bytes:
    """Signal the bot's process and return what it writes on its channel, within ``_CPU`` seconds."""
    before, began, output, idle = process.cpu, monotonic(), b"", 0
    process.signal(signal.SIGXCPU)
    process.signal(signal.SIGCONT)
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    while not _is_whole(output) and len(output) < _MOST:
        if poll.poll(_LOOK):
            if not (piece := channel.recv(4096, socket.MSG_DONTWAIT)):
                break
            output, idle = output + piece, 0
        elif not process.wants_a_core():
            idle += 1
        if idle >= _LOOKS or process.cpu - before > _CPU or monotonic() - began > _WALL:
            break
    return output


def _is_whole(output: bytes) -> bool:
    """Tell whether the traceback is complete: it reaches the runner's own command, or the maximum number of frames."""
    return output.endswith(b"  ...\n") or (b'runner.py", line ' in output and output.endswith(b" in <module>\n"))


def _frames(output: str, files: Mapping[str, bytes]) -> list[Frame]:
    """Return the frames of the bot's own files from faulthandler's output, innermost last, with their source lines."""
    names = {name.encode("ascii", "backslashreplace").decode(): name for name in files}
    found = []
    for escaped, number, function in reversed(_FRAME.findall(output)):
        lines = files[names[escaped]].decode("utf-8", "replace").splitlines() if escaped in names else []
        if 0 < int(number) <= len(lines):
            source = untrusted_text_clean(lines[int(number) - 1].strip(), 400)
            found.append((names[escaped], int(number), untrusted_text_clean(function, 100), source))
    return found
