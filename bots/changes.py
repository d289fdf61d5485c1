"""What changed from one version of a bot to another, file by file. The bytes are hostile, see ``bots.listing``."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from django.utils.safestring import SafeString

from bots.listing import WIDTH_MOST, line_escaped, lines_of, paths_in_order

COMPARED_MOST: Final = 3000  # lines of all files of a page that are compared: at worst they take a second
ROWS_MOST: Final = 4000  # of a page
AROUND: Final = 3  # lines that are equal, before and after others
Opcode = tuple[str, int, int, int, int]


@dataclass(frozen=True, slots=True)
class ChangedLine:
    """A line with its numbers before and after; a ``gap`` stands for equal lines that are left out."""

    kind: Literal["same", "removed", "added", "gap"]
    before: int | None = None
    after: int | None = None
    line: str = ""  # HTML, by ``escaped``


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs. ``rows`` is None where there is no text to compare, and empty where its line ends
    alone differ; ``is_cut`` where rows, or parts of lines, are left out.
    """

    path: str
    kind: Literal["changed", "added", "removed"]
    rows: tuple[ChangedLine, ...] | None
    is_cut: bool = False


def changed_files(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> list[ChangedFile]:
    """Return the files of which bytes differ, ``bot.py`` first, within the bounds of a page."""
    changed: list[ChangedFile] = []
    to_compare, to_show = COMPARED_MOST, ROWS_MOST
    for path in paths_in_order({**before, **after}):
        if (old := before.get(path)) == (new := after.get(path)):
            continue
        kind: Literal["changed", "added", "removed"] = (
            "added" if old is None else "removed" if new is None else "changed"
        )
        olds, news = (lines_of(content) if content is not None else [] for content in (old, new))
        if olds is None or news is None:
            changed.append(ChangedFile(path, kind, None))
            continue
        opcodes, compared = _opcodes(olds, news, to_compare)
        rows = tuple(_rows(olds, news, opcodes, to_show + 1)) if olds != news else ()
        is_cut = len(rows) > to_show or any(len(line) > WIDTH_MOST for line in (*olds, *news))
        changed.append(ChangedFile(path, kind, rows[:to_show], is_cut))
        to_compare, to_show = to_compare - compared, max(to_show - len(rows), 0)
    return changed


def _opcodes(olds: Sequence[str], news: Sequence[str], most: int) -> tuple[list[Opcode], int]:
    """Return how to make ``news`` of ``olds``, as difflib has it, and how many lines had to be compared for it. What is
    left between equal beginnings and ends is replaced as a whole where it has more than ``most`` lines.
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


def _rows(olds: Sequence[str], news: Sequence[str], opcodes: Sequence[Opcode], most: int) -> Iterator[ChangedLine]:
    """Yield at most about ``most`` rows."""
    left = most
    for place, (tag, i, i_end, j, j_end) in enumerate(opcodes):
        if left <= 0:
            return
        if tag == "equal":
            first, last = place == 0, place == len(opcodes) - 1
            rows = list(_around(news, i, j, i_end - i, before=not last, after=not first))
        else:
            half = max(left // 2, left - (j_end - j))  # of a long change something of both sides
            rows = [ChangedLine("removed", before=n + 1, line=_shown(olds[n])) for n in range(i, min(i_end, i + half))]
            rows += [ChangedLine("added", after=n + 1, line=_shown(news[n])) for n in range(j, min(j_end, j + left))]
        left -= len(rows)
        yield from rows


def _around(lines: Sequence[str], i: int, j: int, count: int, *, before: bool, after: bool) -> Iterator[ChangedLine]:
    """Yield of equal lines those that stand ``before`` and ``after`` a change."""
    head = min(AROUND, count) if after else 0
    tail = max(count - AROUND, head) if before else count
    for n in (*range(head), *range(tail, count)):
        if n == tail and tail > head:
            yield ChangedLine("gap")
        yield ChangedLine("same", i + n + 1, j + n + 1, _shown(lines[j + n]))
    if tail == count > head:
        yield ChangedLine("gap")


def _shown(line: str) -> SafeString:
    return line_escaped(line[:WIDTH_MOST])
