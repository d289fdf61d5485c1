"""Read what a bot's process says, and tag turns so that an answer counts for no other.

Every byte is hostile: it becomes an answer or the bot's fault.

Where a bot was when its time was up. All of it is the bot's own text: nothing else is believed of it.
"""

import os
import re
import select
import signal
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import monotonic
from typing import Final

import msgspec

from games.explanation import Answer, MoveExplanation, parted
from games.protocol import BotFault, Limits, PlatformFault, Verdict
from games.untrusted import clean

from .inside import tree, wire
from .inside.failure import DETAIL_CAP
from .overtime import Frame, add_place
from .process import Process

_LINES: Final = 10_000_000
# What a runner may say of its bot; the other verdicts are for the judge to find.
_FAILURES: Final = {
    verdict.value: verdict
    for verdict in (
        Verdict.CRASHED,
        Verdict.IMPORT_ERROR,
        Verdict.NO_ENTRY_POINT,
        Verdict.MEMORY,
        Verdict.EXITED,
        Verdict.MALFORMED,
        Verdict.OVERSIZE,
    )
}

_read_answer: Final = msgspec.msgpack.Decoder(Answer).decode
_read_failure: Final = msgspec.msgpack.Decoder(wire.WireFailure).decode


def turn_tags() -> Iterator[bytes]:
    """Yield tags that nobody can guess. They are fetched for many turns at a time, because the kernel is slow."""
    while True:
        some = os.urandom(32 * wire.TAG)
        for at in range(0, len(some), wire.TAG):
            yield some[at : at + wire.TAG]


def read_ready(message: memoryview) -> bool:
    """Read that the bot has started; return whether it has a function act that its class Bot leaves idle.

    Raises:
        BotFault: it has not, or says something else.
    """
    if message[:1] == wire.FAILURE:
        raise _failure(message)
    if message not in (wire.READY, wire.READY_ACT_IDLE):
        raise BotFault(Verdict.PROTOCOL, "the first message is not the runner's")
    return message == wire.READY_ACT_IDLE


def read_answer(message: memoryview, tag: bytes, earlier: bytes, limits: Limits) -> tuple[str, MoveExplanation | None]:
    """Return the action in the answer to the turn with this tag, and what the bot says of it; ``earlier`` was the tag
    of the turn before.

    Raises:
        BotFault: the message is no such answer.
    """
    if message[: wire.HEAD] != wire.ANSWER + tag:
        raise _no_answer(message, earlier)
    try:
        action, explanation = parted(_read_answer(message[wire.HEAD :]))
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BotFault(Verdict.MALFORMED, f"the answer cannot be decoded: {error}") from None
    if 4 * len(action) > limits.action_bytes and (size := len(action.encode())) > limits.action_bytes:
        detail = f"the action has {size} bytes; at most {limits.action_bytes} are allowed"
        raise BotFault(Verdict.OVERSIZE, detail)
    return action, explanation


def _no_answer(message: memoryview, earlier: bytes) -> BotFault:
    """Return what a message is that does not begin as this turn's answer does."""
    kind = bytes(message[:1])
    if kind == wire.FAILURE:
        return _failure(message)
    if kind != wire.ANSWER:
        return BotFault(Verdict.PROTOCOL, f"a message of an unknown kind, {kind!r}")
    if earlier and message[1 : wire.HEAD] == earlier:
        return BotFault(Verdict.UNSOLICITED, "a second answer to the turn before")
    return BotFault(Verdict.PROTOCOL, "an answer without this turn's tag")


def _failure(message: memoryview) -> BotFault:
    """Return what the runner, or something that plays the runner, reports of an exception."""
    try:
        failure = _read_failure(message[1:])
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        return BotFault(Verdict.MALFORMED, f"the report of a failure cannot be decoded: {error}")
    if failure.verdict not in _FAILURES:
        return BotFault(Verdict.PROTOCOL, "a report of a failure that no runner makes")
    return BotFault(
        _FAILURES[failure.verdict],
        clean(failure.detail, DETAIL_CAP),
        line=failure.line if failure.line is not None and 0 < failure.line < _LINES else None,
        exception=clean(failure.exception, 100),
    )


_CPU: Final = 0.05  # seconds for saying where it is, which takes a millisecond
_WALL: Final = 1.0  # seconds, if it has to wait for a core
_LOOK: Final = 10  # milliseconds
_LOOKS: Final = 5  # at a process that says nothing and does nothing
_MOST: Final = 1 << 16  # bytes
_FRAME: Final = re.compile(rf'^  File "{tree.BOT_FOLDER}/(.+)", line (\d{{1,7}}) in (.+)$', re.MULTILINE)


def tell_place(fault: BotFault, process: Process, channel: socket.socket, files: Mapping[str, bytes]) -> None:
    """Ask a bot whose time is up where it is, and add that to its fault: the line, and the stack of its own files.

    The interpreter answers, in a signal handler that is not Python: a loop in C tells its line too.
    """
    with suppress(OSError, PlatformFault):
        add_place(fault, _frames(_ask(process, channel).decode("ascii", "replace"), files))


def _ask(process: Process, channel: socket.socket) -> bytes:
    """Return what the bot's process says on its channel when it is signalled, at most for ``_CPU`` seconds."""
    before, began, said, idle = process.cpu, monotonic(), b"", 0
    process.signal(signal.SIGXCPU)
    process.signal(signal.SIGCONT)
    poll = select.poll()
    poll.register(channel, select.POLLIN)
    while not _is_whole(said) and len(said) < _MOST:
        if poll.poll(_LOOK):
            if not (piece := channel.recv(4096, socket.MSG_DONTWAIT)):
                break
            said, idle = said + piece, 0
        elif not process.wants_a_core():
            idle += 1
        if idle >= _LOOKS or process.cpu - before > _CPU or monotonic() - began > _WALL:
            break
    return said


def _is_whole(said: bytes) -> bool:
    """Tell whether the traceback is complete: down to the command that started the runner, or to too many frames."""
    return said.endswith(b"  ...\n") or (b'runner.py", line ' in said and said.endswith(b" in <module>\n"))


def _frames(said: str, files: Mapping[str, bytes]) -> list[Frame]:
    """Return the frames of the bot's files in what faulthandler wrote, innermost last, with their lines of source."""
    names = {name.encode("ascii", "backslashreplace").decode(): name for name in files}
    found = []
    for escaped, number, function in reversed(_FRAME.findall(said)):
        lines = files[names[escaped]].decode("utf-8", "replace").splitlines() if escaped in names else []
        if 0 < int(number) <= len(lines):
            source = clean(lines[int(number) - 1].strip(), 400)
            found.append((names[escaped], int(number), clean(function, 100), source))
    return found
