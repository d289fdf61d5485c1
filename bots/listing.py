"""The source of a version as its author reads it: numbered lines, highlighted where it is Python, one file at a time.

The source is untrusted: authors may have copied it. Characters that could reorder or hide text are written out, and the
time and the size of a page are bounded. Nothing is parsed or run.
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
TOKENS_MOST: Final = 30_000  # that are highlighted: about half a second of a core
_SPECIAL: Final = re.compile(r"[^\x20-\x7e\n\t]")
# Printable by Unicode, and shown as nothing: Hangul fillers, a Braille blank, joiners and variation selectors.
_BLANK: Final = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
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
    coloured = _coloured(kept) if path.endswith(".py") else map(line_escaped, kept)
    return ListedFile(path, len(content), tuple(coloured), is_text=True, is_cut=kept != lines)


def lines_of(content: bytes) -> list[str] | None:
    """Return the lines of a text as Python counts them; None if the content is not valid UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else _LINE_ENDS.sub("\n", text).removesuffix("\n").split("\n")


def paths_in_order(files: Mapping[str, bytes]) -> list[str]:
    """Return the paths of a version, ``bot.py`` first."""
    return sorted(files, key=lambda path: (path != ENTRY, path))


def line_escaped(line: str) -> SafeString:
    """Return text as HTML in which every character can be seen.

    >>> escaped("a < b" + chr(0x202E))
    'a &lt; b<span class="unseen">U+202E</span>'
    """
    return _seen(format_html("{}", line))


def _coloured(lines: list[str]) -> list[SafeString]:
    # A line of blanks is lexed as an empty one: the lexer's search for indentation runs on through blanks to the end
    # of the text, from every line again.
    code = "\n".join("" if line.isspace() else line for line in lines)
    tokens = list(islice(_LEXER.get_tokens(code), TOKENS_MOST))
    page = StringIO()
    _FORMATTER.format(tokens, page)
    done = page.getvalue().removesuffix("\n").split("\n")
    if len(tokens) == TOKENS_MOST:
        done.pop()  # the line that is not complete; it and the rest stay plain
    return [_seen(line) for line in done[: len(lines)]] + [line_escaped(line) for line in lines[len(done) :]]


def _seen(line: str) -> SafeString:
    return mark_safe(_SPECIAL.sub(_written_out, line))  # noqa: S308  escaped before, and letters are no markup


def _written_out(found: re.Match[str]) -> str:
    letter = found[0]
    is_seen = letter.isprintable() and not _BLANK.match(letter)
    return letter if is_seen else f'<span class="unseen">U+{ord(letter):04X}</span>'


READ_MOST: Final = 4096  # bytes of a file
LINE_MOST: Final = 100  # characters
_NAMED: Final = re.compile(r"SPDX-License-Identifier:[ \t]*([\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+){0,4})", re.ASCII)
_FILES: Final = re.compile(r"(?:LICEN[CS]E|COPYING)(?:\.(?:txt|md))?", re.IGNORECASE)


def licence_line(files: Mapping[str, bytes]) -> str:
    """Return the SPDX expression that ``bot.py``, or else another file, names at its beginning; without one the first
    line of a file that is called as those with a licence are; "" if there is neither.

    >>> licence_line({"bot.py": b"# SPDX-License-Identifier: MIT OR Apache-2.0"})
    'MIT OR Apache-2.0'
    """
    for path in sorted(files, key=lambda path: (path != ENTRY, path)):
        if found := _NAMED.search(_beginning(files[path])):
            return found[1][:LINE_MOST]
    for path in sorted(files):
        lines = _beginning(files[path]).split("\n") if _FILES.fullmatch(path) else []
        if line := next((line.strip() for line in lines if line.strip()), ""):
            return line[:LINE_MOST] if line.isprintable() else ""
    return ""


def _beginning(content: bytes) -> str:
    return content[:READ_MOST].decode("utf-8-sig", "replace")
