"""What bots printed, how long their actions took, and what they say of their decisions, packed for rows of
``matches.models``.
"""

import json
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from games.explanation import MoveExplanation
from matches.referee.scoring import GameLog

ROW_BYTES: Final = 1024  # that a row counts for, however little was printed
CHUNK_BYTES: Final = 32  # and each piece of what was printed
UNPACKED_MOST: Final = 64 * 2**20


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """A game as its seat's bot was in it. ``chunks``: what it printed, each with the number of actions of all players
    before it; ``cut``: the characters before that are not kept. ``slowest`` is in seconds, ``slowest_at`` the number of
    actions before that action."""

    index: int
    actions: int
    slowest: float
    slowest_at: int
    cut: int = 0
    chunks: tuple[tuple[int, str], ...] = ()


class SeatLogPacker:  # frozen: seat log
    """The log of a seat over the games of a slice: what is kept is bounded, whatever the bot prints.

    Of each game the last ``OUTPUT_BYTES_PER_GAME`` are kept, and of a slice the first games, until they have
    ``OUTPUT_BYTES_PER_MATCH`` together. ``notes``: what it said of its decisions there.
    """

    def __init__(self) -> None:
        self.printed = 0  # bytes, those that its pieces count for included
        self.slowest = 0.0  # seconds
        self.times: Counter[int] = Counter()
        self.games = 0
        self.notes = SeatNotesPacker()
        self._rows: list[list[Any]] = []

    def note(self, index: int, log: GameLog) -> None:
        """Take the log of the next game."""
        self.games += 1
        self.notes.note(index, log)
        self.times.update(log.times)
        self.slowest = max(self.slowest, log.slowest)
        row: list[Any] = [index, log.times.total(), round(log.slowest * 1e6), log.slowest_at]
        if log.chunks:
            room = min(settings.OUTPUT_BYTES_PER_GAME, settings.OUTPUT_BYTES_PER_MATCH - self.printed)
            chunks, cut, used = _ends(log.chunks, room)
            self.printed += used
            row += [log.cut + cut, chunks]
        self._rows.append(row)

    def packed(self) -> bytes:
        """Return all that was noted."""
        return zlib.compress(json.dumps(self._rows, separators=(",", ":"), ensure_ascii=False).encode(), 6)

    @property
    def size(self) -> int:
        """The bytes that it counts for."""
        return ROW_BYTES + self.printed


def games_unpacked(packed: bytes, sought: str = "") -> Iterator[LoggedGame]:
    """Yield the games of a row, in order; none of a row that has no ``sought``, which is folded, anywhere in it."""
    text = zlib.decompressobj().decompress(packed, UNPACKED_MOST).decode()
    if sought and json.dumps(sought, ensure_ascii=False)[1:-1] not in text.casefold():
        return
    rows = json.loads(text)
    for index, actions, slowest, at, *printed in rows:
        cut, chunks = printed or (0, ())
        yield LoggedGame(index, actions, slowest / 1e6, at, cut, tuple((played, text) for played, text in chunks))


def _ends(chunks: list[tuple[int, str]], room: int) -> tuple[list[tuple[int, str]], int, int]:
    """Return the last ``room`` bytes of them, how many characters that leaves out, and the bytes that it has."""
    kept: list[tuple[int, str]] = []
    cut = used = 0
    for played, text in reversed(chunks):
        data = text.encode()
        fits = max(0, room - used - CHUNK_BYTES)
        shown = text if len(data) <= fits else data[len(data) - fits :].decode("utf-8", "ignore") if fits else ""
        cut += len(text) - len(shown)
        if shown:
            used += CHUNK_BYTES + len(shown.encode())
            kept.append((played, shown))
        if shown != text:
            room = 0  # nothing before that is kept
    return kept[::-1], cut, used


class SeatNotesPacker:  # frozen: seat notes
    """What the bot of a seat says in the games of a slice: whole games, until they have ``NOTES_BYTES_PER_MATCH``."""

    def __init__(self) -> None:
        self._left = settings.NOTES_BYTES_PER_MATCH
        self._rows: list[list[Any]] = []

    def note(self, index: int, log: GameLog) -> None:
        """Take what was said in the next game."""
        size = sum(said.size for _, said in log.notes)
        if log.notes and size <= self._left:
            self._left -= size
            self._rows.append([index, [[played, *said] for played, said in log.notes]])

    def packed(self) -> bytes:
        """Return all that was taken; nothing if there is nothing."""
        if not self._rows:
            return b""
        return zlib.compress(json.dumps(self._rows, separators=(",", ":"), ensure_ascii=False).encode(), 6)


def notes_unpacked(packed: bytes) -> Iterator[tuple[int, list[tuple[int, MoveExplanation]]]]:
    """Yield the index of each game of a row and what was said in it, each with the number of actions before."""
    rows = json.loads(zlib.decompressobj().decompress(packed, UNPACKED_MOST))
    for index, notes in rows:
        yield index, [(played, MoveExplanation(note, tuple(marks), value)) for played, note, marks, value in notes]
