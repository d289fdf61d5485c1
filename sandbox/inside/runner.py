"""The bot's side of the conversation. All in here is under the bot's control once its code has run."""

import gc
import io
import os
import platform
import random
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final, NoReturn

import msgspec

from . import failure, wire
from .printed import Printed
from .tree import BOT_FOLDER

CHANNEL: Final = 3

_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder().decode
# Made beforehand: when memory is out, there is none to say so.
_OUT_OF_MEMORY: Final = wire.FAILURE + _encode(
    wire.WireFailure("memory", "MemoryError", None, "MemoryError: the bot needed more memory than its limit", "")
)
_BEYOND_WORDS: Final = wire.FAILURE + _encode(
    wire.WireFailure("crashed", "", None, "the bot raised an exception that cannot be described", "")
)

Act = Callable[[Any], Any]


class ContractError(Exception):
    """The bot broke the contract of bots; the message says all, a traceback would add nothing."""


class NoEntryPointError(ContractError):
    """bot.py defines neither a function ``act`` nor a class ``Bot`` with a method ``act``."""


class NotTextError(ContractError):
    """The bot answered with something that is not text."""


class TooLongError(ContractError):
    """The bot answered with more text than an action may have."""


_VERDICTS: Final[tuple[tuple[type[BaseException], str], ...]] = (
    (MemoryError, "memory"),
    (SystemExit, "exited"),
    (NoEntryPointError, "no_entry_point"),
    (NotTextError, "malformed"),
    (TooLongError, "oversize"),
)


def run(setup: wire.BoxSetup) -> NoReturn:
    """Import the bot, say so, and answer until the channel closes."""
    printed = _begin(setup)
    try:
        act, game_over = _load(setup.table)
    except BaseException as error:
        _fail(error, "crashed" if "bot" in sys.modules else "import_error", printed)
    os.write(CHANNEL, wire.READY)
    _serve(act, game_over, printed, setup.action_bytes)
    os._exit(0)


def furnish() -> None:
    """What every bot finds: its own files first on the path, no environment, no input. Once for all forks."""
    sys.path.insert(0, BOT_FOLDER)
    sys.dont_write_bytecode = True
    sys.argv[:] = [f"{BOT_FOLDER}/bot.py"]
    sys.orig_argv[:] = []
    os.environ.clear()
    sys.stdin = io.StringIO()
    platform._uname_cache = None  # type: ignore[attr-defined]  # asked for at some import: the machine's name, not ours


def _begin(setup: wire.BoxSetup) -> Printed:
    """What is this bot's own: its randomness, and its print, which is captured."""
    random.seed(setup.seed)
    if (numpy := sys.modules.get("numpy")) is not None:  # fork copies its global state to every bot
        numpy.random.seed(setup.seed & 0xFFFF_FFFF)
    printed = Printed(setup.output)
    sys.stdout = sys.stderr = printed
    gc.enable()
    return printed


def _load(table: dict[str, object]) -> tuple[Act, Callable[[Any], object] | None]:
    module = _import()
    if (maker := getattr(module, "Bot", None)) is not None:
        bot = maker(table)
        if callable(act := getattr(bot, "act", None)):
            game_over = getattr(bot, "game_over", None)
            return act, game_over if callable(game_over) else None
        raise NoEntryPointError("class Bot in bot.py has no method act(self, view)")
    if callable(act := getattr(module, "act", None)):
        return act, None
    raise NoEntryPointError("bot.py defines neither act(view) nor class Bot")


def _import() -> ModuleType:
    """The module ``bot``. Python's own way through finders and caches would take a tenth of the whole start."""
    module = ModuleType("bot")
    module.__file__ = f"{BOT_FOLDER}/bot.py"
    module.__spec__ = ModuleSpec("bot", None, origin=module.__file__)
    with open(module.__file__, "rb") as source:  # noqa: PTH123 - see above
        code = compile(source.read(), module.__file__, "exec")
    sys.modules["bot"] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 - this is the place for it  # nosec B102
    except BaseException:
        sys.modules.pop("bot", None)
        raise
    return module


def _serve(act: Act, game_over: Callable[[Any], object] | None, printed: Printed, longest: int) -> None:
    buffer = bytearray(wire.OBSERVATION_CAP)  # one for all messages: a fresh one costs more than the rest of the turn
    view = memoryview(buffer)
    observe = wire.OBSERVE[0]
    head, drain, answered = wire.HEAD, printed.drain, wire.ANSWER
    while size := os.readv(CHANNEL, (buffer,)):
        try:
            if buffer[0] == observe:
                action = act(_decode(view[head:size]))
                if type(action) is not str:
                    action = _text(action)
                if len(action) > longest:
                    raise TooLongError(f"the answer has {len(action)} characters; at most {longest} bytes are allowed")
            else:
                action = ""
                if game_over is not None:
                    game_over(_decode(view[head:size]))
            message = answered + view[1:head] + _encode((action, drain()))
        except BaseException as error:
            _fail(error, "malformed" if _is(error, UnicodeEncodeError) else "crashed", printed)
        os.write(CHANNEL, message)


def _is(error: BaseException, kind: type[BaseException]) -> bool:
    """The true kind of an exception: isinstance would ask the exception itself."""
    return issubclass(type(error), kind)


def _text(action: object) -> str:
    if issubclass(type(action), str):  # isinstance would believe a class that lies
        return str.__str__(action)
    raise NotTextError(f"act must return text, one of view['actions']; it returned {type(action).__name__:.50}")


def _fail(error: BaseException, verdict: str, printed: Printed) -> NoReturn:
    try:
        verdict = next((word for kind, word in _VERDICTS if _is(error, kind)), verdict)
        told = (
            wire.WireFailure(verdict, "", None, str(error), printed.drain())
            if _is(error, ContractError)
            else failure.describe(error, verdict, printed.drain())
        )
        message = wire.FAILURE + _encode(told)
    except BaseException as second:
        message = _OUT_OF_MEMORY if MemoryError in (type(error), type(second)) else _BEYOND_WORDS
    try:
        os.write(CHANNEL, message)
    finally:
        os._exit(1)
