"""The logs of seats, compressed for rows of ``matches.models``: output of bots, times of actions, and explanations."""

import json
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings

from games.explanation import MoveExplanation
from matches.referee.scoring import GameLog

ROW_BYTES: Final = 1024  # the size that a row counts, even if nothing was printed
CHUNK_BYTES: Final = 32  # the size that a chunk of output counts, besides its text
UNPACKED_MOST: Final = 64 * 2**20


@dataclass(frozen=True, slots=True)
class LoggedGame:
    """The log of a seat in one game, in which its bot took ``actions`` actions.

    ``chunks`` are the texts that the bot printed, each with the number of earlier actions of all players. ``cut`` is
    the number of characters that were not kept. ``slowest`` is the processor time of the slowest action in seconds, and
    ``slowest_at`` the number of actions of all players before this action.
    """

    index: int
    actions: int
    slowest: float
    slowest_at: int
    cut: int = 0
    chunks: tuple[tuple[int, str], ...] = ()


class SeatLogPacker:  # frozen: seat log
    """Collects the log of a seat in the games of a slice, and compresses it. Its size is bounded.

    For each game, at most the last ``OUTPUT_BYTES_PER_GAME`` bytes of output are kept. Once the games of the slice have
    ``OUTPUT_BYTES_PER_MATCH`` bytes together, the output of later games is dropped. ``notes`` collects what the bot
    said about its decisions.
    """

    def __init__(self) -> None:
        self.printed = 0  # bytes, including ``CHUNK_BYTES`` for each chunk
        self.slowest = 0.0  # seconds
        self.times: Counter[int] = Counter()
        self.games = 0
        self.notes = SeatNotesPacker()
        self._rows: list[list[Any]] = []

    def note(self, index: int, log: GameLog) -> None:
        """Add the log of the next game."""
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
        """Return the logs of all games, compressed."""
        return zlib.compress(json.dumps(self._rows, separators=(",", ":"), ensure_ascii=False).encode(), 6)

    @property
    def size(self) -> int:
        """The size of the row in bytes, as limits count it."""
        return ROW_BYTES + self.printed


def seat_logs_games(packed: bytes, sought: str = "") -> Iterator[LoggedGame]:
    """Yield the games of a row in order. Yield none if ``sought``, a casefolded text, does not occur in the row."""
    text = zlib.decompressobj().decompress(packed, UNPACKED_MOST).decode()
    if sought and json.dumps(sought, ensure_ascii=False)[1:-1] not in text.casefold():
        return
    rows = json.loads(text)
    for index, actions, slowest, at, *printed in rows:
        cut, chunks = printed or (0, ())
        yield LoggedGame(index, actions, slowest / 1e6, at, cut, tuple((played, text) for played, text in chunks))


def _ends(chunks: list[tuple[int, str]], room: int) -> tuple[list[tuple[int, str]], int, int]:
    """Return the end of ``chunks`` that fits in ``room`` bytes, the characters cut, and the bytes used."""
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
            room = 0  # earlier chunks are dropped
    return kept[::-1], cut, used


class SeatNotesPacker:  # frozen: seat notes
    """Collects what the bot of a seat said about its decisions in a slice, and compresses it.

    All explanations together have at most ``NOTES_BYTES_PER_MATCH`` bytes. A game is kept only if all of its
    explanations fit.
    """

    def __init__(self) -> None:
        self._left = settings.NOTES_BYTES_PER_MATCH
        self._rows: list[list[Any]] = []

    def note(self, index: int, log: GameLog) -> None:
        """Add the explanations of the next game."""
        size = sum(explanation.size for _, explanation in log.notes)
        if log.notes and size <= self._left:
            self._left -= size
            self._rows.append([index, [[played, *explanation] for played, explanation in log.notes]])

    def packed(self) -> bytes:
        """Return all explanations, compressed; empty if there are none."""
        if not self._rows:
            return b""
        return zlib.compress(json.dumps(self._rows, separators=(",", ":"), ensure_ascii=False).encode(), 6)


def seat_logs_notes(packed: bytes) -> Iterator[tuple[int, list[tuple[int, MoveExplanation]]]]:
    """Yield the index of each game of a row, and its explanations.

    Each explanation comes with the number of earlier actions of all players.
    """
    rows = json.loads(zlib.decompressobj().decompress(packed, UNPACKED_MOST))
    for index, notes in rows:
        yield index, [(played, MoveExplanation(note, tuple(marks), value)) for played, note, marks, value in notes]
