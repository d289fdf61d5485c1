"""Parse the messages of a bot's process, and tag turns so that each answer counts for one turn only.

Every byte is hostile: a message becomes either an answer or the bot's fault.
"""

import os
from collections.abc import Iterator
from typing import Final

import msgspec

from games.explanation import Answer, MoveExplanation, explanation_parted
from games.protocol import BotFault, Limits, Verdict
from games.untrusted import untrusted_text_clean

from .inside import wire
from .inside.failure import DETAIL_CAP

_LINES: Final = 10_000_000
# Verdicts that a runner may report about its bot; only the judge finds the others.
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


def reply_tags() -> Iterator[bytes]:
    """Yield unguessable tags. They are generated for many turns at a time, because the system call is slow."""
    while True:
        some = os.urandom(32 * wire.TAG)
        for at in range(0, len(some), wire.TAG):
            yield some[at : at + wire.TAG]


def reply_ready_read(message: memoryview) -> bool:
    """Parse the message that the bot has started. Return whether its function ``act`` is unused because it has a class
    ``Bot``.

    Raises:
        BotFault: the bot has not started, or the message is not valid.
    """
    if message[:1] == wire.FAILURE:
        raise _failure(message)
    if message not in (wire.READY, wire.READY_ACT_IDLE):
        raise BotFault(Verdict.PROTOCOL, "the first message is not the runner's")
    return message == wire.READY_ACT_IDLE


def reply_answer_read(
    message: memoryview, tag: bytes, earlier: bytes, limits: Limits
) -> tuple[str, MoveExplanation | None]:
    """Return the action in the answer to the turn with this tag, and the bot's explanation of the action. ``earlier``
    is the tag of the previous turn.

    Raises:
        BotFault: the message is not a valid answer to this turn.
    """
    if message[: wire.HEAD] != wire.ANSWER + tag:
        raise _no_answer(message, earlier)
    try:
        action, explanation = explanation_parted(_read_answer(message[wire.HEAD :]))
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        raise BotFault(Verdict.MALFORMED, f"the answer cannot be decoded: {error}") from None
    if 4 * len(action) > limits.action_bytes and (size := len(action.encode())) > limits.action_bytes:
        detail = f"the action has {size} bytes; at most {limits.action_bytes} are allowed"
        raise BotFault(Verdict.OVERSIZE, detail)
    return action, explanation


def _no_answer(message: memoryview, earlier: bytes) -> BotFault:
    """Return the fault for a message that does not begin as this turn's answer must."""
    kind = bytes(message[:1])
    if kind == wire.FAILURE:
        return _failure(message)
    if kind != wire.ANSWER:
        return BotFault(Verdict.PROTOCOL, f"a message of an unknown kind, {kind!r}")
    if earlier and message[1 : wire.HEAD] == earlier:
        return BotFault(Verdict.UNSOLICITED, "a second answer to the turn before")
    return BotFault(Verdict.PROTOCOL, "an answer without this turn's tag")


def _failure(message: memoryview) -> BotFault:
    """Return the fault for an exception that the runner, or a bot that imitates it, reports."""
    try:
        failure = _read_failure(message[1:])
    except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
        return BotFault(Verdict.MALFORMED, f"the report of a failure cannot be decoded: {error}")
    if failure.verdict not in _FAILURES:
        return BotFault(Verdict.PROTOCOL, "a report of a failure that no runner makes")
    return BotFault(
        _FAILURES[failure.verdict],
        untrusted_text_clean(failure.detail, DETAIL_CAP),
        line=failure.line if failure.line is not None and 0 < failure.line < _LINES else None,
        exception=untrusted_text_clean(failure.exception, 100),
    )
