"""Listings of a version's source for its author, numbered and highlighted, and differences between two versions.

The source is untrusted: authors may have copied it. Characters that could reorder or hide text are escaped, and the
time and size of a page are limited. Nothing is parsed or run.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from io import StringIO
from itertools import islice
from typing import Final, Literal

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from pygments.formatters.html import HtmlFormatter
from pygments.lexers.python import PythonLexer

from bots.uploads import ENTRY

LINES_MOST: Final = 3000  # lines of a file that are shown
WIDTH_MOST: Final = 500  # characters of a line that are shown
TOKENS_MOST: Final = 30_000  # highlighted tokens: about half a second of a core
_SPECIAL: Final = re.compile(r"[^\x20-\x7e\n\t]")
# Printable characters that are invisible: Hangul fillers, a Braille blank, joiners and variation selectors.
_BLANK: Final = re.compile(
    r"[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
_LINE_ENDS: Final = re.compile(r"\r\n?")
_LEXER: Final = PythonLexer(stripnl=False, ensurenl=False)
_FORMATTER: Final = HtmlFormatter(nowrap=True, classprefix="hl-")


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a version. ``lines`` are HTML. ``is_cut`` tells that lines, or parts of lines, are left out."""

    path: str
    size: int
    lines: tuple[SafeString, ...]
    is_text: bool
    is_cut: bool


def source_file_listed(path: str, content: bytes) -> ListedFile:
    """Return the listing of a file for its page."""
    lines = source_lines(content)
    if lines is None:
        return ListedFile(path, len(content), (), is_text=False, is_cut=False)
    kept = [line[:WIDTH_MOST] for line in lines[:LINES_MOST]]
    coloured = _coloured(kept) if path.endswith(".py") else map(source_line_escaped, kept)
    return ListedFile(path, len(content), tuple(coloured), is_text=True, is_cut=kept != lines)


def source_lines(content: bytes) -> list[str] | None:
    """Return the lines of a text as Python counts them; None if the content is binary or not valid UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else _LINE_ENDS.sub("\n", text).removesuffix("\n").split("\n")


def source_paths_sorted(files: Mapping[str, bytes]) -> list[str]:
    """Return the paths of a version, ``bot.py`` first."""
    return sorted(files, key=lambda path: (path != ENTRY, path))


def source_line_escaped(line: str) -> SafeString:
    """Return a line as HTML in which every character is visible.

    >>> source_line_escaped("a < b" + chr(0x202E))
    'a &lt; b<span class="unseen">U+202E</span>'
    """
    return _seen(format_html("{}", line))


def _coloured(lines: list[str]) -> list[SafeString]:
    # Lines of whitespace are replaced by empty ones. From each of these lines, the lexer's search for indentation would
    # otherwise go on to the end of the text.
    code = "\n".join("" if line.isspace() else line for line in lines)
    tokens = list(islice(_LEXER.get_tokens(code), TOKENS_MOST))
    page = StringIO()
    _FORMATTER.format(tokens, page)
    done = page.getvalue().removesuffix("\n").split("\n")
    if len(tokens) == TOKENS_MOST:
        done.pop()  # the last line is incomplete; it and all after it are not highlighted
    return [_seen(line) for line in done[: len(lines)]] + [source_line_escaped(line) for line in lines[len(done) :]]


def _seen(line: str) -> SafeString:
    return mark_safe(_SPECIAL.sub(_written_out, line))  # noqa: S308 - escaped before; the letters contain no markup


def _written_out(found: re.Match[str]) -> str:
    letter = found[0]
    is_seen = letter.isprintable() and not _BLANK.match(letter)
    return letter if is_seen else f'<span class="unseen">U+{ord(letter):04X}</span>'


READ_MOST: Final = 4096  # bytes of a file that are searched
LINE_MOST: Final = 100  # characters
_NAMED: Final = re.compile(r"SPDX-License-Identifier:[ \t]*([\w.+-]+(?: (?:AND|OR|WITH) [\w.+-]+){0,4})", re.ASCII)
_FILES: Final = re.compile(r"(?:LICEN[CS]E|COPYING)(?:\.(?:txt|md))?", re.IGNORECASE)


def source_licence(files: Mapping[str, bytes]) -> str:
    """Return the licence of a version, or "".

    It is the SPDX expression at the beginning of ``bot.py``. If there is none, it is that of another file. If no file
    has one, it is the first line of a file with the name of a licence file.

    >>> source_licence({"bot.py": b"# SPDX-License-Identifier: MIT OR Apache-2.0"})
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


