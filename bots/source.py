"""Is this Python source with an entry point?

The parser is C code fed by strangers: deep nesting, a huge literal or a mebibyte of commas may cost it its stack, the
memory or minutes. So a child process parses, under its own limits (``bots.parse_child``), and whatever becomes of it is
an answer. The child never compiles to bytecode and never runs what it parses.
"""

import json
import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any, Final

from django.utils.translation import gettext as _

from bots.refusal import Problem, UploadError

CHILD: Final = Path(__file__).with_name("parse_child.py")
WALL_SECONDS: Final = 20.0  # the child's processor limit ends it far earlier, unless the machine is overloaded
ENTRY_POINTS: Final = ("act", "Bot")
# A child may take a gibibyte and seconds of a core. However many upload at once, no more of them than this live.
_CHILDREN: Final = BoundedSemaphore(2)


def check_source(source: bytes) -> None:
    """Return when ``source`` parses and defines ``act`` or ``Bot`` at module level.

    Raises:
        UploadError: it is not UTF-8 text, has a syntax error, is too complex to parse, or has no entry point.
    """
    _check_text(source)
    with _CHILDREN:
        found = _parse(source)
    if found is None:
        raise UploadError(
            Problem.TOO_COMPLEX,
            _("bot.py is too complex to be read: it nests too deeply or holds too large literals. Simplify it."),
        )
    if "error" in found:
        raise UploadError(
            Problem.SYNTAX,
            _("Syntax error in bot.py, line %(line)s: %(error)s. Correct it and upload again.")
            % {"line": found["line"] or "?", "error": found["error"]},
        )
    names = found["names"]
    if "*" in names or any(name in names for name in ENTRY_POINTS):
        return
    if "async act" in names:
        raise UploadError(
            Problem.NO_ENTRY_POINT, _("bot.py defines act with 'async def'. Define it with 'def': it must return text.")
        )
    raise UploadError(
        Problem.NO_ENTRY_POINT,
        _("bot.py defines neither a function act(view) nor a class Bot at module level. Add one of them."),
    )


def _check_text(source: bytes) -> None:
    line = source.count(b"\n", 0, max(source.find(b"\0"), 0)) + 1
    if b"\0" not in source:
        try:
            source.decode("utf-8")
        except UnicodeDecodeError as error:
            line = source.count(b"\n", 0, error.start) + 1
        else:
            return
    raise UploadError(
        Problem.NOT_TEXT,
        _("bot.py is not text in UTF-8: line %(line)d holds other bytes. Save it as UTF-8 Python source.")
        % {"line": line},
    )


def _parse(source: bytes) -> dict[str, Any] | None:
    """What the child found; None when it did not live to tell."""
    try:
        done = subprocess.run(  # noqa: S603  our own script; the stranger's bytes are its input
            [sys.executable, "-I", "-S", str(CHILD)],
            input=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={},
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found
