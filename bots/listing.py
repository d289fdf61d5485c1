"""The source of a version as its author reads it: numbered lines, coloured where it is Python, one file at a time.

The bytes are hostile even to their author, who may have them from elsewhere: what would reorder or hide the text around
it is written out, and no file takes more than a bounded time and page. Nothing is parsed or run.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from typing import Final

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from bots.archive import ENTRY

LINES_MOST: Final = 3000  # of a file
WIDTH_MOST: Final = 500  # characters of a line
TOKENS_MOST: Final = 30_000  # that are coloured: half a second of a core
_SPECIAL: Final = re.compile(r"[^\x20-\x7e\n\t]")
_LINE_ENDS: Final = re.compile(r"\r\n?")
_LEXER: Final = PythonLexer(stripnl=False, ensurenl=False)
_FORMATTER: Final = HtmlFormatter(nowrap=True, classprefix="hl-")


@dataclass(frozen=True, slots=True)
class ListedFile:
    """One file; ``lines`` are HTML. It is ``is_cut`` where lines, or parts of lines, are left out."""

    path: str
    size: int
    lines: tuple[SafeString, ...]
    is_text: bool
    is_cut: bool


def listed_file(path: str, content: bytes) -> ListedFile:
    """Return a file of a version for its page."""
    lines = lines_of(content)
    if lines is None:
        return ListedFile(path, len(content), (), is_text=False, is_cut=False)
    kept = [line[:WIDTH_MOST] for line in lines[:LINES_MOST]]
    coloured = _coloured(kept) if path.endswith(".py") else map(escaped, kept)
    return ListedFile(path, len(content), tuple(coloured), is_text=True, is_cut=kept != lines)


def lines_of(content: bytes) -> list[str] | None:
    """Return the lines of a text as Python counts them; None for what is no text in UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else _LINE_ENDS.sub("\n", text).removesuffix("\n").split("\n")


def in_order(files: Mapping[str, bytes]) -> list[str]:
    """Return the paths of a version, ``bot.py`` first."""
    return sorted(files, key=lambda path: (path != ENTRY, path))


def escaped(line: str) -> SafeString:
    """Return text as HTML in which every character can be seen.

    >>> escaped("a < b" + chr(0x202E))
    'a &lt; b<span class="unseen">U+202E</span>'
    """
    return _seen(format_html("{}", line))


def _coloured(lines: list[str]) -> list[SafeString]:
    tokens = list(islice(_LEXER.get_tokens("\n".join(lines)), TOKENS_MOST))
    page = StringIO()
    _FORMATTER.format(tokens, page)
    done = page.getvalue().removesuffix("\n").split("\n")
    if len(tokens) == TOKENS_MOST:
        done.pop()  # the line that was reached; it and the rest stay plain
    return [_seen(line) for line in done[: len(lines)]] + [escaped(line) for line in lines[len(done) :]]


def _seen(line: str) -> SafeString:
    return mark_safe(_SPECIAL.sub(_written_out, line))  # noqa: S308  escaped before, and letters are no markup


def _written_out(found: re.Match[str]) -> str:
    letter = found[0]
    return letter if letter.isprintable() else f'<span class="unseen">U+{ord(letter):04X}</span>'
