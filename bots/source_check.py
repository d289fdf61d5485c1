"""Check that a file is Python source with an entry point.

The parser is C code with untrusted input: deep nesting, a huge literal or a mebibyte of commas may exhaust its stack or
memory, or take minutes. So a child process parses the file under its own limits (``bots.parse_child``). If it dies, the
file is rejected. The child neither compiles the source to bytecode nor runs it. Before that, tokens are counted: source
whose tree would exceed the child's memory is rejected.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from threading import Condition
from typing import Any, Final

from bots.translation import gettext as _
from bots.upload_errors import BusyError, Problem, UploadError

# Seconds; the child's CPU limit ends the child far earlier, unless the machine is overloaded.
WALL_SECONDS: Final = 20.0
# The file may be in a zip, so its text is passed to the child.
CHILD: Final = files(__package__).joinpath("parse_child.py")
NEEDED: Final = ("SYSTEMROOT",)  # environment variables without which Python does not start on Windows
ENTRY_POINTS: Final = ("act", "Bot")
CHILDREN: Final = 2  # concurrent child processes, each for another author; each may use a core for seconds
PATIENCE: Final = 5.0  # seconds that an upload waits for a child
RETRY_AFTER: Final = 10  # seconds after which the author may try again
# Tokens are words, numbers, operators and lines, including those in comments and strings. Every node of a tree needs at
# least one token, and the worst trees take a kilobyte for each token. A megabyte of ordinary code has a third of this
# number; a table of numbers may have more.
MAX_TOKENS: Final = 400_000
_SPACE, _WORD, _SIGN = b" ws"
_LETTERS: Final = re.compile(rb"[\w.\x80-\xff]")
_KINDS: Final = bytes(
    _WORD if _LETTERS.match(bytes([byte])) else _SPACE if byte in b" \t\r\f" else _SIGN for byte in range(256)
)


class _Turns:
    """The authors whose source is being parsed: one upload of each author at a time, and ``CHILDREN`` in total. Only
    one more upload of each author may wait, because a waiting upload occupies one of the site's few threads.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._authors: set[int] = set()
        self._waiting: set[int] = set()

    @contextmanager
    def take(self, author: int) -> Iterator[None]:
        """Reserve a child for ``author`` within the block.

        Raises:
            BusyError: no child was free in time, or another upload of ``author`` waits for one.
        """
        with self._changed:
            if author in self._waiting:
                raise BusyError(RETRY_AFTER)
            self._waiting.add(author)
            try:
                if not self._changed.wait_for(lambda: self._is_free(author), PATIENCE):
                    raise BusyError(RETRY_AFTER)
            finally:
                self._waiting.remove(author)
            self._authors.add(author)
        try:
            yield
        finally:
            with self._changed:
                self._authors.remove(author)
                self._changed.notify_all()

    def _is_free(self, author: int) -> bool:
        return author not in self._authors and len(self._authors) < CHILDREN


_turns: Final = _Turns()


def check_source(source: bytes, author: int) -> None:
    """Check that ``source`` parses and defines ``act`` or ``Bot`` at module level.

    Raises:
        UploadError: it is not UTF-8 text, has a syntax error, is too complex to parse, or has no entry point.
        BusyError: no child is free for this author.
    """
    _check_text(source)
    _check_density(source)
    with _turns.take(author):
        found = _parse(source)
    if found is None:
        raise UploadError(
            Problem.TOO_COMPLEX,
            _(
                "bot.py is too complex to be read: it nests too deeply or contains literals that are too large. "
                "Simplify it."
            ),
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


def source_tokens_counted(source: bytes) -> int:
    """Return the number of words, numbers, signs and line ends. It takes milliseconds."""
    kinds = source.translate(_KINDS)
    words = kinds.count(b" w") + kinds.count(b"sw") + kinds.startswith(b"w")
    return words + kinds.count(b"s")


def _check_density(source: bytes) -> None:
    if (count := source_tokens_counted(source)) > MAX_TOKENS:
        raise UploadError(
            Problem.TOO_COMPLEX,
            _(
                "bot.py holds %(count)d words, numbers and signs; %(limit)d are allowed. Put large tables into a file "
                "of their own, in a zip beside bot.py."
            )
            % {"count": count, "limit": MAX_TOKENS},
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
    """Return the child's result; None if the child was killed or timed out."""
    try:
        done = subprocess.run(  # noqa: S603 - our own script, which reads the untrusted bytes
            [sys.executable, "-I", "-S", "-c", CHILD.read_text(encoding="utf-8")],
            input=source,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={name: os.environ[name] for name in NEEDED if name in os.environ},
            timeout=WALL_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    if done.returncode != 0:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found