COMPARED_MOST: Final = 3000  # lines of all files of a page that are compared; this takes a second at worst
ROWS_MOST: Final = 4000  # rows of a page
AROUND: Final = 3  # equal lines that are shown before and after a change
Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line with its numbers before and after the change. A ``gap`` replaces equal lines that are left out."""

    kind: Literal["same", "removed", "added", "gap"]
    before: int | None = None
    after: int | None = None
    line: str = ""  # HTML, from ``source_line_escaped``


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs.

    ``rows`` is None if there is no text to compare, and empty if only line endings differ. ``is_cut`` tells that rows,
    or parts of lines, are left out.
    """

    path: str
    kind: Literal["changed", "added", "removed"]
    rows: tuple[ChangedLine, ...] | None
    is_cut: bool = False


def source_files_changed(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[ChangedFile]:
    """Return the files that differ, ``bot.py`` first, within the limits of a page."""
    changed: list[ChangedFile] = []
    to_compare, to_show = COMPARED_MOST, ROWS_MOST
    for path in source_paths_sorted({**before, **after}):
        if (old := before.get(path)) == (new := after.get(path)):
            continue
        kind: Literal["changed", "added", "removed"] = (
            "added" if old is None else "removed" if new is None else "changed"
        )
        olds, news = (source_lines(content) if content is not None else [] for content in (old, new))
        if olds is None or news is None:
            changed.append(ChangedFile(path, kind, None))
            continue
        opcodes, compared = _opcodes(olds, news, to_compare)
        rows = tuple(_changed_rows(olds, news, opcodes, to_show + 1)) if olds != news else ()
        is_cut = len(rows) > to_show or any(len(line) > WIDTH_MOST for line in (*olds, *news))
        changed.append(ChangedFile(path, kind, rows[:to_show], is_cut))
        to_compare, to_show = to_compare - compared, max(to_show - len(rows), 0)
    return changed


def _opcodes(olds: Sequence[str], news: Sequence[str], most: int) -> tuple[list[Opcode], int]:
    """Return the opcodes of difflib that change ``olds`` to ``news``, and the number of lines that were compared.

    Equal beginnings and ends are not compared. If more than ``most`` lines are left between them, these are replaced as
    a whole.
    """
    short = min(len(olds), len(news))
    head = next((at for at in range(short) if olds[at] != news[at]), short)
    tail = next((at for at in range(short - head) if olds[-1 - at] != news[-1 - at]), short - head)
    old, new = olds[head : len(olds) - tail], news[head : len(news) - tail]
    compared = len(old) + len(new)
    between: Sequence[Opcode] = [("replace", 0, len(old), 0, len(new))]
    if compared <= most:
        between = SequenceMatcher(None, old, new).get_opcodes()
    moved = [(tag, a + head, b + head, c + head, d + head) for tag, a, b, c, d in between]
    ends = ("equal", len(olds) - tail, len(olds), len(news) - tail, len(news))
    return [("equal", 0, head, 0, head), *moved, ends], compared if compared <= most else 0


def _changed_rows(
    olds: Sequence[str], news: Sequence[str], opcodes: Sequence[Opcode], most: int
) -> Iterator[ChangedLine]:
    """Yield the rows of a change, roughly ``most`` at most."""
    left = most
    for place, (tag, i, i_end, j, j_end) in enumerate(opcodes):
        if left <= 0:
            return
        if tag == "equal":
            first, last = place == 0, place == len(opcodes) - 1
            rows = list(_around(news, i, j, i_end - i, before=not last, after=not first))
        else:
            # Limits the removed lines, so that both sides of a long change are shown.
            half = max(left // 2, left - (j_end - j))
            rows = [
                ChangedLine("removed", before=n + 1, line=_line_shown(olds[n])) for n in range(i, min(i_end, i + half))
            ]
            rows += [
                ChangedLine("added", after=n + 1, line=_line_shown(news[n])) for n in range(j, min(j_end, j + left))
            ]
        left -= len(rows)
        yield from rows


def _around(lines: Sequence[str], i: int, j: int, count: int, *, before: bool, after: bool) -> Iterator[ChangedLine]:
    """Yield the equal lines next to a change.

    If the lines are ``after`` a change, these are the first of them. If they are ``before`` a change, these are the
    last of them.
    """
    head = min(AROUND, count) if after else 0
    tail = max(count - AROUND, head) if before else count
    for n in (*range(head), *range(tail, count)):
        if n == tail and tail > head:
            yield ChangedLine("gap")
        yield ChangedLine("same", i + n + 1, j + n + 1, _line_shown(lines[j + n]))
    if tail == count > head:
        yield ChangedLine("gap")


def _line_shown(line: str) -> SafeString:
    return source_line_escaped(line[:WIDTH_MOST])
