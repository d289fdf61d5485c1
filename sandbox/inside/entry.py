"""Load a bot and ask it for actions: set its random seed, import its files, find its entry point, and check its
answers.

The cage, programs at home and the browser all use this module, so it imports only the standard library. Once the bot's
code has run, everything in here is under the bot's control.
"""

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final, TypeAlias

Act = Callable[[Any], Any]
GameOver = Callable[[Any], object]
# An action, or an action with its explanation: a note, marks and a value.
Answer: TypeAlias = str | tuple[str, str, list[str], float | None]

# Characters of a note that are sent; the reader of the note cuts and cleans it, see games.explanation.
NOTE_SENT: Final = 400
MARKS_SENT: Final = 16
MARK_SENT: Final = 64


class ContractError(Exception):
    """The bot broke the contract of bots. The message is complete, so no traceback is shown."""


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


def seed_randomness(seed: int) -> None:
    """Seed ``random``, and ``numpy.random`` if numpy was imported before the bot."""
    random.seed(seed)
    if (numpy := sys.modules.get("numpy")) is not None:
        numpy.random.seed(seed & 0xFFFF_FFFF)


def load(folder: str, table: dict[str, object], file: str = "bot.py") -> tuple[Act, GameOver | None, bool]:
    """Import the bot's file in the folder. Return three things: the callable for requests; the callable for the end of
    the game, or None; and whether a function ``act`` is unused because the class ``Bot`` takes precedence.

    Raises:
        NoEntryPointError: there is no entry point. Exceptions of the bot pass through.
    """
    _complained.clear()
    module = _import(folder, file)
    if (maker := getattr(module, "Bot", None)) is not None:
        bot = maker(table)
        if callable(act := getattr(bot, "act", None)):
            game_over = getattr(bot, "game_over", None)
            return act, game_over if callable(game_over) else None, callable(getattr(module, "act", None))
        beside = "; the function act beside it is not used" if callable(getattr(module, "act", None)) else ""
        raise NoEntryPointError(f"class Bot in bot.py has no method act(self, view){beside}")
    if callable(act := getattr(module, "act", None)):
        return act, None, False
    raise NoEntryPointError("bot.py defines neither act(view) nor class Bot")


def entry_answer_read(answer: object, longest: int) -> Answer:
    """Return the answer of ``act``: a text, or an object with the key "action". Other keys of the object are left out
    if their values are wrong, with a message in the bot's output.

    Raises:
        NotTextError, TooLongError: see ``checked``.
    """
    if not issubclass(type(answer), dict):
        return checked(answer, longest)
    given: dict[str, Any] = answer  # type: ignore[assignment]
    action = checked(dict.get(given, "action", given), longest)
    values = [_optional_key(given, key, *how) for key, how in _EXPLAINED.items()]
    return action if values == ["", [], None] else (action, *values)


def checked(action: object, longest: int) -> str:
    """Return the action as text of at most ``longest`` characters.

    Raises:
        NotTextError, TooLongError: it is not text, or it is too long.
    """
    text = action if type(action) is str else _text(action)
    if len(text) > longest:
        raise TooLongError(f"the answer has {len(text)} characters; at most {longest} bytes are allowed")
    return text


def entry_verdict_of_start(error: BaseException) -> str:
    """Return the verdict on a bot that raised ``error`` during import or construction."""
    return entry_verdict_of(error, "crashed" if "bot" in sys.modules else "import_error")


def entry_verdict_of(error: BaseException, default: str = "crashed") -> str:
    """Return the verdict on a bot that raised ``error`` in ``act``."""
    if is_a(error, UnicodeEncodeError):  # raised when the answer is encoded
        default = "malformed"
    return next((word for kind, word in _VERDICTS if is_a(error, kind)), default)


def is_a(error: BaseException, kind: type[BaseException]) -> bool:
    """Tell whether the exception really has this type. isinstance would ask the exception itself, which may lie."""
    return issubclass(type(error), kind)


def _import(folder: str, file: str) -> ModuleType:
    """Return the bot's file as the module ``bot``. Python's own import machinery would take a tenth of
    the whole start.
    """
    module = ModuleType("bot")
    module.__file__ = f"{folder}/{file}"
    module.__loader__ = SourceFileLoader("bot", module.__file__)  # for pkgutil.get_data and inspect
    module.__spec__ = ModuleSpec("bot", module.__loader__, origin=module.__file__)
    code = compiled(module.__file__)
    sys.modules["bot"] = module
    try:
        exec(code, module.__dict__)  # noqa: S102 - runs the bot's code
    except BaseException:
        sys.modules.pop("bot", None)
        raise
    return module


_codes: Final[dict[str, tuple[bytes, CodeType]]] = {}  # by path; a process may play many games


def compiled(path: str) -> CodeType:
    """Return the code of a bot's file. It is compiled again only if the file has changed."""
    with open(path, "rb") as file:  # noqa: PTH123 - see above
        source = file.read()
    if (found := _codes.get(path)) is None or found[0] != source:
        _codes[path] = found = source, compile(source, path, "exec")
    return found[1]


def _optional_key(answer: dict[str, Any], key: str, read: Callable[[Any], Any], must: str, default: Any) -> Any:
    """Return ``answer[key]``, converted by ``read``; the default if it is missing or not what it ``must`` be."""
    if (given := dict.get(answer, key)) is None:
        return default
    try:
        return read(given)
    except Exception:  # from ``read``, or from code of the bot that ``read`` runs
        if key not in _complained:  # a message is printed once a game
            _complained.add(key)
            with suppress(Exception):  # the bot may have replaced stderr
                sys.stderr.write(f"act: {key} is left out: it is not {must}\n")
        return default


def _note(given: Any, most: int = NOTE_SENT) -> str:
    if not issubclass(type(given), str):
        raise TypeError
    return str.__str__(given)[:most].encode("utf-8", "replace").decode()


def _marks(given: Any) -> list[str]:
    if type(given) not in (list, tuple):
        raise TypeError
    return [_note(one, MARK_SENT) for one in given[:MARKS_SENT]]


def _value(given: Any) -> float:
    share = -1.0 if issubclass(type(given), (str, bytes, bool)) else float(given)
    if not 0 <= share <= 1:  # also false for NaN
        raise ValueError
    return share


_EXPLAINED: Final[dict[str, tuple[Callable[[Any], Any], str, Any]]] = {
    "note": (_note, "text", ""),
    "marks": (_marks, "a list of texts", []),
    "value": (_value, "a number from 0 to 1", None),
}
_complained: Final[set[str]] = set()


def _text(action: object) -> str:
    if issubclass(type(action), str):  # isinstance would trust a class that lies
        return str.__str__(action)
    raise NotTextError(f"act must return text, one of view['actions']; it returned {type(action).__name__:.50}")
