"""The bot's side of the conversation. Once the bot's code has run, everything in here is under the bot's control."""

import faulthandler
import gc
import io
import os
import platform
import signal
import sys
from typing import Final, NoReturn

import msgspec

from . import entry, failure, wire
from .entry import entry_answer_read, entry_verdict_of, entry_verdict_of_start
from .tree import BOT_FOLDER

CHANNEL: Final = 3

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode
# Encoded in advance, because no memory is left when this is needed.
_OUT_OF_MEMORY: Final = wire.FAILURE + _encode(
    wire.WireFailure("memory", "MemoryError", None, "MemoryError: the bot needed more memory than its limit")
)
_BEYOND_WORDS: Final = wire.FAILURE + _encode(
    wire.WireFailure("crashed", "", None, "the bot raised an exception that cannot be described")
)


def run(setup: wire.BoxSetup) -> NoReturn:
    """Import the bot, report that it is ready, and answer until the channel closes."""
    _begin(setup)
    try:
        act, game_over, is_act_idle = entry.load(BOT_FOLDER, setup.table)
    except BaseException as error:
        _fail(error, entry_verdict_of_start(error))
    os.write(CHANNEL, wire.READY_ACT_IDLE if is_act_idle else wire.READY)
    _serve(act, game_over, setup.action_bytes)
    os._exit(0)


def furnish() -> None:
    """Set up what all bots share, once before the forks: its own files first on the path, an empty environment.

    On SIGXCPU, a bot writes its traceback on its channel and continues.
    """
    sys.path.insert(0, BOT_FOLDER)
    sys.dont_write_bytecode = True
    sys.argv[:] = [f"{BOT_FOLDER}/bot.py"]
    sys.orig_argv[:] = []
    os.environ.clear()
    faulthandler.register(signal.SIGXCPU, file=CHANNEL, all_threads=False)
    platform._uname_cache = None  # type: ignore[attr-defined]  # an import may have cached the machine's host name


def _begin(setup: wire.BoxSetup) -> None:
    """Set up this bot's randomness and its output streams, which the judge reads from a pipe.

    The streams are unbuffered, because a killed process cannot flush.
    """
    entry.seed_randomness(setup.seed)  # set for each bot, because a fork copies numpy's global state
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__ = _stream(1), _stream(2)  # type: ignore[misc]
    gc.enable()


def _stream(descriptor: int) -> io.TextIOWrapper:
    raw = io.FileIO(descriptor, "w", closefd=False)
    return io.TextIOWrapper(raw, "utf-8", "replace", newline="\n", write_through=True)


def _serve(act: entry.Act, game_over: entry.GameOver | None, longest: int) -> None:
    # All messages share this, because allocating one costs more than the rest of a turn.
    buffer = bytearray(wire.OBSERVATION_CAP)
    view = memoryview(buffer)
    observe = wire.OBSERVE[0]
    head, answered = wire.HEAD, wire.ANSWER
    while size := os.readv(CHANNEL, (buffer,)):
        try:
            if buffer[0] == observe:
                action = act(_decode(view[head:size]))
                if type(action) is not str or len(action) > longest:
                    action = entry_answer_read(action, longest)
            else:
                action = ""
                if game_over is not None:
                    game_over(_decode(view[head:size]))
            message = answered + view[1:head] + _encode(action)
        except BaseException as error:
            _fail(error, entry_verdict_of(error))
        os.write(CHANNEL, message)


def _fail(error: BaseException, verdict: str) -> NoReturn:
    try:
        fault = (
            wire.WireFailure(verdict, "", None, str(error))
            if entry.is_a(error, entry.ContractError)
            else wire.WireFailure(verdict, *failure.describe(error, BOT_FOLDER))
        )
        message = wire.FAILURE + _encode(fault)
    except BaseException as second:
        message = _OUT_OF_MEMORY if MemoryError in (type(error), type(second)) else _BEYOND_WORDS
    try:
        os.write(CHANNEL, message)
    finally:
        os._exit(1)
