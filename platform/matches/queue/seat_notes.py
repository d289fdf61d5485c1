"""What bots say of their decisions, packed for the row that keeps it: ``matches.models.SeatNotes``."""

import json
import zlib
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings

from games.explanation import MoveExplanation
from matches.referee.game_result import GameLog

ROW_BYTES: Final = 1024  # that a row counts for beside what is in it
UNPACKED_MOST: Final = 64 * 2**20


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
